namespace BlitQueue;

/// <summary>
/// Dequeues into a new instance each time, for a message that is kept: added to a list, handed to a task, or stored in a field.
/// </summary>
/// <remarks>
/// The calls with <c>ref</c> fill the instance that they are given, and allocate nothing where it is given again. These are extensions
/// because C# lets no type have two methods that differ in <c>ref</c> and <c>out</c> alone.
/// </remarks>
/// <example>
/// <code>
/// List&lt;Order&gt; all = [];
/// while (orders.TryDequeue(out Order? order))
/// {
///     all.Add(order);
/// }
/// </code>
/// </example>
public static class DequeueExtensions
{
    /// <summary>Takes and consumes the next message of the default subscription, if there is one. Never waits.</summary>
    /// <param name="queue">Whose subscription <c>default</c> is consumed.</param>
    /// <param name="message">A new instance; null (for a struct its default) where false is returned.</param>
    /// <inheritdoc cref="TryDequeue{T}(Subscription{T}, out T)"/>
    public static bool TryDequeue<T>(this MappedQueue<T> queue, [MaybeNullWhen(false)] out T message)
        where T : IPackable<T>
    {
        ArgumentNullException.ThrowIfNull(queue);
        return queue.Default.TryDequeue(out message);
    }

    /// <summary>Takes and consumes the next message, if there is one. Never waits.</summary>
    /// <typeparam name="T">The queue's message type.</typeparam>
    /// <param name="subscription">What is consumed.</param>
    /// <param name="message">A new instance; null (for a struct its default) where false is returned.</param>
    /// <returns>false when there is none.</returns>
    /// <exception cref="QueueCorruptException">
    /// The next message is damaged. The position stays; <see cref="Subscription{T}.SkipCorrupt"/> steps over.
    /// </exception>
    /// <exception cref="QueueException">The subscription was deleted, or another consumer has it for itself alone.</exception>
    /// <exception cref="InvalidOperationException">It is exclusive, and a lease is open: the next message comes after that.</exception>
    /// <exception cref="ObjectDisposedException">The queue was disposed.</exception>
    public static bool TryDequeue<T>(this Subscription<T> subscription, [MaybeNullWhen(false)] out T message)
        where T : IPackable<T>
    {
        ArgumentNullException.ThrowIfNull(subscription);
        T? taken = default;
        return Give(subscription.TryDequeue(ref taken), ref taken, out message);
    }

    /// <summary>Takes and consumes the most urgent lane's next message, if any lane has one. Never waits.</summary>
    /// <inheritdoc cref="TryDequeue{T}(Subscription{T}, out T)"/>
    public static bool TryDequeue<T>(this LaneSubscription<T> subscription, [MaybeNullWhen(false)] out T message)
        where T : IPackable<T>
    {
        ArgumentNullException.ThrowIfNull(subscription);
        T? taken = default;
        return Give(subscription.TryDequeue(ref taken), ref taken, out message);
    }

    /// <summary>Takes and consumes the next message of the default subscription, waiting for so long until there is one.</summary>
    /// <param name="queue">Whose subscription <c>default</c> is consumed.</param>
    /// <param name="message">A new instance; null (for a struct its default) where false is returned.</param>
    /// <param name="timeout">Zero does not wait; <see cref="Timeout.InfiniteTimeSpan"/> waits for ever.</param>
    /// <param name="cancellationToken">Ends the wait.</param>
    /// <inheritdoc cref="Dequeue{T}(Subscription{T}, out T, TimeSpan, CancellationToken)"/>
    public static bool Dequeue<T>(
        this MappedQueue<T> queue, [MaybeNullWhen(false)] out T message, TimeSpan timeout, CancellationToken cancellationToken = default)
        where T : IPackable<T>
    {
        ArgumentNullException.ThrowIfNull(queue);
        return queue.Default.Dequeue(out message, timeout, cancellationToken);
    }

    /// <summary>Takes and consumes the next message, waiting for so long until there is one.</summary>
    /// <param name="subscription">What is consumed.</param>
    /// <param name="message">A new instance; null (for a struct its default) where false is returned.</param>
    /// <param name="timeout">Zero does not wait; <see cref="Timeout.InfiniteTimeSpan"/> waits for ever.</param>
    /// <param name="cancellationToken">Ends the wait.</param>
    /// <returns>false when the time was over before there was one.</returns>
    /// <exception cref="OperationCanceledException">The token was cancelled; no message was taken.</exception>
    /// <exception cref="ArgumentOutOfRangeException">The time is negative, and not infinite.</exception>
    /// <inheritdoc cref="TryDequeue{T}(Subscription{T}, out T)"/>
    public static bool Dequeue<T>(
        this Subscription<T> subscription, [MaybeNullWhen(false)] out T message, TimeSpan timeout,
        CancellationToken cancellationToken = default)
        where T : IPackable<T>
    {
        ArgumentNullException.ThrowIfNull(subscription);
        T? taken = default;
        return Give(subscription.Dequeue(ref taken, timeout, cancellationToken), ref taken, out message);
    }

    // Where another consumer was faster the message may have been unpacked already, and is not given.
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static bool Give<T>(bool isTaken, ref T? taken, [MaybeNullWhen(false)] out T message)
    {
        message = isTaken ? taken! : default;
        return isTaken;
    }
}
