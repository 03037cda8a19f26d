namespace BlitQueue.Tests.Processes;

/// <summary>A service whose client and server are generated.</summary>
[QueueService]
public partial interface IPricing
{
    ValueTask<SharedBlockText> Quote(SharedBlockText symbol, CancellationToken cancellationToken = default);

    ValueTask<SharedBlockText> Best();

    ValueTask Forget(SharedBlockText symbol);

    [OneWay]
    ValueTask Note(SharedBlockText symbol, CancellationToken cancellationToken = default);

    IAsyncEnumerable<SharedBlockText> Follow(SharedBlockText symbol, CancellationToken cancellationToken = default);
}
