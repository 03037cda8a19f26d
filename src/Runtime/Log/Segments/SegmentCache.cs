using BlitQueue.Memory;

namespace BlitQueue.Log;

/// <summary>
/// The segments that this handle has mapped. The appender and each cursor pin the one they are in. The cache keeps a few that are not
/// pinned as spares: a passed segment's file usually comes back as a later segment, with its pages still mapped. It unmaps the others as
/// soon as the calls that may have seen them are over.
/// </summary>
/// <param name="files">The queue's files.</param>
/// <param name="meta">The queue's settings.</param>
/// <param name="gate">Knows who is inside a call, and may have seen a segment.</param>
/// <param name="control">Says which segments were given up, and where the log ends; null where there is no control file that says
/// so.</param>
internal sealed class SegmentCache(QueueFiles files, QueueMeta meta, CallGate gate, ControlFile? control) : IDisposable, IThreadPoolWorkItem
{
    // A process may have some 65,000 mappings (vm.max_map_count), and a runtime that gets no more of them ends the process.
    private const int MostRetired = 8;

    private readonly Dictionary<long, (Segment Segment, int Pins)> _pinned = [];
    private readonly List<Segment> _spares = [];
    private readonly List<(Segment Segment, CallSnapshot Users)> _retired = [];
    private readonly Lock _unmapping = new();
    private readonly BackgroundRetry _later = new();
    private readonly long _size = meta.SegmentSize;

    /// <summary>
    /// How many segments that are not pinned are kept. A queue whose consumers are as fast as its producers uses three files in turn: the
    /// one that is written, the one made ahead, the one just passed.
    /// </summary>
    public int MostIdle { get; set; } = 2;

    /// <summary>As <see cref="MostIdle"/>, for a while after a large message; what is more than both is unmapped at once.</summary>
    public int MostIdleOfLarge
    {
        get;
        set
        {
            lock (_pinned)
            {
                field = value;
                RetireSurplus();
            }
        }
    }

    /// <summary>The damages that calls on this handle have met.</summary>
    public DamageCount Damages { get; set; } = new();

    /// <summary>Whether no store may cross the end of a page. Then messages are packed elsewhere and copied.</summary>
    public bool WritesByPage { get; } = files.Medium.CopiesOnWrite;

    /// <summary>The directory that the segments are in.</summary>
    public string Directory => files.Directory;

    /// <summary>Whether the segment's file exists under its name.</summary>
    public bool Exists(long index) => files.Exists(StoreFormat.SegmentName(index * _size));

    /// <summary>
    /// The first segment behind this one whose file exists; null where there is none. Its cost does not depend on where a damaged word says
    /// that the log ends.
    /// </summary>
    public long? NextThere(long index) =>
        index < long.MaxValue && SegmentNames.In(files, meta).GetViewBetween(index + 1, long.MaxValue) is { Count: > 0 } later
            ? later.Min
            : null;

    public string PathOf(long index) => files.PathOf(StoreFormat.SegmentName(index * _size));

    /// <summary>How many segments are mapped.</summary>
    public int Mapped
    {
        get
        {
            lock (_pinned)
            {
                return _pinned.Count + _spares.Count + _retired.Count;
            }
        }
    }

    /// <summary>Whether the segment with this index is mapped already.</summary>
    public bool IsMapped(long index)
    {
        lock (_pinned)
        {
            return _pinned.ContainsKey(index) || _spares.Exists(spare => spare.Index == index);
        }
    }

    /// <summary>Pins the segment with this index, and maps it where it is not mapped.</summary>
    /// <returns>null when its file does not exist.</returns>
    public Segment? Pin(long index)
    {
        lock (_pinned)
        {
            if (!_pinned.TryGetValue(index, out (Segment Segment, int Pins) entry))
            {
                if (Open(index) is not { } segment)
                {
                    return null;
                }
                entry = (segment, 0);
            }
            _pinned[index] = (entry.Segment, entry.Pins + 1);
            return entry.Segment;
        }
    }

    /// <summary>Pins the segment that the tail is in, or a segment behind it that was made ahead.</summary>
    /// <exception cref="QueueCorruptException">Its file does not exist, or is damaged.</exception>
    public Segment PinMade(long index) => Damages.Noting(() => Pin(index) ?? throw new QueueCorruptException(
        PathOf(index), 0,
        "the segment that the tail is in does not exist. End all use of the queue: the next opening goes on behind it. "
            + $"{StoreFormat.Remedy}"));

