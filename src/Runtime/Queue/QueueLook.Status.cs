using BlitQueue.Log;
using BlitQueue.Memory;
using BlitQueue.Platform;
using Microsoft.Win32.SafeHandles;

namespace BlitQueue;

/// <content>How the queue stands, as <see cref="StatusReader"/> finds it for a participant.</content>
internal sealed partial class QueueLook
{
    /// <summary>How the queue stands. Each figure is true of some moment of the call.</summary>
    /// <exception cref="QueueException">A file cannot be read.</exception>
    public QueueStatus GetStatus()
    {
        using CallGate.Call call = _store.Gate.Enter();
        long tail = _log.End();
        using var files = new OpenSubscriptions(_store.Files, _store.Meta);
        using SafeFileHandle? locks = OpenLocks();
        long oldest = Math.Min(files.OldestNeeded, tail);
        var figures = new SubscriptionFigures(_store.Segments, _store.Meta, _counter, file => CountConsumers(file, locks));
        return new QueueStatus
        {
            Path = Path,
            MessageCount = figures.CountMessages(files.All, tail),
            Bytes = figures.BytesFrom(oldest, tail),
            Capacity = _store.Control is { Capacity: > 0 and var capacity } ? capacity : null,
            HeldBy = figures.Holder(files.All, tail),
            First = new QueuePosition(oldest),
            Next = new QueuePosition(tail),
            Repairs = _store.Control is { } control ? MachineMemory.Load(ref control.Repairs) : 0,
            Recovered = Quarantine.LastReport(Path),
            IsFailed = IsFailed,
            ExpiredSubscriptions = _store.Control?.ExpiredSubscriptions ?? 0,
            Subscriptions = [.. files.All.Select(file => figures.Of(file, tail, CountLetters(_store.Files, file.Name)))],
        };
    }

    /// <summary>What a subscription has not committed.</summary>
    /// <param name="subscription">Its name.</param>
    /// <param name="next">The position of its next message.</param>
    /// <param name="origin">
    /// The queue whose dead letters these are: a letter that has become a message of that queue again is left out. null: they are no
    /// letters.
    /// </param>
    /// <returns>
    /// The positions of messages in front of that which are leased or were given back, in order; null if there is no such subscription.
    /// </returns>
    public IReadOnlyList<long>? Uncommitted(string subscription, out long next, QueueLook? origin = null)
    {
        using CallGate.Call call = _store.Gate.Enter();
        next = 0;
        using var files = new OpenSubscriptions(_store.Files, _store.Meta);
        if (files.Find(subscription) is not { } file)
        {
            return null;
        }
        // SYNC POINT next: a consumer marks its cell before it moves next, so a message is always seen in one of the two.
        long word = MachineMemory.Load(ref file.Next), behind = next = SubscriptionFormat.Position(word);
        return
        [
            .. file.Taken(word)
                .Where(cell => cell.Position < behind && origin?.HasMessageOf(new(_store.Meta.Id, cell.Position), cell.Target) != true)
                .Select(static cell => cell.Position).Distinct().Order(),
        ];
    }

    // Only where the letter's cell says that it is becoming a message: until it is consumed, its message stays in the log.
    private bool HasMessageOf(LetterOrigin letter, long? target)
    {
        using CallGate.Call call = _store.Gate.Enter();
        try
        {
            return target is { } position && RecordReader<MachineMemory>.LetterAt(_store.Segments, _store.Meta, position) == letter;
        }
        catch (QueueException exception) when (exception.Reason == QueueError.PositionGone)
        {
            return false;
        }
    }

    /// <summary>How many messages end between the log's beginning and a position: a difference of two such numbers is a rate.</summary>
    public long CountUpTo(long position)
    {
        using CallGate.Call call = _store.Gate.Enter();
        return _counter.Count(Math.Min(_first ??= _log.FirstRetainedPosition, position), position);
    }

    /// <summary>The position of the next message of each subscription, by name.</summary>
    public Dictionary<string, long> Positions()
    {
        using CallGate.Call call = _store.Gate.Enter();
        using var files = new OpenSubscriptions(_store.Files, _store.Meta);
        return files.All.ToDictionary(static file => file.Name, static file => file.NextPosition);
    }

