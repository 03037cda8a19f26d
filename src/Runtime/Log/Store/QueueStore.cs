using BlitQueue.Memory;
using BlitQueue.Platform;
using Microsoft.Win32.SafeHandles;

namespace BlitQueue.Log;

/// <summary>One open queue directory: what all producers and consumers of one handle share.</summary>
internal sealed class QueueStore : IReadableLog, IDisposable
{
    private const int Attempts = 10;

    // At most so many bytes of files are reused: a larger capacity is a limit rather than the log's usual size.
    private const long MostReused = 512L << 20;
    private const int MostMapped = 32;

    private readonly SafeFileHandle _locks;
    private readonly SyncFailure _failure;
    private readonly PrivateBlockWatch _blocks;
    private readonly Lock _releasing = new();
    private bool _released;

    private QueueStore(QueueFiles files, QueueMeta meta, SafeFileHandle locks, ControlFile control, StoreOptions options)
    {
        Files = files;
        Meta = meta;
        _locks = locks;
        Control = control;
        Gate = new CallGate(Release, () => Disposed.OfQueue(files.Directory));
        Self = Participant.Join(control, locks, files.Directory, OwnerWordsInUse.Read(files, control));
        Subscriptions = new SubscriptionSet(files, meta, control, Gate);
        Transactions = new TransactionLink(files, meta, control);
        Requeues = new RequeueSettler(this);
        DataWaits = new AsyncWaitQueue(Gate, control.Data);
        RoomWaits = new AsyncWaitQueue(Gate, control.Room);
        Segments = new SegmentCache(files, meta, Gate, control);
        Maintenance = new MaintenanceLock(files, locks, control, Self);
        files.RequireDirectory = Maintenance.RequireDirectory;
        Hold = new SegmentHold(control, Self.SeekHold);
        Retention = new Retention(files, meta, control, Self, Maintenance, Segments, Subscriptions)
        {
            SettleBefore = Requeues.SettleBefore,
        };
        Counter = new MessageCounter(Segments, meta, Gate);
        Times = new ModifiedTimes(files, meta, control);
        Ended = new EndedSubscriptions(this, options.LeavesEnded);
        Allocator = new SegmentAllocator(files, meta, control, locks, Self, Maintenance, Segments, Retention)
        {
            Counter = Counter,
            Times = Times,
            RemoveEnded = Ended.TryRemove,
            Margin = options.TakesLastSpace ? null : new FreeSpaceMargin(files, meta.SegmentSize),
        };
        _failure = new SyncFailure(control, Self, files, Gate);
        _blocks = new PrivateBlockWatch(this);
        Sync = new GroupCommit(new LogSync(control, Segments, meta, _failure), Gate);
        Watch = new DirectoryWatch(this, locks);
        Watch.Changed += DataWaits.Deny;
        Watch.Changed += RoomWaits.Deny;
    }

    public QueueFiles Files { get; }

    public QueueMeta Meta { get; }

    /// <summary>The report of this opening's recovery; null if it found nothing.</summary>
    public RecoveryReport? Recovered { get; private init; }

    public ControlFile Control { get; }

    public CallGate Gate { get; }

    /// <summary>What time it is for this handle. Set before it is used.</summary>
    public HandleClock Clock { get; set; } = HandleClock.OfSystem;

    public Participant Self { get; }

    public SubscriptionSet Subscriptions { get; }

    /// <summary>Removes subscriptions that have ended.</summary>
    public EndedSubscriptions Ended { get; }

    /// <summary>The queue's link to the transactions of the store that it is in, if any.</summary>
    public TransactionLink Transactions { get; }

    /// <summary>Consumes the dead letters that have become messages of this queue.</summary>
    public RequeueSettler Requeues { get; }

    /// <summary>The asynchronous calls that wait for messages.</summary>
    public AsyncWaitQueue DataWaits { get; }

    /// <summary>The asynchronous calls that wait for room.</summary>
    public AsyncWaitQueue RoomWaits { get; }

    public SegmentCache Segments { get; }

    public Retention Retention { get; }

    public SegmentAllocator Allocator { get; }

    /// <summary>How many messages this handle was given.</summary>
    public DeliveryCounts Deliveries { get; } = new();

    /// <summary>Counts messages, and notes the counts in the segments.</summary>
    public MessageCounter Counter { get; }

    public MaintenanceLock Maintenance { get; }

    /// <summary>Prevents the deletion of segments while a position moves back.</summary>
    public SegmentHold Hold { get; }

    /// <summary>The calls that wait until their messages are on the disk.</summary>
    public GroupCommit Sync { get; }

