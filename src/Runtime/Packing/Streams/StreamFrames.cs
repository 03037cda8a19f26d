using BlitQueue.Memory;

namespace BlitQueue;

/// <summary>
/// Frames of a stream, which is right behind the last frame afterwards. A message's memory grows with the bytes that have arrived, to at
/// most twice as many, whatever length was announced.
/// </summary>
internal sealed class StreamFrames(Stream source, PackStreamOptions options) : FrameSource(options)
{
    private const int FirstRoom = 16 * 1024;

    private ScratchBytes _bytes = ScratchBytes.Rent(FirstRoom);

    public override async ValueTask<FrameKind> NextAsync(CancellationToken cancellationToken)
    {
        int read = await ReadAsync(_bytes.Memory[..FrameFormat.HeaderSize], cancellationToken).ConfigureAwait(false);
        if (read == 0)
        {
            return FrameKind.EndOfStream;
        }
        if (read < FrameFormat.HeaderSize)
        {
            throw FrameFaults.CutOffLength(Offset, read);
        }
        FrameKind kind = ReadHeader(_bytes.Memory.Span[..FrameFormat.HeaderSize], out int length);
        if (kind == FrameKind.Message)
        {
            await ReadMessageAsync(length, cancellationToken).ConfigureAwait(false);
        }
        return kind;
    }

    public override void Dispose() => ((IDisposable)_bytes).Dispose();

    private async ValueTask ReadMessageAsync(int length, CancellationToken cancellationToken)
    {
        int there = 0;
        while (there < length)
        {
            if (there == _bytes.Length)
            {
                Grow((int)Math.Min(length, 2L * there));
            }
            int wanted = Math.Min(length, _bytes.Length) - there;
            int read = await ReadAsync(_bytes.Memory.Slice(there, wanted), cancellationToken).ConfigureAwait(false);
            there += read;
            if (read < wanted)
            {
                throw FrameFaults.CutOff(Offset, there, length);
            }
        }
        Message = new ReadOnlySequence<byte>(_bytes.Memory[..length]);
    }

    private ValueTask<int> ReadAsync(Memory<byte> room, CancellationToken cancellationToken)
        => source.ReadAtLeastAsync(room, room.Length, throwOnEndOfStream: false, cancellationToken);

    private void Grow(int length)
    {
        if (!_bytes.TryGrow(length))
        {
            var longer = ScratchBytes.Rent(length);
            _bytes.Memory.CopyTo(longer.Memory);
            Dispose();
            _bytes = longer;
        }
    }
}
