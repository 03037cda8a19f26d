using BlitQueue.Log;

namespace BlitQueue.Reliability.Corruption;

/// <summary>
/// Repairs a damaged store, and looks that it opens, that every message that was not hit is there, and that nothing was deleted.
/// </summary>
/// <param name="run">Counts.</param>
/// <param name="golden">The store before it was damaged.</param>
/// <param name="directory">The damaged store.</param>
/// <param name="mayEndEarlier">Whether the newest messages may be missing as after any loss of power.</param>
/// <param name="violate">Told of what is wrong.</param>
internal sealed class RepairTrial(CampaignRun run, Golden golden, string directory, bool mayEndEarlier, Action<string> violate)
{
    private readonly Dictionary<string, byte[]?> _damaged = [];

    public void Run()
    {
        byte[][] contents = Contents();
        HashSet<long> expected = Undamaged();
        RecoveryReport report;
        try
        {
            report = MappedQueue.Repair(directory);
        }
        catch (QueueCorruptException exception) when (exception.Path.EndsWith(StoreFormat.MetaName, StringComparison.Ordinal))
        {
            // With queue.meta every segment's header was hit: nothing says what the queue is.
            run.Count("queues of which nothing is left to repair");
            if (SegmentsOf(Path.GetRelativePath(directory, Path.GetDirectoryName(exception.Path)!))
                .FirstOrDefault(HasItsHeader) is { } sound)
            {
                violate($"{sound} says what the queue is, and was not asked: {exception.Message}");
            }
            return;
        }
        catch (QueueException exception) when (exception.Reason == QueueError.NewerFormat)
        {
            // One damaged figure of queue.meta: what a newer program has written is not to be mended by this one.
            run.Count("queues taken for a newer version's");
            return;
        }
        catch (Exception exception)
        {
            violate($"repair: {exception}");
            return;
        }
        run.Count("repairs");
        byte[][] after = Contents(), gone = [.. contents.Where(before => !after.Any(now => Contains(now, before)))];
        if (gone.Length > 0)
        {
            violate($"a repair has deleted or changed what it did not set aside: {gone.Length} segments");
        }
        if (run.RandomOf(report.MessageCount).Next(8) == 0 && MappedQueue.Repair(directory) is { IsSound: false } again)
        {
            violate($"a repaired queue is not sound: {again.Findings[0]}");
        }
        Judge(golden.Read(directory), expected, report);
    }

    private void Judge(Reading reading, HashSet<long> expected, RecoveryReport report)
    {
        // Without checksums nothing tells that a message is damaged before it is read.
        foreach (string wrong in reading.Wrong.Concat(
            reading.Faults.Where(_ => golden.HasChecksum).Select(static fault => $"{fault.Step}: {fault.Exception}")))
        {
            violate($"after a repair: {wrong}");
            return;
        }
        var known = golden.Records.Select(static record => record.Key).ToHashSet();
        if (golden.HasChecksum && reading.Log.FirstOrDefault(key => !known.Contains(key), -2) is var strange and not -2)
        {
            violate($"after a repair a wrong message came out, {strange}");
        }
        expected.ExceptWith(reading.Log);
        // What may be torn is set aside where the batch that it is of is not whole.
        if (golden.HasChecksum && expected.Count > report.Findings.Sum(static finding => finding.MessageCount))
        {
            violate($"after a repair {expected.Count} messages that were not damaged are missing, the first is {expected.Min()}");
        }
        if (golden.HasChecksum && !reading.AppendIsRead)
        {
            violate("after a repair what was appended did not come out");
        }
        if (golden.HasChecksum)
        {
            JudgeReport(reading.Log.ToHashSet(), report);
        }
        run.Count("messages found after repairs", reading.Log.Count);
    }

    // Whatever is lost, the report names the place.
    private void JudgeReport(HashSet<long> found, RecoveryReport report)
    {
        int last = golden.Records.FindLastIndex(record => found.Contains(record.Key));
        for (int i = 0; i < golden.Records.Count; i++)
        {
            bool isNewest = i > last;
            if (!found.Contains(golden.Records[i].Key) && !(isNewest && mayEndEarlier)
                && !report.Findings.Any(finding => Names(finding, golden.Records[i], isNewest)))
            {
                violate(
                    $"after a repair message {golden.Records[i].Key} of {golden.Records[i].File} at {golden.Records[i].Offset} is missing, "
                    + "and the report does not say so: "
                    + string.Join("; ", report.Findings));
                return;
            }
        }
    }

