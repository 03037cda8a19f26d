using BlitQueue.Memory;
using BlitQueue.Platform;
using Microsoft.Win32.SafeHandles;

namespace BlitQueue.Log;

/// <summary>
/// Reads all of a queue's files and needs only the right to read them: takes no lock, changes nothing, is no participant. Reads the files
/// instead of mapping them, so that a failing disk becomes a finding and does not end the process.
/// </summary>
internal sealed class QueueVerifier(string directory, VerifyTally tally)
{
    private const int Piece = 1 << 20;

    private readonly QueueFiles _files = new(directory, default, FileAccess.Read);

    /// <param name="counts">Whether the report's number of messages includes the queue's; false for dead letters.</param>
    public void Run(bool counts = true)
    {
        int before = tally.Findings.Count;
        Guid? id = TryReadId();
        tally.Try(directory, () => Read(counts));
        if (IsGone(id))
        {
            // What was found is that files of a sound queue went while they were read.
            tally.Findings.RemoveRange(before, tally.Findings.Count - before);
        }
    }

    // Whether the queue that was read was deleted meanwhile. Another one may stand there now.
    private bool IsGone(Guid? read)
    {
        try
        {
            return TryReadId() is { } id ? read is not null && id != read
                : !CurrentPlatform.Instance.IsDirectory(directory)
                    || (read is not null
                        && (QueueDeletion.IsUnfinished(_files) || QueueDeletion.IsMarked(directory) || IsMarkedWithQueue()));
        }
        catch (DirectoryNotFoundException)
        {
            return true;
        }
        catch (Exception exception) when (SystemFailure.Is(exception))
        {
            return false;
        }
    }

    // As dead letters are.
    private bool IsMarkedWithQueue() => Path.GetDirectoryName(directory) is { } queue && QueueDeletion.IsMarked(queue);

    // null where queue.meta is missing or damaged.
    private Guid? TryReadId()
    {
        try
        {
            return QueueMeta.Read(_files).Id;
        }
        catch (Exception exception) when (exception is QueueException || SystemFailure.Is(exception))
        {
            return null;
        }
    }

    private void Read(bool counts)
    {
        if (_files.Exists(StoreFormat.RepairName))
        {
            tally.Found(_files.PathOf(StoreFormat.RepairName), StoreCheck.RepairNotEnded);
        }
        if (QueueDeletion.IsUnfinished(_files))
        {
            // The queue is just being made, or its maker was killed: it never had a message, and the next opening makes it.
            return;
        }
        if (tally.Try(_files.PathOf(StoreFormat.MetaName), ReadMeta) is { } meta)
        {
            using ControlFile? control = tally.Try(_files.PathOf(StoreFormat.ControlName), () => OpenControl(meta));
            ReadLog(meta, control, counts);
        }
    }

    private QueueMeta ReadMeta()
    {
        var meta = QueueMeta.Read(_files);
        StoreCheck.VerifySane(_files, meta);
        tally.Read(_files.PathOf(StoreFormat.MetaName), new FileInfo(_files.PathOf(StoreFormat.MetaName)).Length);
        return meta;
    }

    private ControlFile OpenControl(QueueMeta meta)
    {
        var control = new ControlFile(_files.Map(StoreFormat.ControlName, ControlFormat.Size));
        try
        {
            StoreCheck.VerifyControl(_files, meta, control);
            if (EpochTable.DamagedAt(control) is { } offset)
            {
                string what = EpochTable.IsLost(control) ? StoreCheck.DamagedEpochs : StoreCheck.DamagedEpochsCopy;
                tally.Found(_files.PathOf(StoreFormat.ControlName), $"at offset {offset}, {what}");
            }
            tally.Read(_files.PathOf(StoreFormat.ControlName), ControlFormat.Size);
            return control;
        }
        catch
        {
            control.Dispose();
            throw;
        }
    }

    // Reads the first retained segment, then the subscriptions, then the log's end: so no subscription is behind the end, unless an
    // appender has not moved the tail yet.
    private void ReadLog(QueueMeta meta, ControlFile? control, bool counts)
    {
        bool isAsLeft = control?.IsAsLeft(_files.PathOf(StoreFormat.ControlName)) == true;
        long retained = isAsLeft ? control!.FirstRetained : 0;
        List<VerifiedSubscription> subscriptions = ReadSubscriptions(meta);
        if (isAsLeft && StoreCheck.Impossible(meta, control!) is { } impossible)
        {
            tally.Found(_files.PathOf(StoreFormat.ControlName), impossible);
            isAsLeft = false;
        }
        long? tail = isAsLeft ? MachineMemory.Load(ref control!.Tail) : null;
        long[] expected = [.. subscriptions.Select(static one => one.Next.Value).Order()];
        var buffered = new List<RecoveryFinding>();
        var log = new LogVerifier(meta, tail, expected, buffered.Add);
        (long first, long last) = Range(meta, isAsLeft ? control : null, tail, expected);
        using var region = new MappedRegion(meta.SegmentSize);
        for (long index = first; index <= last; index++)
        {
            tally.ThrowIfCancelled();
            ReadSegment(region, meta, index, log, buffered);
            // Findings about segments that were deleted while they were read do not count.
            if (!isAsLeft || index >= control!.FirstRetained)
            {
                tally.Findings.AddRange(buffered);
            }
            buffered.Clear();
        }
        long reached = tail ?? (control is not null && control.BootId.Length > 0 ? MachineMemory.Load(ref control.Durable) : 0);
        // If all segments that were read are deleted by now, every subscription has passed them in the meantime.
        bool isStill = !isAsLeft || control!.FirstRetained <= last;
        if (log.End < reached && isStill)
        {
            tally.Found(
                _files.PathOf(StoreFormat.ControlName), $"it says that the log reached position {reached}, and it ends at {log.End}");
        }
        tally.Records += log.Records;
        tally.Messages += counts ? log.Messages : 0;
        Compare(
            subscriptions, expected, log, isStill ? log.End : long.MaxValue, isAsLeft ? retained * meta.SegmentSize : meta.FirstOf(first));
    }

