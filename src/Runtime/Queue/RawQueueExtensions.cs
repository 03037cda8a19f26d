using BlitQueue.Memory;

namespace BlitQueue;

/// <summary>Enqueues spans to a queue of raw bytes: copied once, into the mapped segment.</summary>
/// <example>
/// <code>
/// using var frames = MappedQueue&lt;RawMessage&gt;.Open("frames");
/// frames.Enqueue("hello"u8);
/// </code>
/// </example>
public static class RawQueueExtensions
{
    [ThreadStatic]
    private static RawMessage? Spare;

    /// <summary>Appends a message of these bytes; as <see cref="MappedQueue{T}.Enqueue(in T, CancellationToken)"/>.</summary>
    /// <param name="queue">The queue.</param>
    /// <param name="message">Any number of bytes; none is a message too.</param>
    /// <param name="cancellationToken">Ends the waits for room and for the append lock; nothing was enqueued then.</param>
    /// <returns>Where the message stands.</returns>
    /// <inheritdoc cref="MappedQueue{T}.Enqueue(in T, CancellationToken)" path="/exception"/>
    public static QueuePosition Enqueue(
        this MappedQueue<RawMessage> queue, ReadOnlySpan<byte> message, CancellationToken cancellationToken = default)
    {
        ArgumentNullException.ThrowIfNull(queue);
        return BorrowedBytes.Lend(
            message, (queue, cancellationToken), static (bytes, target) => Append(bytes, target.queue, target.cancellationToken));
    }

    /// <summary>Appends a message of these bytes, but never waits for room; as <see cref="MappedQueue{T}.TryEnqueue(in T)"/>.</summary>
    /// <param name="queue">The queue.</param>
    /// <param name="message">Any number of bytes; none is a message too.</param>
    /// <returns>false when the queue is full: nothing was enqueued.</returns>
    /// <inheritdoc cref="MappedQueue{T}.TryEnqueue(in T)" path="/exception"/>
    public static bool TryEnqueue(this MappedQueue<RawMessage> queue, ReadOnlySpan<byte> message)
    {
        ArgumentNullException.ThrowIfNull(queue);
        return BorrowedBytes.Lend(message, queue, static (bytes, queue) => Append(bytes, queue, cancellationToken: null)) != default;
    }

    // Without a token it does not wait, and says default where there is no room.
    private static QueuePosition Append(BorrowedBytes bytes, MappedQueue<RawMessage> queue, CancellationToken? cancellationToken)
    {
        RawMessage message = Spare ?? new RawMessage();
        Spare = null;
        message.StandFor(bytes);
        try
        {
            if (cancellationToken is { } token)
            {
                return queue.Enqueue(in message, token);
            }
            queue.TryEnqueue(in message, out QueuePosition position);
            return position;
        }
        finally
        {
            message.StandFor(default);
            Spare = message;
        }
    }
}
