using System.Buffers.Binary;
using BlitQueue.Memory;
using BlitQueue.Platform;
using Microsoft.Win32.SafeHandles;

namespace BlitQueue.Log;

/// <summary>
/// The copy of one queue that is in use: what there is of it at one moment is noted, then copied, while no segment is
/// given up. The copy is that of a queue whose machine went down at that moment, with all of its log on the disk; so the
/// recovery makes it one that can be opened.
/// </summary>
internal sealed class QueueBackup : IDisposable
{
    // No boot's: the words are for the recovery alone.
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

    /// <summary>The rights of its files.</summary>
    public UnixFileMode Mode { get; private init; }

    /// <summary>Bytes that are to be copied.</summary>
    public long Bytes => _end - (_first * _store.Meta.SegmentSize) + _files.Sum(static file => (long)file.Bytes.Length);

    /// <summary>
    /// Whether it is more than what is just being made, or a killed maker left, and so has no message yet. One
    /// that is damaged is told by its opening.
    /// </summary>
    public static bool IsMade(string path) =>
        CurrentPlatform.Instance.IsThere(System.IO.Path.Combine(path, StoreFormat.MetaName)) || SalvagedHeader.HasMessages(path);

    /// <summary>Whether all of it was noted.</summary>
    public bool IsNoted { get; private set; }

    /// <summary>Opens a queue as any process does, and keeps its segments from being given up.</summary>
    public static QueueBackup Begin(string path, TimeSpan patience)
    {
        UnixFileMode mode = FileRights.Of(path, asked: null).Mode;
        var store = QueueStore.Open(path, new StoreOptions { FileMode = mode, Patience = patience, Schema = null });
        return new QueueBackup(store, store.Hold.Begin(0)) { Mode = mode };
    }

    /// <summary>The rights of a file or directory.</summary>
    public static UnixFileMode RightsOf(string path) =>
        OperatingSystem.IsWindows() ? UnixFileMode.UserRead | UnixFileMode.UserWrite : File.GetUnixFileMode(path);

    /// <summary>
    /// Notes where subscriptions are, once, but for those that would go with consumers whom the copy does not have. Before the log's end is
    /// noted, or one would be in front of it, and would pass over what comes there later.
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
            }
        }
    }

    /// <summary>Notes how far the log goes, and what is in it.</summary>
    public void NoteLog()
    {
        using CallGate.Call call = _store.Gate.Enter();
        // SYNC POINT record: acquires all that was published in front of it, which covers what those have consumed, but for what an
        // appender has not yet passed.
        _end = PassPublished(MachineMemory.Load(ref _store.Control.Tail), _furthest);
        _first = _store.Control.FirstRetained;
        // Behind the log's end: a process that adds a member to the message type says so there before the first such message is enqueued.
        _files.Add((StoreFormat.MetaName, File.ReadAllBytes(_store.Files.PathOf(StoreFormat.MetaName))));
        IsNoted = true;
    }

    // A consumer may have passed what an appender has published, and not yet moved the tail behind. By whole batches.
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

    /// <summary>Copies what was noted into a directory, and brings it to the disk.</summary>
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
        // queue.meta is the last: until it is there this is no queue.
        foreach ((string name, byte[] bytes) in _files)
        {
            using SafeFileHandle file = files.CreateAnew(name);
            QueueFiles.Write(file, bytes, 0);
            RandomAccess.FlushToDisk(file);
            tally.Read(_store.Files.PathOf(name), bytes.Length);
        }
        files.SyncNames();
    }

    /// <summary>Gives a copy's directory the rights of what it is copied from.</summary>
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
        control.Sync();
    }

    // As far as was noted: what comes behind it meanwhile would be there in part.
    private void CopySegment(QueueFiles files, long index, VerifyTally tally)
    {
        long size = _store.Meta.SegmentSize, length = Math.Min(size, _end - (index * size));
        string name = StoreFormat.SegmentName(index * size);
        if (!_store.Files.Exists(name))
        {
            // Lost before. The recovery of the copy tells.
            return;
        }
        using SafeFileHandle from = _store.Files.OpenExisting(name), to = files.CreateAnew(name);
        // With all of its room, as any segment has: what is appended to the copy later must not find the disk full.
        files.Preallocate(to, size, TimeSpan.Zero);
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
    /// The directories of its subscriptions' dead letters that are there now: after the subscriptions
    /// were noted, so that no letter is missed.
    /// </summary>
    /// <exception cref="QueueException">Some cannot be reached.</exception>
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
