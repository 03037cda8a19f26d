using System.Threading.Channels;

namespace BlitQueue;

public sealed partial class MappedQueue<T>
{
    /// <summary>Appends a message, waiting without a thread where the capacity leaves no room.</summary>
    /// <param name="message">
    /// Packed before the call returns, so it may be changed while the task is still under way.
    /// </param>
    /// <param name="cancellationToken">
    /// Ends the wait; nothing was enqueued then. Once the message is enqueued, and only the disk is waited
    /// for, the token is not looked at any more.
    /// </param>
    /// <returns>
    /// Where the message stands; completed already when there was room. When the task has ended, every process sees the whole message; if
    /// it ended with an exception, no process ever sees it.
    /// </returns>
    /// <remarks>
    /// Like <see cref="Enqueue(in T, CancellationToken)"/> it waits microseconds for the append lock on the calling thread; if the holder
    /// of the append lock does not run, it occupies the thread for a millisecond or two at a time and tries again later. Files are made on
    /// the thread pool. Calls that are not awaited keep their order: behind one that waits, the later calls of this handle wait too.
    /// </remarks>
    /// <exception cref="OperationCanceledException">The token was cancelled; nothing was enqueued.</exception>
    /// <exception cref="ObjectDisposedException">The queue was disposed, possibly during the wait.</exception>
    /// <inheritdoc cref="Enqueue(in T, CancellationToken)"/>
    public ValueTask<QueuePosition> EnqueueAsync(T message, CancellationToken cancellationToken = default) =>
        _producer.EnqueueAsync(new ReadOnlySpan<T>(in message), cancellationToken);

    /// <summary>
    /// Appends messages that become visible together, or not at all, even if a process dies in the middle; waits without a thread where the
    /// capacity leaves no room for all of them.
    /// </summary>
    /// <param name="messages">Any number; none does nothing. Packed before the call returns.</param>
    /// <param name="cancellationToken">Ends the wait; nothing was enqueued then.</param>
    /// <returns>
    /// Where the first message stands (<c>default</c>, which is no message's, where there are none); completed already when there was room.
    /// </returns>
    /// <exception cref="OperationCanceledException">The token was cancelled; nothing was enqueued.</exception>
    /// <exception cref="ObjectDisposedException">The queue was disposed, possibly during the wait.</exception>
    /// <inheritdoc cref="EnqueueBatch(ReadOnlySpan{T}, CancellationToken)"/>
    public ValueTask<QueuePosition> EnqueueBatchAsync(ReadOnlySpan<T> messages, CancellationToken cancellationToken = default) =>
        _producer.EnqueueAsync(messages, cancellationToken);

    /// <summary>Takes and consumes the next message of the default subscription, waiting without a thread until there is one.</summary>
    /// <inheritdoc cref="Subscription{T}.DequeueAsync(CancellationToken)"/>
    [OverloadResolutionPriority(1)]
    public ValueTask<T> DequeueAsync(CancellationToken cancellationToken = default) => Default.DequeueAsync(cancellationToken);

    /// <summary>
    /// Takes and consumes the next message of the default subscription into an instance, waiting without a thread until there is one.
    /// </summary>
    /// <inheritdoc cref="Subscription{T}.DequeueAsync(T, CancellationToken)"/>
    public ValueTask<T> DequeueAsync(T? reuse, CancellationToken cancellationToken = default) =>
        Default.DequeueAsync(reuse, cancellationToken);

    /// <summary>Takes and consumes the next message of the default subscription, waiting for so long until there is one.</summary>
    /// <inheritdoc cref="Subscription{T}.DequeueAsync(TimeSpan, CancellationToken)"/>
    [OverloadResolutionPriority(-1)]
    public ValueTask<MessageOrNone<T>> DequeueAsync(TimeSpan timeout, CancellationToken cancellationToken = default) =>
        Default.DequeueAsync(timeout, cancellationToken);

    /// <summary>Takes the next message of the default subscription into an instance, waiting for so long until there is one.</summary>
    /// <inheritdoc cref="Subscription{T}.DequeueAsync(T, TimeSpan, CancellationToken)"/>
    [OverloadResolutionPriority(-1)]
    public ValueTask<MessageOrNone<T>> DequeueAsync(T? reuse, TimeSpan timeout, CancellationToken cancellationToken = default) =>
        Default.DequeueAsync(reuse, timeout, cancellationToken);

    /// <summary>Takes and consumes one message of the default subscription after the other, for <c>await foreach</c>.</summary>
    /// <inheritdoc cref="Subscription{T}.ReadAllAsync"/>
    public IAsyncEnumerable<T> ReadAllAsync(CancellationToken cancellationToken = default) => Default.ReadAllAsync(cancellationToken);

    /// <summary>Takes one message of the default subscription after the other without consuming it, for <c>await foreach</c>.</summary>
    /// <inheritdoc cref="Subscription{T}.ReceiveAllAsync"/>
    public IAsyncEnumerable<Lease<T>> ReceiveAllAsync(CancellationToken cancellationToken = default) =>
        Default.ReceiveAllAsync(cancellationToken);

    /// <summary>Takes message after message of the default subscription and has each handled.</summary>
    /// <exception cref="QueueException">
    /// The queue has no default subscription, or it was deleted, or another consumer has it for itself alone.
    /// </exception>
    /// <inheritdoc cref="Subscription{T}.ProcessAsync"/>
    public Task ProcessAsync(
        Func<T, CancellationToken, ValueTask> handler, ProcessOptions? options = null, CancellationToken cancellationToken = default) =>
        Default.ProcessAsync(handler, options, cancellationToken);

    /// <summary>The default subscription as a channel's reading end; see <see cref="Subscription{T}.AsChannelReader"/>.</summary>
    public ChannelReader<T> AsChannelReader() => Default.AsChannelReader();

    /// <summary>The queue as a channel's writing end, for code that is written for <c>System.Threading.Channels</c>.</summary>
    /// <returns>
    /// A writer that appends to the queue. <see cref="ChannelWriter{T}.TryWrite"/> is false when there is no room within the capacity or on
    /// the disk. Completing it ends this writer alone: other producers go on, and readers hear nothing of it. After the queue was disposed
    /// its calls throw <see cref="ObjectDisposedException"/>.
    /// </returns>
    public ChannelWriter<T> AsChannelWriter() => new QueueChannelWriter<T>(_producer);
}
