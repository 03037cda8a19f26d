namespace BlitQueue.Bench.Links;

/// <summary>Takes rows, looking for the next one without pause: SQLite wakes nobody.</summary>
internal readonly struct SqliteReceiver(string place, int size) : IReceiver
{
    private readonly SqliteStore _store = new(place, size, durable: false);

    public long Receive()
    {
        long? number;
        while ((number = _store.Take()) is null)
        {
            Thread.Yield();
        }
        return number.Value;
    }

    public void Dispose() => _store.Dispose();
}
