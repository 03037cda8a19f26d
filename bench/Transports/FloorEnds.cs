using BlitQueue.Bench.Measuring;

namespace BlitQueue.Bench.Transports;

/// <summary>Stores a number in a word of a mapped file.</summary>
internal readonly unsafe struct WordSender(string path) : ISender
{
    /// <summary>Bytes of the file.</summary>
    public const long FileSize = 4096;

    private readonly SharedBytes _shared = new(path, FileSize);

    // Zero says that nothing was sent yet.
    public void Send(long number) => Volatile.Write(ref *(long*)_shared.Start, number + 2);

    public void Dispose() => _shared.Dispose();
}

/// <summary>Spins until the word changes: one cache line goes from one processor to the other.</summary>
internal unsafe struct WordReceiver(string path) : IReceiver
{
    private readonly SharedBytes _shared = new(path, WordSender.FileSize);
    private long _last;

    public long Receive()
    {
        long word;
        while ((word = Volatile.Read(ref *(long*)_shared.Start)) == _last)
        {
        }
        _last = word;
        return word - 2;
    }

    public readonly void Dispose() => _shared.Dispose();
}

/// <summary>Sends nothing: what is measured of it is the machine.</summary>
internal readonly struct NullSender : ISender
{
    public void Send(long number)
    {
    }

    public void Dispose()
    {
    }
}

/// <summary>The other end where there is no receiver.</summary>
internal readonly struct NullReceiver : IReceiver
{
    public long Receive() => Numbers.End;

    public void Dispose()
    {
    }
}
