using BlitQueue.Memory;

namespace BlitQueue.Log;

/// <summary>
/// Checks now and then whether a copy or a snapshot shares the blocks that an open queue writes to; if so, gives the queue blocks of its
/// own.
/// </summary>
internal sealed class PrivateBlockWatch : IDisposable
{
    /// <summary>The time between two looks.</summary>
    public static readonly TimeSpan Pause = TimeSpan.FromMilliseconds(100);

    // How many subscriptions one look checks; if there are more, the next look goes on with the others.
    private const int MostAtOnce = 64;

    private readonly QueueStore _store;
    private readonly Timer? _timer;
    // The files of the store that the queue is in; null if it is in none.
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

    // The words come first: without them no consumer can consume, and so make room.
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

    // The segments that are written next: the log's last one, and those that are allocated in advance. Each as a whole: XFS caches several
    // blocks as one unit, and a write to one of them needs room for all.
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
