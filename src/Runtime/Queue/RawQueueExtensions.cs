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

    /// <summary>Appends a message of these bytes; as <see cref="MappedQueue{T}.Enqueue(in T)"/>.</summary>
    /// <param name="queue">The queue.</param>
    /// <param name="message">Any number of bytes; none is a message too.</param>
    public static void Enqueue(this MappedQueue<RawMessage> queue, ReadOnlySpan<byte> message)
    {
        ArgumentNullException.ThrowIfNull(queue);
        BorrowedBytes.Lend(message, queue, static (bytes, queue) => Append(bytes, queue, waits: true));
    }

    /// <summary>Appends a message of these bytes, but never waits for room; as <see cref="MappedQueue{T}.TryEnqueue(in T)"/>.</summary>
    /// <param name="queue">The queue.</param>
    /// <param name="message">Any number of bytes; none is a message too.</param>
    /// <returns>false when the queue is full: nothing was enqueued.</returns>
    public static bool TryEnqueue(this MappedQueue<RawMessage> queue, ReadOnlySpan<byte> message)
    {
        ArgumentNullException.ThrowIfNull(queue);
        return BorrowedBytes.Lend(message, queue, static (bytes, queue) => Append(bytes, queue, waits: false));
    }

    private static bool Append(BorrowedBytes bytes, MappedQueue<RawMessage> queue, bool waits)
    {
        RawMessage message = Spare ?? new RawMessage();
        Spare = null;
        message.StandFor(bytes);
        try
        {
            if (waits)
            {
                queue.Enqueue(in message);
                return true;
            }
            return queue.TryEnqueue(in message);
        }
        finally
        {
            message.StandFor(default);
            Spare = message;
        }
    }
}
