using BlitQueue.Memory;

namespace BlitQueue.Log;

/// <summary>
/// Looks now and then whether a copy or a snapshot has taken a share in the blocks that an open queue writes to, and takes them back.
/// </summary>
internal sealed class PrivateBlockWatch : IDisposable
{
    /// <summary>From one look to the next.</summary>
    public static readonly TimeSpan Pause = TimeSpan.FromMilliseconds(100);

    // Of subscriptions: with more of them each look takes the next ones.
    private const int MostAtOnce = 64;

    private readonly QueueStore _store;
    private readonly Timer? _timer;
    // Where the store is whose transactions the queue takes part in, if it is in one.
    private readonly QueueFiles? _above;
    private int _round;

    public PrivateBlockWatch(QueueStore store)
    {
        _store = store;
        if (store.Files.Medium.SharesBlocks)
        {
            _above = QueueLocation.Of(store.Files.Directory).Above is { } directory ? new QueueFiles(directory, store.Files.Mode) : null;
            _timer = new Timer(static self => ((PrivateBlockWatch)self!).Look(), this, Timeout.InfiniteTimeSpan, Timeout.InfiniteTimeSpan);
            _timer.Change(Pause, Timeout.InfiniteTimeSpan);
        }
    }

    private void Look()
    {
        try
        {
            using CallGate.Call call = _store.Gate.Enter();
            LookAtWords();
            LookAtLog();
        }
        catch (ObjectDisposedException)
        {
            return;
        }
        catch (Exception exception) when (exception is QueueException or IOException or UnauthorizedAccessException)
        {
            // The next call that uses the file reports it.
        }
        try
        {
            _timer!.Change(Pause, Timeout.InfiniteTimeSpan);
        }
        catch (ObjectDisposedException)
        {
        }
    }

    // First: without them nobody can consume what is there, and so make room.
    private void LookAtWords()
    {
        PrivateBlocks.TryMakePrivate(_store.Files, StoreFormat.ControlName);
        if (_above is not null && MachineMemory.Load(ref _store.Control.InStore) != 0)
        {
            PrivateBlocks.TryMakePrivate(_above, TransactionFormat.FileName);
        }
        SubscriptionFile[] all = _store.Subscriptions.All();
        for (int i = 0; i < Math.Min(all.Length, MostAtOnce); i++)
        {
            PrivateBlocks.TryMakePrivate(_store.Files, StoreFormat.SubscriptionName(all[_round++ % all.Length].Name));
        }
        _round = all.Length == 0 ? 0 : _round % all.Length;
    }

    // What is written next: the segment that the log ends in, and those that are ready. All of each: XFS keeps several blocks in one piece
    // of its cache, and to write to one of them takes room for all.
    private void LookAtLog()
    {
        QueueMeta meta = _store.Meta;
        long tail = MachineMemory.Load(ref _store.Control.Tail), ready = MachineMemory.Load(ref _store.Control.AllocatedEnd);
        long first = tail / meta.SegmentSize;
        for (long index = first; index < Math.Max(ready, first + 1) && index <= first + MostAtOnce; index++)
        {
            PrivateBlocks.TryMakePrivate(_store.Files, StoreFormat.SegmentName(index * meta.SegmentSize));
        }
    }

    public void Dispose() => _timer?.Dispose();
}
