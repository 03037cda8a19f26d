using System.Buffers;

namespace BlitQueue.RabbitMq;

/// <summary>Writes the bodies of leased messages into a buffer of its own, one after the other.</summary>
internal sealed class BodyWriter<T>(BodyFormat<T>? format)
    where T : IPackable<T>
{
    // A buffer that one huge message has made is not kept for the small ones.
    private const int LongestKept = 1 << 20;

    private ArrayBufferWriter<byte> _body = new();
    private T? _message;

    /// <summary>The body of a message, until the next call. The client copies it into its frames.</summary>
    /// <exception cref="QueueCorruptException">The message is damaged.</exception>
    /// <exception cref="BridgeException">The format cannot write it.</exception>
    public ReadOnlyMemory<byte> Write(Lease<T> lease)
    {
        if (_body.Capacity > LongestKept)
        {
            _body = new ArrayBufferWriter<byte>();
        }
        _body.ResetWrittenCount();
        if (format is null)
        {
            // The bytes in the mapped segment may not be used across an await, so they are copied.
            using LeasedBytes bytes = lease.OpenBytes();
            _body.Write(bytes.Span);
        }
        else
        {
            Write(format, lease);
        }
        return _body.WrittenMemory;
    }

    private void Write(BodyFormat<T> chosen, Lease<T> lease)
    {
        try
        {
            lease.ReadInto(ref _message);
        }
        catch (Exception exception) when (exception is not (QueueException or ObjectDisposedException))
        {
            // A setter or a callback of the type may throw anything.
            throw Unwritable(chosen, exception);
        }
        try
        {
            chosen.Write(_body, _message!);
        }
        catch (Exception exception)
        {
            // So may a getter, and a format that is not ours, which may use queues of its own.
            throw Unwritable(chosen, exception);
        }
    }

    private static BridgeException Unwritable(BodyFormat<T> chosen, Exception exception) => new(
        BridgeProblem.UnreadableMessage,
        $"It cannot be written as {chosen.ContentType}: {exception.GetType().Name}: {exception.Message}", exception);
}
