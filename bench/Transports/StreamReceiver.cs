using BlitQueue.Bench.Messages;

namespace BlitQueue.Bench.Links;

/// <summary>Reads as much as the stream has, so that only the sender pays a system call for each message.</summary>
internal struct StreamReceiver<TEnd>(TEnd end, int size) : IReceiver where TEnd : struct, IByteEnd
{
    private readonly byte[] _buffer = new byte[Math.Max(64 * 1024, 2 * size)];
    private int _start;
    private int _end;

    public long Receive()
    {
        while (_end - _start < size)
        {
            Fill();
        }
        long number = Pattern.Check(_buffer.AsSpan(_start, size));
        _start += size;
        return number;
    }

    public readonly void Dispose() => end.Dispose();

    private void Fill()
    {
        _buffer.AsSpan(_start, _end - _start).CopyTo(_buffer);
        _end -= _start;
        _start = 0;
        int got = end.Read(_buffer.AsSpan(_end));
        if (got == 0)
        {
            throw new EndOfStreamException("The other process has gone.");
        }
        _end += got;
    }
}
