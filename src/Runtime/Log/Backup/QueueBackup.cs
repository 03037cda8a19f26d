using BlitQueue.Memory;
using BlitQueue.Platform;
using Microsoft.Win32.SafeHandles;

namespace BlitQueue.Log;

/// <summary>
/// Copies one queue while it is in use: notes its state at one moment, then copies that, while no segment is deleted. The copy is like a
/// queue whose machine went down at that moment, with its whole log on the disk; so the usual recovery makes it a queue that can be opened.
/// </summary>
internal sealed class QueueBackup : IDisposable
{
    // A boot id that no system has: so the recovery does not trust the copy's words.
    private const string BootId = "backup";
    private const int Piece = 1 << 20;

    private readonly QueueStore _store;
    private readonly IDisposable _hold;
    private readonly List<(string Name, byte[] Bytes)> _files = [];
    private long _first, _end, _furthest;
    private bool _isBegun;

    private QueueBackup(QueueStore store, IDisposable hold) => (_store, _hold) = (store, hold);

    /// <summary>The queue's directory, absolute.</summary>
    public string Path => _store.Files.Directory;

    /// <summary>The access rights of its files.</summary>
    public UnixFileMode Mode { get; private init; }

    /// <summary>Bytes that are to be copied.</summary>
    public long Bytes => _end - (_first * _store.Meta.SegmentSize) + _files.Sum(static file => (long)file.Bytes.Length);

    /// <summary>
    /// Whether a directory has a complete queue; an unfinished one has no message. Damage is reported when the queue is opened.
    /// </summary>
    public static bool IsMade(string path) =>
        CurrentPlatform.Instance.IsThere(System.IO.Path.Combine(path, StoreFormat.MetaName)) || SalvagedHeader.HasMessages(path);

    /// <summary>Whether its whole state was noted.</summary>
    public bool IsNoted { get; private set; }

    /// <summary>Opens a queue as any process does, and prevents the deletion of its segments.</summary>
    public static QueueBackup Begin(string path, Patience patience)
    {
        UnixFileMode mode = FileRights.Of(path, asked: null).Mode;
        var store = QueueStore.Open(path, new StoreOptions { FileMode = mode, Patience = patience, Schema = null });
        return new QueueBackup(store, store.Hold.Begin(0)) { Mode = mode };
    }

    /// <summary>The access rights of a file or directory.</summary>
    public static UnixFileMode RightsOf(string path) =>
        OperatingSystem.IsWindows() ? UnixFileMode.UserRead | UnixFileMode.UserWrite : File.GetUnixFileMode(path);

    /// <summary>
    /// Notes the subscriptions' positions, once; without subscriptions that end with consumers which the copy does not have. Must be called
    /// before the log's end is noted: a position beyond the copy's end would pass the copy's next messages without delivering them.
    /// </summary>
    public void NoteSubscriptions()
    {
        if (_isBegun)
        {
            return;
        }
        _isBegun = true;
        using CallGate.Call call = _store.Gate.Enter();
        foreach (SubscriptionFile file in _store.Subscriptions.All())
        {
            byte[] bytes = file.Copy();
            long next = SubscriptionFormat.Position(BinaryPrimitives.ReadInt64LittleEndian(bytes.AsSpan(SubscriptionFormat.NextOffset)));
            if (next == SubscriptionFormat.GonePosition)
            {
                continue;
            }
            _furthest = Math.Max(_furthest, next);
            if (BinaryPrimitives.ReadInt64LittleEndian(bytes.AsSpan(SubscriptionFormat.EphemeralOffset)) == 0)
            {
                _files.Add((StoreFormat.SubscriptionName(file.Name), bytes));
                // Behind the cells: a message that they call given back has its reason there.
                string reasons = StoreFormat.ReasonsName(file.Name);
                if (_store.Files.Exists(reasons))
                {
                    _files.Add((reasons, _store.Files.ReadBytes(reasons, LeaseReasons.MostBytes)));
                }
            }
        }
    }

    /// <summary>Notes the log's end, and the queue's settings.</summary>
    public void NoteLog()
    {
        using CallGate.Call call = _store.Gate.Enter();
        // SYNC POINT record: acquires all that was published in front of the tail. The noted subscriptions have consumed no more than that,
        // except for records behind which an appender has not moved the tail yet.
        _end = PassPublished(MachineMemory.Load(ref _store.Control.Tail), _furthest);
        _first = _store.Control.FirstRetained;
        // Read after the log's end: a process that adds a member to the message type extends queue.meta before it enqueues the first such
        // message.
        _files.Add((StoreFormat.MetaName, _store.Files.ReadBytes(StoreFormat.MetaName, QueueFiles.MostTextBytes)));
        IsNoted = true;
    }