    /// <summary>Notices that the path does not lead to the queue's directory any more.</summary>
    public DirectoryWatch Watch { get; }

    /// <summary>Updates the files' modification times, by which other programs see that the files have changed.</summary>
    public ModifiedTimes Times { get; }

    string IReadableLog.Directory => Files.Directory;

    long IReadableLog.OldestNeeded => Subscriptions.OldestNeeded();

    long IReadableLog.FirstRetainedPosition => Retention.FirstRetainedPosition;

    /// <summary>Joins the queue in a directory, making it where there is none.</summary>
    /// <exception cref="QueueException">See its kinds; the message names the path, what was found and what to do.</exception>
    /// <exception cref="ArgumentException">The queue was made with another value of an option that is fixed then.</exception>
    /// <exception cref="OperationCanceledException">The token was cancelled; nothing was made.</exception>
    public static QueueStore Open(string path, StoreOptions options)
    {
        for (int attempt = 0; ; attempt++)
        {
            options.Patience.Token.ThrowIfCancellationRequested();
            try
            {
                return OpenOnce(path, options);
            }
            catch (IOException exception) when (
                exception is DirectoryNotFoundException or FileNotFoundException or OvertakenException && attempt < Attempts)
            {
                // Another process failed to make the queue, and removed the directory; or it has deleted the queue; or it is making it.
            }
            catch (IOException exception)
            {
                throw SystemFailure.Of(Path.GetFullPath(path), exception);
            }
        }
    }

    private static QueueStore OpenOnce(string path, StoreOptions options)
    {
        StoreMedium.RefuseNetwork(path);
        var directory = QueueDirectory.Prepare(path, options.FileMode);
        var files = new QueueFiles(directory.Path, options.FileMode);
        try
        {
            var early = EarlyLook.At(files, options);
            QueueStore store = OpenLocking(files, options, early);
            try
            {
                store.Retention.DeleteLeftovers();
                store.Ended.TryRemove();
                return store;
            }
            catch
            {
                store.Dispose();
                throw;
            }
        }
        catch (UnauthorizedAccessException exception)
        {
            throw QueueDirectory.NoRights(directory.Path, exception);
        }
        finally
        {
            directory.RemoveIfMadeAndEmpty();
        }
    }

    private static QueueStore OpenLocking(QueueFiles files, StoreOptions options, EarlyLook early)
    {
        var opening = OpeningLock.Take(files, options.Patience);
        QueueStore? store = null;
        try
        {
            store = OpenLocked(files, options, early, opening.File);
            store.Retention.DeleteUnfinished();
            opening.GiveBack(files.Directory);
            return store;
        }
        catch
        {
            try
            {
                QueueDeletion.RemoveUnfinished(files, opening);
            }
            finally
            {
                store?.Dispose();
                opening.Dispose();
            }
            throw;
        }
    }

    private static QueueStore OpenLocked(QueueFiles files, StoreOptions options, EarlyLook early, SafeFileHandle locks)
    {
        QueueMeta meta;
        QueueDeletion.CompleteIfMarked(files, options.Patience);
        StoreCheck.VerifyNoRepair(files);
        if (files.Exists(StoreFormat.MetaName))
        {
            files.TakeRightsAnew();
            meta = early.Meta(files);
            StoreCheck.Verify(files, meta, options);
            meta = options.Schema is null ? meta : SchemaRegistry.Join(files, meta, options.Schema);
        }
        else
        {
            QueueDirectory.RefuseContent(files);
            meta = StoreCreator.Make(files, options, locks);
        }
        // Before files are made anew: a process with another lock file is not seen as alive, and may append.
        LostLockFile.Fence(files, options.Patience, locks);
        if (!files.Exists(StoreFormat.ControlName))
        {
            StoreCheck.VerifyNobodyAlive(files, locks);
            StoreCreator.MakeControl(files, meta, bootId: "");
        }
        bool isAlone = !Participant.AnyAlive(locks);
        PrivateBlocks.Require(files, meta, isAlone);
        var control = new ControlFile(files.Map(StoreFormat.ControlName, ControlFormat.Size));
        try
        {
            StoreCheck.VerifyControl(files, meta, control);
            StoreCheck.VerifyDefault(files, control, options);
            options.CheckCapacity?.Invoke(files.Directory, options.Capacity ?? control.Capacity);
            control.NoteLock(locks);
            if (control.IsAsLeft(files.PathOf(StoreFormat.ControlName)))
            {
                StoreCheck.VerifySubscriptions(files, control);
            }
            RecoveryReport? recovered = Recovery.RunIfNeeded(files, meta, control, locks);
            StoreCheck.VerifyWords(files, meta, control);
            if (isAlone)
            {
                StoreCheck.CountSubscriptions(files, meta, control);
            }
            else
            {
                StoreCheck.VerifyShared(files, meta, control);
            }
            // SYNC POINT schema: publishes the queue.meta that this version of the message type has extended, before anything is enqueued.
            MachineMemory.Increment(ref control.Openings);
            return new QueueStore(files, meta, locks, control, options) { Recovered = recovered };
        }
        catch
        {
            control.Dispose();
            throw;
        }
    }