    private void Compare(List<VerifiedSubscription> subscriptions, long[] expected, LogVerifier log, long end, long first)
    {
        foreach (VerifiedSubscription one in subscriptions)
        {
            long next = one.Next.Value;
            int index = Array.IndexOf(expected, next);
            tally.Subscriptions.Add(one with { Waiting = log.Messages - log.Before(index) });
            string? what = next > end
                ? $"it stands at position {next}, in front of the log's end at {end}: what is enqueued next would be passed over"
                : log.IsAmidLast(index) ? $"it stands at position {next}, where no record begins"
                : next < first
                    ? $"it stands at position {next}, and the log begins at {first}: what not every subscription had passed is gone"
                : null;
            if (what is not null)
            {
                tally.Found(_files.PathOf(StoreFormat.SubscriptionName(one.Name)), what);
            }
        }
    }

    // The segments to read. A batch may be published and consumed before its appender moves the tail: so at least up to the subscriptions'
    // positions.
    private (long First, long Last) Range(QueueMeta meta, ControlFile? control, long? tail, long[] expected)
    {
        SortedSet<long> named = SegmentNames.In(
            _files, meta, name => tally.Found(_files.PathOf(name), "no segment of this queue has such a name"));
        return control is not null ? (control.FirstRetained, LastRead(meta, control, tail!.Value, expected))
            : named.Count > 0 ? (named.Min, named.Max)
            : (0, -1);
    }

    private static long LastRead(QueueMeta meta, ControlFile control, long tail, long[] expected)
    {
        long made = MachineMemory.Load(ref control.AllocatedEnd) - 1, end = expected.Length > 0 ? Math.Max(tail, expected[^1]) : tail;
        return Math.Max(tail / meta.SegmentSize, Math.Min(end / meta.SegmentSize, made));
    }

    private void ReadSegment(MappedRegion region, QueueMeta meta, long index, LogVerifier log, List<RecoveryFinding> findings)
    {
        string path = _files.PathOf(StoreFormat.SegmentName(index * meta.SegmentSize));
        try
        {
            using SafeFileHandle file = _files.OpenExisting(Path.GetFileName(path));
            Fill(region, file, path, findings);
        }
        catch (FileNotFoundException)
        {
            findings.Add(new RecoveryFinding(path, 0, 0, "it is missing"));
            log.Miss();
            return;
        }
        catch (Exception exception) when (exception is QueueException or IOException or UnauthorizedAccessException)
        {
            findings.Add(new RecoveryFinding(path, 0, 0, $"it cannot be read: {exception.Message}"));
            log.Miss();
            return;
        }
        tally.Segments++;
        tally.Read(path, region.Length);
        if (SegmentHeader.Fault(region, meta, index) is { } fault)
        {
            findings.Add(new RecoveryFinding(path, 0, 0, fault));
        }
        log.Read(new Segment(region, meta, index, path));
    }

    private static void Fill(MappedRegion region, SafeFileHandle file, string path, List<RecoveryFinding> findings)
    {
        long length = RandomAccess.GetLength(file);
        if (length != region.Length)
        {
            findings.Add(new RecoveryFinding(path, length, 0, $"the file has {length} bytes where {region.Length} are expected"));
        }
        for (long offset = 0; offset < region.Length; offset += Piece)
        {
            Span<byte> piece = region.Bytes(offset, (int)Math.Min(Piece, region.Length - offset));
            int read = 0;
            try
            {
                read = RandomAccess.Read(file, piece, offset);
            }
            catch (IOException exception)
            {
                findings.Add(new RecoveryFinding(path, offset, piece.Length, $"the disk refuses to give it: {exception.Message}"));
            }
            piece[read..].Clear();
        }
    }

    // null if the subscription was deleted since its name was read.
    private SubscriptionFile? OpenIfThere(QueueMeta meta, string name)
    {
        try
        {
            return SubscriptionFile.Open(_files, meta, name);
        }
        catch (FileNotFoundException)
        {
            return null;
        }
    }

    private List<VerifiedSubscription> ReadSubscriptions(QueueMeta meta)
    {
        var subscriptions = new List<VerifiedSubscription>();
        foreach (string name in SubscriptionFile.Names(_files))
        {
            string path = _files.PathOf(StoreFormat.SubscriptionName(name));
            using SubscriptionFile? file = tally.Try(path, () => OpenIfThere(meta, name));
            if (file is { IsGone: false })
            {
                long next = SubscriptionFormat.Position(MachineMemory.Load(ref file.Next)), held = 0;
                for (int cell = 1; cell <= SubscriptionFormat.Cells; cell++)
                {
                    held += SubscriptionFormat.State(MachineMemory.Load(ref file.Message(cell))) is LeaseState.None or LeaseState.Claiming
                        ? 0
                        : 1;
                }
                subscriptions.Add(new VerifiedSubscription(directory, name, new QueuePosition(next), 0, held));
                tally.Read(path, SubscriptionFormat.Size);
            }
        }
        return subscriptions;
    }
}
