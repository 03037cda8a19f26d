using System.IO.Pipelines;

namespace BlitQueue;

/// <summary>Packs messages into a pipe, each behind its length, directly into the pipe's memory.</summary>
internal sealed class FrameWriter(PipeWriter destination, PackStreamOptions options) : IBufferWriter<byte>
{
    // The memory that the pipe gave last: the length is known only when the message is packed behind it.
    private Memory<byte> _room;

    /// <summary>How many bytes were written and not flushed.</summary>
    public long Unflushed { get; private set; }

    /// <summary>Packs one message. If that fails, the pipe gets nothing.</summary>
    public void Write<T>(T? value)
        where T : IPackable<T> => Packer.Pack(this, in value);

    public void WriteEndMark()
    {
        BinaryPrimitives.WriteUInt32LittleEndian(destination.GetSpan(FrameFormat.HeaderSize), FrameFormat.EndMark);
        Hand(FrameFormat.HeaderSize);
    }

    /// <summary>Flushes what was written.</summary>
    /// <exception cref="IOException">The pipe's reader takes no more.</exception>
    public async ValueTask FlushAsync(CancellationToken cancellationToken)
    {
        Unflushed = 0;
        FlushResult result = await destination.FlushAsync(cancellationToken).ConfigureAwait(false);
        if (result.IsCanceled)
        {
            throw new OperationCanceledException("The flush of the pipe was cancelled: what was written may not have been handed on yet.");
        }
        if (result.IsCompleted)
        {
            throw new IOException("The pipe's reader has completed, so what was written has no taker.");
        }
    }

    public Memory<byte> GetMemory(int sizeHint = 0)
    {
        RequireLength(sizeHint);
        _room = destination.GetMemory(FrameFormat.HeaderSize + Math.Max(sizeHint, 1));
        return _room[FrameFormat.HeaderSize..];
    }

    public Span<byte> GetSpan(int sizeHint = 0) => GetMemory(sizeHint).Span;

    public void Advance(int count)
    {
        RequireLength(count);
        BinaryPrimitives.WriteUInt32LittleEndian(_room.Span, (uint)count);
        Hand(FrameFormat.HeaderSize + count);
    }

    private void Hand(int bytes)
    {
        destination.Advance(bytes);
        Unflushed += bytes;
        _room = default;
    }

    private void RequireLength(int bytes)
    {
        if (bytes > options.MaxMessageSize)
        {
            throw FrameFaults.TooLongToWrite(bytes, options.MaxMessageSize);
        }
    }
}