    private bool Names(RecoveryFinding finding, GoldenRecord record, bool isNewest)
    {
        string file = Path.GetRelativePath(directory, finding.File);
        if (file == record.File)
        {
            return finding.Bytes == 0 || record.Length == 0
                || (finding.Offset < record.Offset + record.Length && record.Offset < finding.Offset + finding.Bytes);
        }
        // The one word that says how far the log reached.
        if (isNewest && file == Path.Combine(golden.Queue, StoreFormat.ControlName))
        {
            return true;
        }
        // Where the log ends, and where segments are missing, the first place is named.
        bool isOpen = finding.Bytes == 0 && (isNewest || Read(record.File) is null) && IsSegment(file)
            && string.CompareOrdinal(file, record.File) < 0;
        return isOpen || (record.Length == 0 && IsSegment(file));
    }

    private static bool IsSegment(string name) => Path.GetFileName(name).StartsWith(StoreFormat.SegmentPrefix, StringComparison.Ordinal);

    private IEnumerable<string> SegmentsOf(string queue) =>
        golden.Files.Names.Where(name => Path.GetDirectoryName(name) == (queue == "." ? "" : queue) && IsSegment(name));

    private bool HasItsHeader(string name) => Read(name) is { Length: >= SegmentFormat.PageSize } bytes
        && bytes.AsSpan(0, SegmentFormat.PageSize).SequenceEqual(golden.Files[name].AsSpan(0, SegmentFormat.PageSize));

    // Messages whose bytes are what and where they were.
    private HashSet<long> Undamaged()
    {
        var keys = new HashSet<long>();
        for (int i = 0; i < golden.Records.Count; i++)
        {
            GoldenRecord record = golden.Records[i];
            if (record.Offset >= SegmentFormat.PageSize && (record.Length > 0 ? IsSame(record) : AreSame(i)))
            {
                keys.Add(record.Key);
            }
        }
        return keys;
    }

    private bool IsSame(GoldenRecord record) =>
        Read(record.File) is { } bytes
        && bytes.Length >= record.Offset + record.Length
        && bytes.AsSpan(record.Offset, record.Length).SequenceEqual(golden.Files[record.File].AsSpan(record.Offset, record.Length));

    // In pieces: all that is between the message before and the one behind, and so the segments that they are in.
    private bool AreSame(int index)
    {
        string first = golden.Records[Math.Max(0, index - 1)].File,
            last = golden.Records[Math.Min(golden.Records.Count - 1, index + 2)].File;
        return golden.Files.Names
            .Where(name => Path.GetFileName(name).StartsWith(StoreFormat.SegmentPrefix, StringComparison.Ordinal)
                && string.CompareOrdinal(name, first) >= 0 && string.CompareOrdinal(name, last) <= 0)
            .All(name => Read(name) is { } bytes && bytes.AsSpan().SequenceEqual(golden.Files[name]));
    }

    // Before the repair.
    private byte[]? Read(string name)
    {
        if (!_damaged.TryGetValue(name, out byte[]? bytes))
        {
            var file = new FileInfo(Path.Combine(directory, name));
            _damaged.Add(name, bytes = file is { Exists: true, LinkTarget: null, Length: > 0 } ? File.ReadAllBytes(file.FullName) : null);
        }
        return bytes;
    }

    private byte[][] Contents() =>
    [
        .. Directory.EnumerateFiles(
            directory, "*", new EnumerationOptions { RecurseSubdirectories = true, AttributesToSkip = FileAttributes.ReparsePoint })
            .Where(static path => Path.GetFileName(path).StartsWith(StoreFormat.SegmentPrefix, StringComparison.Ordinal)
                && !path.EndsWith(StoreFormat.UnfinishedSuffix, StringComparison.Ordinal)
                && new FileInfo(path) is { LinkTarget: null, Length: > 0 })
            .Select(static path => File.ReadAllBytes(path)),
    ];

    // But for words that were zero, where a pad or a hole may stand now, and those of the header that each appender raises, or that tell
    // how many messages there are and are counted anew.
    private static bool Contains(byte[] now, byte[] before)
    {
        for (int at = 0; at < before.Length && now.Length == before.Length; at += sizeof(long))
        {
            int length = Math.Min(sizeof(long), before.Length - at);
            if (at != SegmentFormat.StampedOffset && !SegmentCounts.IsNote(at, SegmentFormat.PageSize)
                && before.AsSpan(at, length).ContainsAnyExcept((byte)0)
                && !before.AsSpan(at, length).SequenceEqual(now.AsSpan(at, length)))
            {
                return false;
            }
        }
        return now.Length == before.Length;
    }
}