    /// <summary>Where the log ends; null where only the log itself says so.</summary>
    public long? Tail<TMem>() where TMem : struct, ISharedMemory => control is null ? null : TMem.Load(ref control.Tail);

    /// <summary>
    /// Whether a segment had not been given up when the caller last read from it. Then what was read is its own, and not that of a later
    /// segment, which its file may have become.
    /// </summary>
    public bool IsStill(long index)
    {
        // SYNC POINT first retained: a process that gives a segment up says so before anybody writes to its file again, and with a full
        // fence here the look at that word comes after the reading. The fence is on a variable of this thread, because some readers may not
        // write to the control file.
        long fence = 0;
        MachineMemory.CompareExchange(ref fence, 0, 0);
        return control is null || index >= control.FirstRetained;
    }

    /// <summary>
    /// Pins a segment that others may give up at any time, and whose file they may delete or reuse for a later one. Readers for whom no
    /// process waits must pin in this way. What they read counts only if <see cref="IsStill"/> says so afterwards.
    /// </summary>
    /// <returns>null when it was given up, or its file does not exist.</returns>
    /// <exception cref="QueueCorruptException">It was not given up, and its file is damaged.</exception>
    public Segment? PinIfStill(long index)
    {
        try
        {
            Segment? segment = Pin(index);
            if (segment is null || IsStill(index))
            {
                return segment;
            }
            Unpin(segment);
        }
        catch (QueueException) when (!IsStill(index))
        {
            // The file became another segment while it was opened.
        }
        return null;
    }

    /// <summary>Reads from a segment that others may give up meanwhile.</summary>
    /// <returns>null when it was, or its file does not exist.</returns>
    /// <exception cref="QueueCorruptException">It was not given up, and its file is damaged.</exception>
    public long? LookIfStill(long index, Func<Segment, long> look)
    {
        if (PinIfStill(index) is not { } segment)
        {
            return null;
        }
        try
        {
            long seen = look(segment);
            return IsStill(index) ? seen : null;
        }
        finally
        {
            Unpin(segment);
        }
    }

    /// <summary>
    /// The position, or the first one of a later segment where there is only padding in between. No consumer needs the padding, and a
    /// consumer passes it only when it looks for the next message. Each restart of the machine may leave a segment of padding alone.
    /// </summary>
    public long BehindPadding(long position)
    {
        try
        {
            while (IsPadding(position))
            {
                position = meta.FirstBehind(position);
            }
        }
        catch (QueueException)
        {
            // A read there reports the damage.
        }
        return position;
    }

    // SYNC POINT record: acquires the zero header at the next segment's start.
    private bool IsPadding(long position) => meta.FirstBehind(position) <= Tail<MachineMemory>()
        && LookIfStill(position / _size, segment => MachineMemory.Load(ref segment.Header(position))) is { } header
        && RecordFormat.Kind(header).IsPad() && meta.RecordCheck.Fits(header, position, []);

    /// <summary>When the segment's first record was appended, UTC ticks; null when it has none, or the segment no longer exists.</summary>
    public long? Entered(long index) => IfStill(index, SegmentHeader.ReadEntered(files, StoreFormat.SegmentName(index * _size)));

    /// <summary>The latest timestamp of the segment's records, UTC ticks; null when the segment no longer exists.</summary>
    public long? Stamped(long index) => IfStill(index, SegmentHeader.ReadStamped(files, StoreFormat.SegmentName(index * _size)));

    private long? IfStill(long index, long? read) => IsStill(index) ? read : null;

    /// <summary>Releases a pin.</summary>
    public void Unpin(Segment? segment)
    {
        if (segment is null)
        {
            return;
        }
        lock (_pinned)
        {
            int pins = _pinned[segment.Index].Pins - 1;
            if (pins > 0)
            {
                _pinned[segment.Index] = (segment, pins);
                return;
            }
            _pinned.Remove(segment.Index);
            Spare(segment);
        }
    }

    /// <summary>Unmaps a segment whose file was deleted: the disk has its blocks back when the last process has unmapped it.</summary>
    public void Forget(long index)
    {
        lock (_pinned)
        {
            if (_spares.Find(spare => spare.Index == index) is { } spare)
            {
                Retire(spare);
            }
        }
    }