    // Moves the end behind records that a consumer has passed already, although the appender that published them has not moved the tail
    // yet. By whole batches.
    private long PassPublished(long end, long furthest)
    {
        while (end < furthest && _store.Segments.Pin(end / _store.Meta.SegmentSize) is { } segment)
        {
            long header = MachineMemory.Load(ref segment.Header(end)), after = header == 0 ? -1 : segment.Behind(end, header);
            if (after > 0 && RecordFormat.Kind(header) == RecordKind.Batch)
            {
                after += BatchLayout.AnnouncedBytes(BinaryPrimitives.ReadInt64LittleEndian(segment.Payload(end, sizeof(long))));
            }
            _store.Segments.Unpin(segment);
            if (after < 0)
            {
                break;
            }
            end = after;
        }
        return end;
    }

    /// <summary>Copies the noted state into a directory, and brings it to the disk.</summary>
    public void CopyTo(string directory, VerifyTally tally)
    {
        QueueDirectory.MakeAll(directory, Mode);
        SetRights(directory, RightsOf(Path));
        var files = new QueueFiles(directory, Mode);
        MakeControl(files);
        for (long index = _first; index * _store.Meta.SegmentSize < _end; index++)
        {
            CopySegment(files, index, tally);
        }
        // queue.meta is the last file: until it exists, the directory is no queue.
        foreach ((string name, byte[] bytes) in _files)
        {
            using SafeFileHandle file = files.CreateAnew(name);
            QueueFiles.Write(file, bytes, 0);
            RandomAccess.FlushToDisk(file);
            tally.Read(_store.Files.PathOf(name), bytes.Length);
        }
        files.SyncNames();
    }

    /// <summary>Gives a copy's directory the access rights of the original.</summary>
    public static void SetRights(string path, UnixFileMode rights)
    {
        if (!OperatingSystem.IsWindows())
        {
            File.SetUnixFileMode(path, rights);
        }
    }

    private void MakeControl(QueueFiles files)
    {
        StoreCreator.MakeControl(files, _store.Meta, BootId);
        using var control = new ControlFile(files.Map(StoreFormat.ControlName, ControlFormat.Size));
        (control.FirstRetainedState, control.AllocatedEnd) = (_first, (_end / _store.Meta.SegmentSize) + 1);
        (control.Tail, control.Durable) = (_end, _end);
        control.TakeSettings(_store.Control);
        EpochTable.Copy(_store.Control, control);
        control.Sync();
    }

    // Copies a segment up to the noted end: later records might be copied in part.
    private void CopySegment(QueueFiles files, long index, VerifyTally tally)
    {
        long size = _store.Meta.SegmentSize, length = Math.Min(size, _end - (index * size));
        string name = StoreFormat.SegmentName(index * size);
        if (!_store.Files.Exists(name))
        {
            // The segment was lost before; the recovery of the copy reports that.
            return;
        }
        using SafeFileHandle from = _store.Files.OpenExisting(name), to = files.CreateAnew(name);
        // Allocates the whole segment, as for any segment, so that later appends to the copy do not find the disk full.
        files.Preallocate(to, size);
        byte[] buffer = new byte[Piece];
        for (long offset = 0; offset < length;)
        {
            tally.ThrowIfCancelled();
            int read = RandomAccess.Read(from, buffer.AsSpan(0, (int)Math.Min(Piece, length - offset)), offset);
            if (read == 0)
            {
                break;
            }
            QueueFiles.Write(to, buffer.AsSpan(0, read), offset);
            offset += read;
        }
        RandomAccess.FlushToDisk(to);
        tally.Read(_store.Files.PathOf(name), length);
    }

    /// <summary>
    /// The existing directories with dead letters of its subscriptions. Called after the subscriptions were noted, so that no letter is
    /// missed.
    /// </summary>
    /// <exception cref="QueueException">A directory cannot be read.</exception>
    public IEnumerable<string> DeadLetters()
    {
        var letters = QueuesBelow.OfDeadLetters(Path);
        QueuesBelow.RequireNone(letters.Lost);
        return letters.There.Where(IsMade);
    }

    public void Dispose()
    {
        _hold.Dispose();
        _store.Dispose();
    }
}
