using BlitQueue.Memory;
using BlitQueue.Platform;
using Microsoft.Win32.SafeHandles;

namespace BlitQueue.Segments;

/// <summary>One open queue directory: what all ends of one handle share.</summary>
internal sealed class QueueStore : IDisposable
{
    private const int Attempts = 10;

    private readonly SafeFileHandle _locks;
    private readonly Lock _releasing = new();
    private bool _released;

    private QueueStore(QueueFiles files, QueueMeta meta, SafeFileHandle locks, ControlFile control)
    {
        Files = files;
        Meta = meta;
        _locks = locks;
        Control = control;
        Gate = new CallGate(Release);
        Self = Participant.Join(control, locks, files.Directory);
        Subscriptions = new SubscriptionSet(files, meta, control);
        DataWaits = new WaitPlace(Gate, control.Data);
        RoomWaits = new WaitPlace(Gate, control.Room);
        Table = new SegmentTable(files, meta, Gate);
        Keeper = new SegmentKeeper(files, meta, control, locks, Table, Subscriptions);
    }

    public QueueFiles Files { get; }

    public QueueMeta Meta { get; }

    public ControlFile Control { get; }

    public CallGate Gate { get; }

    public Participant Self { get; }

    public SubscriptionSet Subscriptions { get; }

    /// <summary>Where asynchronous calls wait for messages.</summary>
    public WaitPlace DataWaits { get; }

    /// <summary>Where asynchronous calls wait for room.</summary>
    public WaitPlace RoomWaits { get; }

    public SegmentTable Table { get; }

    public SegmentKeeper Keeper { get; }

    /// <summary>Joins the queue in a directory, making it where there is none.</summary>
    /// <exception cref="QueueException">See its kinds; the message names the path, what was found and what to do.</exception>
    /// <exception cref="ArgumentException">The queue was made with another segment size or checksum setting.</exception>
    public static QueueStore Open(string path, StoreOptions options)
    {
        for (int attempt = 0; ; attempt++)
        {
            try
            {
                return OpenOnce(path, options);
            }
            catch (DirectoryNotFoundException) when (attempt < Attempts)
            {
                // Another process could not make the queue, and took the directory back that both were in.
            }
        }
    }

    private static QueueStore OpenOnce(string path, StoreOptions options)
    {
        var directory = QueueDirectory.Prepare(path, options.FileMode);
        var files = new QueueFiles(directory.Path, options.FileMode);
        try
        {
            OpeningLock opening = OpeningLock.Take(files, options.Patience);
            try
            {
                return OpenLocked(files, options, opening.File);
            }
            catch
            {
                StoreMaker.RemoveUnfinished(files);
                opening.File.Dispose();
                throw;
            }
            finally
            {
                if (!opening.File.IsClosed)
                {
                    opening.Dispose();
                }
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

    private static QueueStore OpenLocked(QueueFiles files, StoreOptions options, SafeFileHandle locks)
    {
        QueueMeta meta;
        if (files.Exists(StoreFormat.MetaName))
        {
            meta = QueueMeta.Read(files.PathOf(StoreFormat.MetaName));
            StoreCheck.Verify(files, meta, options);
        }
        else
        {
            meta = StoreMaker.Make(files, options);
        }
        if (!files.Exists(StoreFormat.ControlName))
        {
            StoreCheck.VerifyNobodyAlive(files, locks);
            StoreMaker.MakeControl(files, meta, bootId: "");
        }
        var control = new ControlFile(files.Map(StoreFormat.ControlName, ControlFormat.Size));
        try
        {
            StoreCheck.VerifyControl(files, meta, control);
            Recovery.RunIfNeeded(files, meta, control, locks);
            StoreCheck.VerifyWords(files, meta, control);
            var store = new QueueStore(files, meta, locks, control);
            store.Keeper.DeleteLeftovers();
            return store;
        }
        catch
        {
            control.Dispose();
            throw;
        }
    }

    /// <summary>Lets no further call in; gives everything back now, or when the last running call ends.</summary>
    public void Dispose()
    {
        Gate.Close();
        // Whoever sleeps wakes, and finds the gate closed.
        WakeDataSleepers();
        DataWaits.Close();
        RoomWaits.Close();
    }

    /// <summary>Wakes whoever waits for messages, to look around.</summary>
    public void WakeDataSleepers()
    {
        lock (_releasing)
        {
            if (!_released)
            {
                Control.Data.WakeAll<MachineMemory>();
                Control.Room.WakeAll<MachineMemory>();
            }
        }
    }

    /// <summary>What the ends of this handle give back before the mappings go. Called once, when no call is inside.</summary>
    public event Action? Releasing;

    private void Release()
    {
        Keeper.Dispose();
        lock (_releasing)
        {
            _released = true;
            Releasing?.Invoke();
            Table.Dispose();
            Subscriptions.Dispose();
            Self.Dispose();
            Control.Dispose();
            _locks.Dispose();
        }
    }
}