    /// <summary>What the queue is, its files, and who has it open.</summary>
    public QueueDetails GetDetails()
    {
        using CallGate.Call call = _store.Gate.Enter();
        // Not those that were deleted since they were listed: what `Exists` has read is what the others tell.
        FileInfo[] there = [.. new DirectoryInfo(Path).GetFiles().Where(static file => file.Exists)];
        ControlFile? control = _store.Control;
        return new QueueDetails
        {
            Format = StoreFormat.Version,
            Id = _store.Meta.Id,
            Fingerprint = _store.Meta.Fingerprint,
            SegmentSize = _store.Meta.SegmentSize,
            Checksums = _store.Meta.Checksum,
            Segments = SegmentNames.In(_store.Files, _store.Meta).Count,
            FileBytes = there.Sum(static file => file.Length),
            LastWrite = there.Select(static file => file.LastWriteTimeUtc).DefaultIfEmpty().Max(),
            IsCurrent = control is not null,
            RetainBytes = control?.RetainBytes,
            RetainFor = control is null ? null : TimeSpan.FromTicks(control.RetainTicks),
            Durable = control is null ? null : MachineMemory.Load(ref control.Durable),
            IsFailed = IsFailed,
            Peers = ReadPeers(),
        };
    }

    private bool IsFailed => _store.Control is { } control && MachineMemory.Load(ref control.Failed) != 0;

    private List<QueuePeer>? ReadPeers()
    {
        if (_store.Control is not { } control || OpenLocks() is not { } locks)
        {
            return null;
        }
        using (locks)
        {
            using var files = new OpenSubscriptions(_store.Files, _store.Meta);
            List<QueuePeer> peers = [];
            for (int index = 0; index < ControlFormat.MaximumParticipants; index++)
            {
                uint incarnation = (uint)MachineMemory.Load(ref control.Incarnation(index));
                long owner = ControlFormat.OwnerWord(index, incarnation);
                if (incarnation != 0 && Participant.IsAlive<MachineMemory>(control, locks, owner))
                {
                    string[] consumes = [.. files.All.Where(file => Incarnation(file, index) == incarnation).Select(file => file.Name)];
                    peers.Add(new(index, control.ProcessId(index), consumes, control.AppendHolder<MachineMemory>() == owner));
                }
            }
            return peers;
        }
    }

    private int CountConsumers(SubscriptionFile file, SafeFileHandle? locks)
    {
        int count = 0;
        for (int index = 0; locks is not null && _store.Control is not null && index < ControlFormat.MaximumParticipants; index++)
        {
            uint word = (uint)MachineMemory.Load(ref file.User(index));
            count += word != 0 && (word & SubscriptionFormat.SeatedMark) == 0
                && Participant.IsAlive<MachineMemory>(_store.Control, locks, ControlFormat.OwnerWord(index, word)) ? 1 : 0;
        }
        return count;
    }

    private static uint Incarnation(SubscriptionFile file, int index)
        => (uint)MachineMemory.Load(ref file.User(index)) & ~SubscriptionFormat.SeatedMark;

    /// <summary>How many dead letters a subscription of a queue has; 0 where none were ever made.</summary>
    public static long CountLetters(QueueFiles queue, string subscription)
    {
        string path = queue.PathOf(StoreFormat.DeadLettersName(subscription));
        if (!CurrentPlatform.Instance.IsThere(System.IO.Path.Combine(path, StoreFormat.MetaName)))
        {
            return 0;
        }
        using QueueLook letters = Open(path);
        return letters.GetLag(StoreCreator.DefaultSubscription);
    }

    private long GetLag(string subscription)
    {
        using CallGate.Call call = _store.Gate.Enter();
        using var files = new OpenSubscriptions(_store.Files, _store.Meta);
        long tail = _log.End();
        return files.Find(subscription) is not { } file ? 0 : _counter.CountLag(file.CountTaken(), tail);
    }

    // null if there is none that can be read: then no participant is known to be alive.
    private SafeFileHandle? OpenLocks()
    {
        try
        {
            return _store.Files.OpenExisting(StoreFormat.LockName);
        }
        catch (Exception exception) when (exception is IOException or UnauthorizedAccessException)
        {
            return null;
        }
    }
}
