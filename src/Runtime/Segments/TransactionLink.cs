using BlitQueue.Memory;

namespace BlitQueue.Segments;

/// <summary>
/// How an open queue sees the transactions of the store that it is in, whoever opened it and how: what a dead process had committed is
/// carried out by those it left behind. Costs nothing in a queue that no store has opened yet.
/// </summary>
internal sealed class TransactionLink(QueueFiles files, QueueMeta meta, ControlFile control) : IDisposable
{
    // How long what a dead process had committed may stay unseen by those who look for messages; milliseconds. A transaction that is being
    // carried out all this time is looked after.
    private const int Look = 50;

    // Who is at it already, or stopped, is not waited for.
    private static readonly TimeSpan Patience = TimeSpan.FromMilliseconds(10);

    private readonly Lock _sync = new();
    private TransactionFile? _file;
    private bool _disposed;
    private long _lastLook;
    private long _seen;
    private long _abandoned;

    /// <summary>The store that has opened this handle; null where it was opened by itself.</summary>
    public TransactionStore? Store { get; private set; }

    /// <summary>The queue's name in its store.</summary>
    public string Name { get; } = Path.GetFileName(Path.TrimEndingDirectorySeparator(files.Directory));

    /// <summary>Makes the queue one of a store, for all who have it open.</summary>
    public void Join(TransactionStore store, SubscriptionSet subscriptions)
    {
        Store = store;
        // A full fence: a subscription that is made meanwhile is seen here, or its maker sees the mark.
        MachineMemory.CompareExchange(ref control.InStore, 1, 0);
        subscriptions.LookAround();
    }

    /// <summary>
    /// The header of what a committed transaction sends to this queue, if it stands at the tail; else 0. For the holder of the turn, who
    /// has taken it from the dead.
    /// </summary>
    public long HeaderAt(long position) => Decided()?.HeaderAt(meta.Id, position) ?? 0;

    /// <summary>Whether a committed transaction consumes the message that a dead consumer's cell holds.</summary>
    public bool Consumes(string subscription, int cell, long position, int attempt) =>
        Decided()?.Consumes(meta.Id, subscription, cell, position, attempt) ?? false;

    /// <summary>
    /// Whether a transaction was committed and is not carried out: the process that did it may be dead. Cheap enough to be asked by those
    /// who find no message.
    /// </summary>
    public bool MayBeAbandoned()
    {
        if (MachineMemory.Load(ref control.InStore) == 0)
        {
            return false;
        }
        long now = Environment.TickCount64;
        if (now - _lastLook >= Look && File() is { } file)
        {
            _lastLook = now;
            long decided = MachineMemory.Load(ref file.Decided);
            (_abandoned, _seen) = (decided == _seen ? decided : 0, decided);
        }
        return _abandoned != 0;
    }

    /// <summary>Carries out what a dead process had committed, if there is such a transaction.</summary>
    /// <returns>true when there was, so that this queue may hold more.</returns>
    public bool TryComplete()
    {
        if (!MayBeAbandoned())
        {
            return false;
        }
        _abandoned = 0;
        try
        {
            using TransactionStore store = TransactionStore.Open(
                Path.GetDirectoryName(Path.TrimEndingDirectorySeparator(files.Directory))!, files.Mode, Patience, make: false);
            return store.TryComplete();
        }
        catch (Exception exception) when (exception is QueueException or IOException or UnauthorizedAccessException)
        {
            // It lives, or another is at it. Damage elsewhere in the store is reported to who commits, not to who reads here.
            return false;
        }
    }

    private DecidedTransaction? Decided() => MachineMemory.Load(ref control.InStore) == 0 ? null : File()?.Read();

    private TransactionFile? File()
    {
        lock (_sync)
        {
            ObjectDisposedException.ThrowIf(_disposed, typeof(TransactionLink));
            return _file ??= TransactionFile.OpenAbove(files.Directory);
        }
    }

    /// <summary>Unmaps the file; no call is inside any more.</summary>
    public void Dispose()
    {
        lock (_sync)
        {
            _disposed = true;
            _file?.Dispose();
        }
    }
}
