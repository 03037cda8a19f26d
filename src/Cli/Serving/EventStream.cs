namespace BlitQueue.Cli.Serving;

/// <summary>The events of one open page. A page that is too slow misses some events, and gets the latest.</summary>
/// <param name="queue">The queue that is open in the page; null for none.</param>
/// <param name="subscription">The subscription whose messages it shows; null for the last messages of all.</param>
internal sealed class EventStream(string? queue, string? subscription)
{
    private readonly Lock _gate = new();

    // Never disposed: the sampler's thread may still offer an event when the page is closed.
    private readonly SemaphoreSlim _news = new(0);
    private byte[]? _next;
    private bool _hasBegun;

    public string? Queue => queue;

    public string? Subscription => subscription;

    /// <summary>Whether it was given no event yet. The first one is always sent.</summary>
    public bool IsFresh { get; private set; } = true;

    /// <summary>Sets the event to send next.</summary>
    public void Offer(byte[] events)
    {
        lock (_gate)
        {
            if (_next is not null && !_hasBegun)
            {
                return;
            }
            if (_next is null)
            {
                _news.Release();
            }
            (_next, IsFresh) = (events, false);
        }
    }

    /// <summary>Sends, until the page is closed or the server stops.</summary>
    /// <exception cref="OperationCanceledException">The server stops.</exception>
    public async Task CopyToAsync(Stream output, CancellationToken stop)
    {
        for (; ; )
        {
            await _news.WaitAsync(stop).ConfigureAwait(false);
            byte[] events;
            lock (_gate)
            {
                (events, _next, _hasBegun) = (_next!, null, true);
            }
            await output.WriteAsync(events, stop).ConfigureAwait(false);
            await output.FlushAsync(stop).ConfigureAwait(false);
        }
    }
}