    private void Spare(Segment segment)
    {
        _spares.Add(segment);
        RetireSurplus();
    }

    private void RetireSurplus()
    {
        while (_spares.Count > Math.Max(MostIdle, MostIdleOfLarge))
        {
            Retire(_spares[0]);
        }
    }

    // Unmapping 64 MiB takes milliseconds, and the caller that leaves a segment is about to append or to consume. Where a thread leaves
    // segments faster than the pool unmaps them, it does that itself.
    private void Retire(Segment spare)
    {
        _spares.Remove(spare);
        _retired.Add((spare, gate.Others(spare.Mapping)));
        if (_retired.Count > MostRetired)
        {
            UnmapUnused();
        }
        if (_retired.Count > 0)
        {
            ThreadPool.UnsafeQueueUserWorkItem(this, preferLocal: false);
        }
    }

    // Perhaps no segment is left after the calls that still use some, and a full disk has no block back of a deleted file that is mapped.
    // As a rule this look leaves none, and saves the fence of the ones that are tried again.
    void IThreadPoolWorkItem.Execute()
    {
        if (!TryUnmapRetired())
        {
            _later.Start(TryUnmapRetired);
        }
    }

    // false where a call may still use some of them.
    private bool TryUnmapRetired()
    {
        lock (_unmapping)
        {
            UnmapUnused();
        }
        lock (_pinned)
        {
            return _retired.Count == 0;
        }
    }

    private void UnmapUnused() => TakeUnused().ForEach(static segment => segment.Unmap());

    // The header's position alone does not decide: a maker that was killed may have left it in a file without the new name. So this looks
    // at which file has the name, except for a spare that was mapped under the name, or that this handle gave it to.
    private Segment? TakeSpare(long index)
    {
        Segment? spare = _spares.Find(spare => spare.Index == index && spare.SaysItIs(index));
        if (spare is null && _spares.Count > 0 && SegmentHeader.ReadFileId(files, StoreFormat.SegmentName(index * _size)) is { } fileId)
        {
            spare = _spares.Find(spare => spare.FileId == fileId && spare.SaysItIs(index));
        }
        return spare is null || !_spares.Remove(spare) ? null : spare.Index == index ? spare : spare.As(index, PathOf(index));
    }

    /// <summary>
    /// Notes that this handle gave a file the name of a segment. If the file is mapped as a spare, that is the segment's mapping from now
    /// on.
    /// </summary>
    public void Rename(Guid fileId, long index)
    {
        lock (_pinned)
        {
            int spare = _spares.FindIndex(one => one.FileId == fileId);
            if (spare >= 0)
            {
                _spares[spare] = _spares[spare].As(index, PathOf(index));
            }
        }
    }

    private List<Segment> TakeUnused()
    {
        lock (_pinned)
        {
            List<Segment> unused = [];
            _retired.RemoveAll(entry =>
            {
                bool over = entry.Users.IsOver;
                if (over)
                {
                    unused.Add(entry.Segment);
                }
                return over;
            });
            return unused;
        }
    }

    private Segment? Open(long index)
    {
        try
        {
            return TakeSpare(index) ?? Map(index);
        }
        catch (FileNotFoundException)
        {
            return null;
        }
        catch (Exception exception) when (SystemFailure.Is(exception))
        {
            throw SystemFailure.Of(PathOf(index), exception);
        }
    }

    private Segment Map(long index)
    {
        MappedRegion region = files.Map(StoreFormat.SegmentName(index * _size), _size);
        SegmentHeader.Verify(region, meta, index, PathOf(index));
        return new Segment(region, meta, index, PathOf(index)) { Mapping = gate.NumberMapping() };
    }

    /// <summary>Unmaps everything. No call is inside any more.</summary>
    public void Dispose()
    {
        _later.Dispose();
        lock (_unmapping)
            lock (_pinned)
            {
                foreach (Segment segment in _pinned.Values.Select(static entry => entry.Segment)
                    .Concat(_spares).Concat(_retired.Select(static entry => entry.Segment)))
                {
                    segment.Unmap();
                }
                _pinned.Clear();
                _spares.Clear();
                _retired.Clear();
            }
    }
}
