namespace BlitQueue.Bench.Links;

/// <summary>Spins until the word changes: one cache line goes from one processor to the other.</summary>
internal unsafe struct WordReceiver(string place) : IReceiver
{
    private readonly SharedBytes _shared = new(place, WordSender.FileSize);
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
