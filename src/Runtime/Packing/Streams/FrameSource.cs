namespace BlitQueue;

/// <summary>Reads frames one after the other, each of them whole. It reads no bytes behind a frame.</summary>
internal abstract class FrameSource(PackStreamOptions options) : IDisposable
{
    /// <summary>Where the current frame begins, counted from where reading began.</summary>
    public long Offset { get; private set; }

    /// <summary>How many messages were skipped.</summary>
    public long Messages { get; private set; }

    /// <summary>The current message, until <see cref="Skip"/>.</summary>
    public ReadOnlySequence<byte> Message { get; protected set; }

    /// <summary>Reads the next frame. The caller skips a message before it asks for the next one.</summary>
    /// <exception cref="PackException">The frame is too long, or cut off.</exception>
    public abstract ValueTask<FrameKind> NextAsync(CancellationToken cancellationToken);

    /// <summary>Ends the use of the current message.</summary>
    public virtual void Skip()
    {
        Offset += FrameFormat.HeaderSize + Message.Length;
        Messages++;
        Message = default;
    }

    /// <summary>Gives the buffers back. The stream or pipe stays open.</summary>
    public virtual void Dispose()
    {
    }

    /// <summary>Reads the beginning of a frame.</summary>
    /// <param name="header">Its first four bytes.</param>
    /// <param name="length">How long the message is.</param>
    /// <returns>A message, or the end mark.</returns>
    protected FrameKind ReadHeader(ReadOnlySpan<byte> header, out int length)
    {
        uint announced = BinaryPrimitives.ReadUInt32LittleEndian(header);
        length = 0;
        if (announced == FrameFormat.EndMark)
        {
            return FrameKind.EndMark;
        }
        if (announced > options.MaxMessageSize)
        {
            throw FrameFaults.TooLong(Offset, announced, options.MaxMessageSize);
        }
        length = (int)announced;
        return FrameKind.Message;
    }
}