    /// <summary>A new cursor of a subscription, with its own reader, which gets the other arguments.</summary>
    public Cursor<TMem> CursorOf<TMem>(SubscriptionFile file, Action? entering = null, Func<long>? limit = null)
        where TMem : struct, ISharedMemory =>
        new(
            file, new RecordReader<TMem>(Segments, Meta, entering, limit, () => Disposed.OfSubscription(Files.Directory, file.Name)),
            Allocator, Control);

    /// <summary>Sets how many bytes of log may wait, whichever process enqueues; 0 for no limit.</summary>
    public void SetCapacity(long capacity)
    {
        MachineMemory.Store(ref Control.Capacity, capacity);
        // Where there is more room by now.
        Control.Room.NotifyAll<MachineMemory>();
    }

    /// <summary>
    /// Has the log's files go round, mapped as they are, like a ring: as many bytes of them as the capacity, or, in memory without one, as
    /// stay in the processor's cache.
    /// </summary>
    public void Reuse()
    {
        long capacity = MachineMemory.Load(ref Control.Capacity);
        Retention.ReusedBytes = capacity > 0 ? Math.Min(capacity, MostReused)
            : Files.IsInMemory ? SegmentFormat.RoundInMemory(Meta.SegmentSize)
            : 0;
        Segments.MostIdle = (int)Math.Clamp(Retention.ReusedBytes / Meta.SegmentSize + 1, Segments.MostIdle, MostMapped);
    }

    /// <summary>After a flush: updates the files' modification times.</summary>
    public void MoveTimes()
    {
        using CallGate.Call call = Gate.Enter();
        Times.MoveOncePerSecond();
    }

    /// <summary>Refuses further calls; releases everything now, or when the last running call ends.</summary>
    public void Dispose()
    {
        // The counter's background call is stopped first: otherwise its end, on a pool thread, would release everything later than this
        // method.
        Counter.Stop();
        NoteClosing();
        Gate.Close();
        _failure.AwaitCloser();
        // Sleepers wake and find the gate closed.
        WakeDataSleepers();
        DataWaits.Close();
        RoomWaits.Close();
    }

    private void NoteClosing()
    {
        lock (_releasing)
        {
            if (!_released)
            {
                ClosingHandles.Add(this, Files.Directory);
            }
        }
    }

    /// <summary>Wakes all that wait for messages, so that they look again.</summary>
    public void WakeDataSleepers()
    {
        lock (_releasing)
        {
            if (!_released)
            {
                Control.Data.NotifyAll<MachineMemory>();
                Control.Room.NotifyAll<MachineMemory>();
            }
        }
    }

    /// <summary>
    /// Raised once, when no call is inside: producers and consumers of this handle release what they have before the files are unmapped.
    /// </summary>
    public event Action? Releasing;

    /// <summary>Raised once, when everything is released.</summary>
    public event Action? Released;

    private void Release()
    {
        _blocks.Dispose();
        Watch.Dispose();
        Ended.LeaveAll();
        Allocator.Dispose();
        lock (_releasing)
        {
            _released = true;
            Releasing?.Invoke();
            SyncIfLast();
            Action moveTimes = Times.MoveLater();
            Segments.Dispose();
            Subscriptions.Dispose();
            Transactions.Dispose();
            Self.Dispose();
            Control.Dispose();
            moveTimes();
            _locks.Dispose();
        }
        ClosingHandles.Remove(this);
        Released?.Invoke();
    }

    // The last handle that leaves brings the log to the disk even without a durability that asks for it, so that after an orderly end the
    // whole log is known to be there. If the disk refuses, the next opening reports it.
    private void SyncIfLast()
    {
        if (Files.IsInMemory || Sync.Log.Durable >= Sync.Log.Published)
        {
            return;
        }
        Self.Dispose();
        try
        {
            if (!Participant.AnyAlive(_locks))
            {
                Sync.Log.SyncPublished();
                Control.Sync();
            }
        }
        catch (Exception exception) when (exception is QueueException or IOException or UnauthorizedAccessException)
        {
        }
    }
}
