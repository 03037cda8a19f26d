using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using BlitQueue.Log;
using BlitQueue.Memory;
using Microsoft.Win32.SafeHandles;

namespace BlitQueue.Explorer;

/// <summary>
/// The real files of one queue, mapped once: their words are what is simulated, their content what everything starts from.
/// </summary>
internal sealed class QueueBench : IDisposable
{
    private const string Name = "s";
    private const int Segments = 3;

    // Where a process begins to look for a free lease cell follows from its owner word. So many incarnations more than that of the place
    // before, and both begin at the same cell.
    private const int SameCell = 1983;

    // Bytes of remains of an earlier segment.
    private const int Remains = 512;

    private readonly string _directory;
    private readonly List<SafeFileHandle> _locks = [];
    private readonly Segment[] _segments;
    private readonly List<long> _present = [];

    /// <param name="actors">How many processes have the queue open.</param>
    /// <param name="start">Where the log begins, bytes into the first segment's records.</param>
    /// <param name="checksum">Whether records have a check of their payload.</param>
    /// <param name="leases">
    /// Whether there were leases before, so that nobody has to announce the first; and all begin with the same cell.
    /// </param>
    public QueueBench(int actors, int start = 0, bool checksum = true, bool leases = false)
    {
        _directory = Directory.CreateTempSubdirectory("blitqueue-explorer-").FullName;
        Files = new QueueFiles(_directory, UnixFileMode.UserRead | UnixFileMode.UserWrite);
        // The same id each time: records' checks, and with them all that is explored, are the same then.
        Meta = new QueueMeta
        {
            Id = new Guid("6f9619ff-8b86-d011-b42d-00c04fc964ff"), SegmentSize = SegmentFormat.MinimumSize,
            HeaderSize = SegmentFormat.PageSize,
            Checksum = checksum, Fingerprint = 1, Schema = "explored #0{}",
        };
        Start = Meta.FirstOf(0) + start;
        StoreCreator.MakeControl(Files, Meta, "");
        SubscriptionFile.Make(Files, Meta, Name, Start);
        for (int index = 0; index < Segments; index++)
        {
            SegmentFactory.Make(Files, Meta, index);
        }
        Region = Files.Map(StoreFormat.ControlName, ControlFormat.Size);
        Control = new ControlFile(Region);
        Subscription = SubscriptionFile.Open(Files, Meta, Name);
        Gate = new CallGate(static () => { });
        Table = new SegmentCache(Files, Meta, Gate, Control);
        Transactions = new TransactionLink(Files, Meta, Control);
        for (int index = 0; leases && index < actors; index++)
        {
            Control.Incarnation(index) = index * SameCell % SubscriptionFormat.Cells;
        }
        Participants = [.. Enumerable.Range(0, actors).Select(_ => Participant.Join(Control, OpenLocks(), _directory))];
        SafeFileHandle locks = OpenLocks();
        var maintenance = new MaintenanceLock(Files, locks, Control, Participants[0]);
        Allocator = new SegmentAllocator(Files, Meta, Control, locks, Participants[0], maintenance, Table,
            new Retention(Files, Meta, Control, Participants[0], maintenance, Table, new SubscriptionSet(Files, Meta, Control, Gate)));
        // Pinned for good, so that no run has to map them.
        _segments = [.. Enumerable.Range(0, Segments).Select(index => Table.Pin(index)!)];
        Control.Tail = Start;
        Control.AllocatedEnd = Segments;
        Subscription.Leases = leases ? 1 : 0;
        Subscription.AnnounceLease();
        // Nothing is deleted: files are not simulated.
        Control.RetainBytes = long.MaxValue;
        // As in a file that was another segment before: nothing behind the first zero header may be taken for anything.
        foreach (Segment segment in _segments)
        {
            long first = Math.Max(Start, Meta.FirstOf(segment.Index)) + RecordFormat.HeaderSize;
            long end = Math.Min(first + Remains, (segment.Index + 1) * Meta.SegmentSize);
            for (long position = first; position < end; position += sizeof(long))
            {
                segment.Header(position) = RecordFormat.Header(RecordKind.Data, MessageText.Length, 0x5A5A5A5A);
            }
        }
    }

    /// <summary>Bytes of the control file that no queue uses: they stand for those of a shared object.</summary>
    public const int SharedDataOffset = 3200;

    public QueueFiles Files { get; }

    /// <summary>The mapped control file.</summary>
    public MappedRegion Region { get; }

    /// <summary>The open lock file of a process.</summary>
    public SafeFileHandle LocksOf(int actor) => _locks[actor];

    public QueueMeta Meta { get; }

    public ControlFile Control { get; }

    public SubscriptionFile Subscription { get; }

    public CallGate Gate { get; }

    public SegmentCache Table { get; }

    public TransactionLink Transactions { get; }

    public SegmentAllocator Allocator { get; }

    public Participant[] Participants { get; }

    public WordTable Words { get; private set; } = new();

