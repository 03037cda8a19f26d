namespace BlitQueue.Bench.Links;

/// <summary>Stores a number in a word of a mapped file.</summary>
internal readonly unsafe struct WordSender(string place) : ISender
{
    /// <summary>Bytes of the file.</summary>
    public const long FileSize = 4096;

    private readonly SharedBytes _shared = new(place, FileSize);

    // Zero says that nothing was sent yet.
    public void Send(long number) => Volatile.Write(ref *(long*)_shared.Start, number + 2);

    public void Dispose() => _shared.Dispose();
}
