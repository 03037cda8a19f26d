namespace BlitQueue.Bench.Links;

/// <summary>Appends rows.</summary>
internal readonly struct SqliteSender(string place, int size) : ISender
{
    private readonly SqliteStore _store = new(place, size, durable: false);

    public void Send(long number) => _store.Append(number);

    public void Dispose() => _store.Dispose();
}
