using System.Runtime.CompilerServices;

namespace BlitQueue;

public sealed partial class MappedQueue<T>
{
    /// <summary>Appends a message with properties, which stand beside it: its own bytes are the same as without.</summary>
    /// <param name="message">The message.</param>
    /// <param name="properties">Written before the call returns; what is not set costs nothing.</param>
    /// <exception cref="ArgumentNullException">null is not a message.</exception>
    /// <exception cref="QueueFullException">As for <see cref="Enqueue(in T)"/>.</exception>
    /// <exception cref="QueueStalledException">As for <see cref="Enqueue(in T)"/>.</exception>
    /// <exception cref="ArgumentException">
    /// As for <see cref="Enqueue(in T)"/>; or the properties take more than 32 KiB, or a header's value is null.
    /// </exception>
    /// <exception cref="PackException">The message cannot be packed.</exception>
    /// <exception cref="ObjectDisposedException">The queue was disposed.</exception>
    public void Enqueue(in T message, MessageProperties properties) => _producer.Enqueue(in message, properties);

    /// <summary>Like <see cref="Enqueue(in T, MessageProperties)"/>, but never waits for room.</summary>
    /// <param name="message">The message.</param>
    /// <param name="properties">Written before the call returns.</param>
    /// <returns>false when the queue is full: nothing was enqueued.</returns>
    /// <exception cref="QueueStalledException">A process that does not run holds the turn; thrown after at most 50 ms.</exception>
    /// <exception cref="ArgumentNullException">null is not a message.</exception>
    /// <exception cref="ArgumentException">As for <see cref="Enqueue(in T, MessageProperties)"/>.</exception>
    /// <exception cref="PackException">The message cannot be packed.</exception>
    /// <exception cref="ObjectDisposedException">The queue was disposed.</exception>
    public bool TryEnqueue(in T message, MessageProperties properties) => _producer.TryEnqueue(in message, properties);

    /// <summary>Appends messages that become visible together or not at all, all with the same properties.</summary>
    /// <param name="messages">Any number; none does nothing.</param>
    /// <param name="properties">Written in front of each message.</param>
    /// <exception cref="ArgumentNullException">One is null; none was enqueued.</exception>
    /// <exception cref="QueueFullException">As for <see cref="Enqueue(in T)"/>.</exception>
    /// <exception cref="QueueStalledException">As for <see cref="Enqueue(in T)"/>.</exception>
    /// <exception cref="ArgumentException">As for <see cref="EnqueueBatch(ReadOnlySpan{T})"/> and <see cref="Enqueue(in T, MessageProperties)"/>.</exception>
    /// <exception cref="PackException">One cannot be packed; none was enqueued.</exception>
    /// <exception cref="ObjectDisposedException">The queue was disposed.</exception>
    public void EnqueueBatch(ReadOnlySpan<T> messages, MessageProperties properties)
    {
        ArgumentNullException.ThrowIfNull(properties);
        _producer.EnqueueBatch(messages, properties);
    }

    /// <summary>Appends a message with properties, waiting without a thread where the capacity leaves no room.</summary>
    /// <param name="message">Packed before the call returns.</param>
    /// <param name="properties">Written before the call returns.</param>
    /// <param name="ct">Ends the wait; nothing was enqueued then.</param>
    /// <returns>As <see cref="EnqueueAsync(T, CancellationToken)"/>.</returns>
    /// <exception cref="OperationCanceledException">The token was cancelled; nothing was enqueued.</exception>
    /// <exception cref="ArgumentException">As for <see cref="Enqueue(in T, MessageProperties)"/>.</exception>
    /// <exception cref="QueueException">As for <see cref="EnqueueAsync(T, CancellationToken)"/>: full, or stalled.</exception>
    /// <exception cref="PackException">The message cannot be packed.</exception>
    /// <exception cref="ObjectDisposedException">The queue was disposed, possibly during the wait.</exception>
    [OverloadResolutionPriority(-1)]
    public ValueTask EnqueueAsync(T message, MessageProperties properties, CancellationToken ct = default)
    {
        ArgumentNullException.ThrowIfNull(properties);
        return _producer.EnqueueAsync(message, ct, properties);
    }

    /// <summary>Appends messages that become visible together or not at all, all with the same properties; waits without a thread.</summary>
    /// <param name="messages">Any number; none does nothing. Packed before the call returns.</param>
    /// <param name="properties">Written in front of each message, before the call returns.</param>
    /// <param name="ct">Ends the wait; nothing was enqueued then.</param>
    /// <returns>As <see cref="EnqueueBatchAsync(ReadOnlySpan{T}, CancellationToken)"/>.</returns>
    /// <exception cref="OperationCanceledException">The token was cancelled; nothing was enqueued.</exception>
    /// <exception cref="ArgumentException">As for <see cref="EnqueueBatch(ReadOnlySpan{T}, MessageProperties)"/>.</exception>
    /// <exception cref="QueueException">As for <see cref="EnqueueAsync(T, CancellationToken)"/>: full, or stalled.</exception>
    /// <exception cref="PackException">One cannot be packed; none was enqueued.</exception>
    /// <exception cref="ObjectDisposedException">The queue was disposed, possibly during the wait.</exception>
    [OverloadResolutionPriority(-1)]
    public ValueTask EnqueueBatchAsync(ReadOnlySpan<T> messages, MessageProperties properties, CancellationToken ct = default)
    {
        ArgumentNullException.ThrowIfNull(properties);
        return _producer.EnqueueBatchAsync(messages, ct, properties);
    }

    /// <summary>Takes the next message of the default subscription with its properties; see <see cref="Subscription{T}.TryDequeue(ref T, MessageProperties)"/>.</summary>
    public bool TryDequeue(ref T? message, MessageProperties properties) => Default.TryDequeue(ref message, properties);

    /// <summary>Takes the next message of the default subscription with its properties, waiting; see <see cref="Subscription{T}.Dequeue(ref T, MessageProperties, CancellationToken)"/>.</summary>
    [OverloadResolutionPriority(-1)]
    public void Dequeue(ref T? message, MessageProperties properties, CancellationToken ct = default) =>
        Default.Dequeue(ref message, properties, ct);

    /// <summary>
    /// Takes the next message of the default subscription with its properties, waiting without a thread; see
    /// <see cref="Subscription{T}.DequeueAsync(T, MessageProperties, CancellationToken)"/>.
    /// </summary>
    [OverloadResolutionPriority(-1)]
    public ValueTask<T> DequeueAsync(T? reuse, MessageProperties properties, CancellationToken ct = default) =>
        Default.DequeueAsync(reuse, properties, ct);
}
