namespace BlitQueue;

public sealed partial class MappedQueue<T>
{
    /// <summary>Appends a message with properties, which stand beside it: its own bytes are the same as without.</summary>
    /// <param name="message">The message.</param>
    /// <param name="properties">Written before the call returns; what is not set costs nothing.</param>
    /// <param name="cancellationToken">Ends the waits for room and for the append lock; nothing was enqueued then.</param>
    /// <exception cref="ArgumentException">
    /// As for <see cref="Enqueue(in T, CancellationToken)"/>; or the properties take more than 32 KiB, or a header's value is null.
    /// </exception>
    /// <inheritdoc cref="Enqueue(in T, CancellationToken)"/>
    public QueuePosition Enqueue(in T message, MessageProperties properties, CancellationToken cancellationToken = default)
    {
        ArgumentNullException.ThrowIfNull(properties);
        return new(_producer.Enqueue(in message, properties, durability: null, cancellationToken));
    }

    /// <summary>Like <see cref="Enqueue(in T, MessageProperties, CancellationToken)"/>, but never waits for room.</summary>
    /// <param name="message">The message.</param>
    /// <param name="properties">Written before the call returns.</param>
    /// <exception cref="ArgumentException">As for <see cref="Enqueue(in T, MessageProperties, CancellationToken)"/>.</exception>
    /// <inheritdoc cref="TryEnqueue(in T)"/>
    public bool TryEnqueue(in T message, MessageProperties properties)
    {
        ArgumentNullException.ThrowIfNull(properties);
        return _producer.TryEnqueue(in message, properties) >= 0;
    }

    /// <summary>Appends messages that become visible together or not at all, all with the same properties.</summary>
    /// <param name="messages">Any number; none does nothing.</param>
    /// <param name="properties">Written in front of each message.</param>
    /// <param name="cancellationToken">Ends the waits for room and for the append lock; nothing was enqueued then.</param>
    /// <exception cref="ArgumentException">
    /// As for <see cref="EnqueueBatch(ReadOnlySpan{T}, CancellationToken)"/> and
    /// <see cref="Enqueue(in T, MessageProperties, CancellationToken)"/>.
    /// </exception>
    /// <inheritdoc cref="EnqueueBatch(ReadOnlySpan{T}, CancellationToken)"/>
    public QueuePosition EnqueueBatch(
        ReadOnlySpan<T> messages, MessageProperties properties, CancellationToken cancellationToken = default)
    {
        ArgumentNullException.ThrowIfNull(properties);
        return new(_producer.EnqueueBatch(messages, properties, cancellationToken));
    }

    /// <summary>Appends a message with properties, waiting without a thread where the capacity leaves no room.</summary>
    /// <param name="message">Packed before the call returns.</param>
    /// <param name="properties">Written before the call returns.</param>
    /// <param name="cancellationToken">Ends the wait; nothing was enqueued then.</param>
    /// <exception cref="ArgumentException">As for <see cref="Enqueue(in T, MessageProperties, CancellationToken)"/>.</exception>
    /// <inheritdoc cref="EnqueueAsync(T, CancellationToken)"/>
    [OverloadResolutionPriority(-1)]
    public ValueTask<QueuePosition> EnqueueAsync(T message, MessageProperties properties, CancellationToken cancellationToken = default)
    {
        ArgumentNullException.ThrowIfNull(properties);
        return _producer.EnqueueAsync(new ReadOnlySpan<T>(in message), cancellationToken, properties);
    }

    /// <summary>
    /// Appends messages that become visible together or not at all, all with the same properties; waits without a thread.
    /// </summary>
    /// <param name="messages">Any number; none does nothing. Packed before the call returns.</param>
    /// <param name="properties">Written in front of each message, before the call returns.</param>
    /// <param name="cancellationToken">Ends the wait; nothing was enqueued then.</param>
    /// <exception cref="ArgumentException">
    /// As for <see cref="EnqueueBatch(ReadOnlySpan{T}, MessageProperties, CancellationToken)"/>.
    /// </exception>
    /// <inheritdoc cref="EnqueueBatchAsync(ReadOnlySpan{T}, CancellationToken)"/>
    [OverloadResolutionPriority(-1)]
    public ValueTask<QueuePosition> EnqueueBatchAsync(
        ReadOnlySpan<T> messages, MessageProperties properties, CancellationToken cancellationToken = default)
    {
        ArgumentNullException.ThrowIfNull(properties);
        return _producer.EnqueueAsync(messages, cancellationToken, properties);
    }

    /// <summary>
    /// Takes and consumes the next message of the default subscription with its properties, if there is one. Never waits.
    /// </summary>
    /// <inheritdoc cref="Subscription{T}.TryDequeue(ref T, MessageProperties)"/>
    public bool TryDequeue([NotNullWhen(true)] ref T? message, MessageProperties properties) =>
        Default.TryDequeue(ref message, properties);

    /// <summary>Takes and consumes the next message of the default subscription with its properties, waiting until there is one.</summary>
    /// <inheritdoc cref="Subscription{T}.Dequeue(ref T, MessageProperties, CancellationToken)"/>
    [OverloadResolutionPriority(-1)]
    public void Dequeue([NotNull] ref T? message, MessageProperties properties, CancellationToken cancellationToken = default) =>
        Default.Dequeue(ref message, properties, cancellationToken);

    /// <summary>Takes the next message of the default subscription with its properties, waiting for so long until there is one.</summary>
    /// <inheritdoc cref="Subscription{T}.Dequeue(ref T, MessageProperties, TimeSpan, CancellationToken)"/>
    [OverloadResolutionPriority(-1)]
    public bool Dequeue(
        [NotNullWhen(true)] ref T? message, MessageProperties properties, TimeSpan timeout,
        CancellationToken cancellationToken = default) =>
        Default.Dequeue(ref message, properties, timeout, cancellationToken);

    /// <summary>Takes and consumes the next message of the default subscription with its properties, waiting without a thread.</summary>
    /// <inheritdoc cref="Subscription{T}.DequeueAsync(T, MessageProperties, CancellationToken)"/>
    [OverloadResolutionPriority(-1)]
    public ValueTask<T> DequeueAsync(T? reuse, MessageProperties properties, CancellationToken cancellationToken = default) =>
        Default.DequeueAsync(reuse, properties, cancellationToken);

    /// <summary>Takes the next message of the default subscription with its properties, waiting for so long until there is one.</summary>
    /// <inheritdoc cref="Subscription{T}.DequeueAsync(T, MessageProperties, TimeSpan, CancellationToken)"/>
    [OverloadResolutionPriority(-1)]
    public ValueTask<MessageOrNone<T>> DequeueAsync(
        T? reuse, MessageProperties properties, TimeSpan timeout, CancellationToken cancellationToken = default) =>
        Default.DequeueAsync(reuse, properties, timeout, cancellationToken);
}
