using System.Buffers;
using System.Buffers.Binary;

namespace BlitQueue;

/// <summary>Frames one after the other, each whole before it is looked at. No more is read than they have.</summary>
internal abstract class FrameSource(PackStreamOptions options) : IDisposable
{
    /// <summary>Where the frame at hand begins, from where reading began.</summary>
    public long Offset { get; private set; }

    /// <summary>How many messages were passed over.</summary>
    public long Messages { get; private set; }

    /// <summary>The message at hand, until <see cref="Skip"/>.</summary>
    public ReadOnlySequence<byte> Message { get; protected set; }

    /// <summary>Reads the next frame. A message is to be passed over before the one behind it is asked for.</summary>
    /// <exception cref="PackException">It is too long, or cut off.</exception>
    public abstract ValueTask<FrameKind> NextAsync(CancellationToken cancellationToken);

    /// <summary>Ends the use of the message at hand.</summary>
    public virtual void Skip()
    {
        Offset += FrameFormat.HeaderSize + Message.Length;
        Messages++;
        Message = default;
    }

    /// <summary>Gives back what reading took. The stream or pipe stays open.</summary>
    public virtual void Dispose()
    {
    }

    /// <summary>What a frame begins with.</summary>
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