    /// <summary>Where the log begins.</summary>
    public long Start { get; }

    /// <summary>The messages that are in the log from the beginning on, as bits.</summary>
    public long Present { get; private set; }

    /// <summary>A word that stands for the slot of a store: the cell's word that the decided transaction consumes; 0 = none.</summary>
    public ref long Slot => ref Unsafe.Add(ref Control.Repairs, 1);

    /// <summary>A word that stands for a segment's file; 0 = there is none.</summary>
    public ref long FileOf(long index) => ref Unsafe.Add(ref Control.Repairs, 2 + (int)index);

    /// <summary>Appends the messages 0 to one less than these.</summary>
    public void Fill(int messages)
    {
        using var appender = new Appender<MachineMemory>(
            Control, Participants[0], Table, Allocator, Meta, new AppendLockWait<MachineMemory>(Control, Participants[0], Files),
            Transactions);
        using CallGate.Call call = Gate.Enter();
        for (int message = 0; message < messages; message++)
        {
            MessageText.Write(appender.Open(TimeSpan.MaxValue), message);
            _present.Add(Control.Tail);
            appender.Publish(MessageText.Length);
        }
        Present = (1L << messages) - 1;
    }

    /// <summary>What is in the files now is what everything starts from.</summary>
    public void Freeze()
    {
        Words = new WordTable();
        Words.Add(Bytes(ref Control.LockOwner, ControlFormat.LockOwnerOffset, ControlFormat.Size), WordNames.OfControl);
        Words.Add(Bytes(ref Subscription.Next, SubscriptionFormat.NextOffset, SubscriptionFormat.Size), WordNames.OfSubscription);
        foreach (Segment segment in _segments)
        {
            long first = segment.Index * Meta.SegmentSize;
            Words.Add(Bytes(ref segment.Header(first), 0, Meta.SegmentSize), offset => WordNames.OfLog(first + offset));
        }
    }

    /// <summary>What a process has open, for one run of one of its steps.</summary>
    public Seat SeatOf(int actor, StepRun run) => new(this, actor, run);

    /// <summary>The process that holds a byte of the lock file; one more than there are for one that is dead from the beginning.</summary>
    public int ProcessOfLock(long offset) => Math.Min((int)(offset - StoreFormat.FirstParticipantLock), Participants.Length);

    /// <summary>The process that an owner word names; -1 for none.</summary>
    public int ProcessOf(long ownerWord) => ownerWord == 0 ? -1 : Math.Min(ControlFormat.ParticipantIndex(ownerWord), Participants.Length);

    /// <summary>Whether a word says who owns something.</summary>
    public bool IsOwner(int word) => Words.Name(word) is "append lock";

    /// <summary>The number of the owner word of the lease cell whose message word this is; -1 for another word.</summary>
    public int OwnerOf(int word)
    {
        string name = Words.Name(word);
        if (!name.EndsWith(".message", StringComparison.Ordinal))
        {
            return -1;
        }
        string owner = name.Replace(".message", ".owner", StringComparison.Ordinal);
        return Enumerable.Range(0, Words.Count).FirstOrDefault(other => Words.Name(other) == owner, -1);
    }

    /// <summary>Whether a word is the subscription's next position.</summary>
    public bool IsNext(int word) => Words.Name(word) is "next";

    /// <summary>The messages that were there from the beginning on and stand between two positions, as bits.</summary>
    public long PresentBetween(long from, long to) =>
        _present.Select((position, message) => position >= from && position < to ? 1L << message : 0).Sum();

    /// <summary>Whether a word is never to become less.</summary>
    public bool OnlyGrows(int word) => Words.Name(word) is "tail" or "durable";

    /// <summary>The records of the log, as the files are now, up to the first zero header.</summary>
    public IEnumerable<(long Position, long Header, Segment Segment)> Records()
    {
        for (long position = Start; ;)
        {
            Segment segment = _segments[position / Meta.SegmentSize];
            long header = segment.Header(position);
            if (header == 0)
            {
                yield return (position, 0, segment);
                yield break;
            }
            yield return (position, header, segment);
            position = RecordFormat.Kind(header).IsPad() ? segment.NextSegmentStart : segment.After(position, RecordFormat.Length(header));
        }
    }

    private SafeFileHandle OpenLocks()
    {
        SafeFileHandle file = Files.OpenOrCreate(StoreFormat.LockName);
        _locks.Add(file);
        return file;
    }

    private static Span<byte> Bytes(ref long word, long offset, long length) =>
        MemoryMarshal.CreateSpan(ref Unsafe.Subtract(ref Unsafe.As<long, byte>(ref word), (nint)offset), (int)length);

    public void Dispose()
    {
        Allocator.Dispose();
        Table.Dispose();
        Transactions.Dispose();
        Subscription.Dispose();
        Control.Dispose();
        _locks.ForEach(static file => file.Dispose());
        Directory.Delete(_directory, recursive: true);
    }
}
