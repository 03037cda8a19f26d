using System.Buffers.Binary;
using System.Text;
using BlitQueue.Log;

namespace BlitQueue.Reliability.Corruption;

/// <summary>
/// A queue that is damaged while it is in use, between two boots, or loses power, up to three times, and what its subscriptions are given:
/// of what is intact in the files nothing is missing that was not told and set aside, nothing comes twice, nothing out of order.
/// </summary>
internal sealed class LossTrial(CampaignRun run, string directory, long part, Random random)
{
    private const int SegmentSize = 1 << 16, MostHoles = 2000;
    private const string Late = "late";

    private readonly Dictionary<string, List<long>> _given = new() { ["default"] = [], [Late] = [] };
    private readonly Durability _durability = random.Next(2) == 0 ? Durability.PageCache : Durability.Commit;
    private readonly List<string> _story = [];

    // Messages that no one record holds.
    private readonly HashSet<long> _split = [];

    // While the handle had them mapped.
    private readonly HashSet<string> _removed = [];
    private Dictionary<string, byte[]> _files = [];
    private Dictionary<long, (string File, int Offset, byte[] Bytes)> _records = [];
    private HashSet<long> _intact = [];
    private HashSet<long> _bodies = [];
    private long _next = 1;
    private int _moves;
    private string _directory = "";

    private enum Moment
    {
        Running,
        Restart,
        PowerLoss,
    }

    public void Run()
    {
        _directory = Path.Combine(directory, "queue-0");
        try
        {
            MappedQueue<RawMessage> queue = Open();
            try
            {
                for (int round = random.Next(1, 4); round > 0; round--)
                {
                    queue = Go(queue);
                }
            }
            finally
            {
                queue.Dispose();
            }
        }
        catch (Exception exception)
        {
            Violate($"{exception}");
        }
        Directory.Delete(directory, recursive: true);
    }

    private MappedQueue<RawMessage> Go(MappedQueue<RawMessage> queue)
    {
        Use(queue);
        var moment = (Moment)random.Next(3);
        run.Count($"{moment}, {_durability}");
        _story.Add($"{moment}");
        if (moment == Moment.Restart)
        {
            queue.Dispose();
        }
        _files = Snapshot();
        _records = Records();
        if (moment == Moment.PowerLoss)
        {
            queue.Dispose();
            _directory = Path.Combine(directory, $"queue-{++_moves}");
            Directory.CreateDirectory(_directory);
            foreach ((string name, byte[] bytes) in _files)
            {
                File.WriteAllBytes(Path.Combine(_directory, name), bytes);
                StoreFiles.PretendOriginal(Path.Combine(_directory, name));
            }
            LosePages();
        }
        for (int count = random.Next(1, 3); count > 0; count--)
        {
            Damage(moment);
        }
        _intact = [.. _records.Where(IsIntact).Select(static record => record.Key)];
        _bodies = [.. _records.Where(IsBodyIntact).Select(static record => record.Key)];
        if (moment != Moment.Running)
        {
            PretendRestart();
            queue = Open();
            _removed.Clear();
            run.Count(queue.Recovered is null ? "nothing to tell" : "told by a report");
        }
        CheckGiven(queue, "default", moment);
        CheckGiven(queue, Late, moment);
        return queue;
    }

    // Segments are made ahead, and used again, in the background.
    private Dictionary<string, byte[]> Snapshot()
    {
        var files = new Dictionary<string, byte[]>();
        foreach (string path in Directory.GetFiles(_directory)
            .Where(static path => !path.EndsWith(StoreFormat.UnfinishedSuffix, StringComparison.Ordinal)))
        {
            if (TryReadAll(path) is { } bytes)
            {
                files[Path.GetFileName(path)] = bytes;
            }
        }
        return files;
    }

    private void Use(MappedQueue<RawMessage> queue)
    {
        queue.Subscribe(Late).Dispose();
        for (int count = random.Next(5, 60); count > 0; count--)
        {
            RawMessage[] messages = [.. Enumerable.Range(0, random.Next(3) == 0 ? random.Next(2, 40) : 1).Select(_ => Message(_next++))];
            try
            {
                if (messages.Length > 1)
                {
                    queue.EnqueueBatch(messages);
                }
                else
                {
                    queue.Enqueue(messages[0], random.Next(8) == 0 ? Durability.Commit : Durability.PageCache);
                }
            }
            catch (QueueCorruptException) when (_removed.Count > 0)
            {
                // What is gone cannot be made durable, and where the log's end is gone nothing goes on
                // behind it; what is in the files counts.
                run.Count("appends that met a segment which was removed");
            }
        }
        using Subscription<RawMessage> subscription = queue.Subscribe("default");
        Take(subscription, "default", random.Next(100));
    }

    private RawMessage Message(long key)
    {
        byte[] bytes = new byte[random.Next(10) == 0 ? random.Next(8, 100_000) : random.Next(8, 400)];
        if (bytes.Length > SegmentSize - (2 * SegmentFormat.PageSize))
        {
            _split.Add(key);
        }
        random.NextBytes(bytes);
        BinaryPrimitives.WriteInt64LittleEndian(bytes, key);
        return new RawMessage(bytes);
    }

    private void Take(Subscription<RawMessage> subscription, string name, int most)
    {
        RawMessage? message = null;
        for (int taken = 0, holes = 0; taken < most;)
        {
            try
            {
                if (!subscription.TryDequeue(ref message))
                {
                    return;
                }
                long key = BinaryPrimitives.ReadInt64LittleEndian(message!.Bytes);
                if (_given[name] is [.., var last] && key <= last)
                {
                    Violate($"{name} is given {key} behind {last}");
                }
                _given[name].Add(key);
                taken++;
            }
            catch (QueueCorruptException exception) when (exception.HoleEnd is not null && holes++ < MostHoles)
            {
                run.Count("holes");
                subscription.SkipCorrupt();
            }
        }
    }

    private void CheckGiven(MappedQueue<RawMessage> queue, string name, Moment moment)
    {
        int before = _given[name].Count;
        long from = before > 0 ? _given[name][^1] : 0;
        using Subscription<RawMessage> subscription = queue.Subscribe(name);
        Take(subscription, name, int.MaxValue);
        var given = _given[name].Skip(before).ToHashSet();
        if (given.FirstOrDefault(key => !_bodies.Contains(key) && !_split.Contains(key) && !IsMappedStill(key)) is var wrong and not 0)
        {
            Violate($"{name} is given {wrong}, which is not intact or was lost before");
        }
        long[] missing = [.. _intact.Where(key => key > from && !given.Contains(key)).Order()];
        long[] lost = [.. missing.Where(key => !IsSetAside(key, queue.Recovered))];
        run.Count("messages given", given.Count);
        run.Count("messages set aside and told", missing.Length - lost.Length);
        if (lost.Length > 0)
        {
            Violate(
                $"{name} is not given {lost.Length} intact messages, the first is {lost[0]} at {_records[lost[0]].File} "
                + $"{_records[lost[0]].Offset}; "
                + $"told: {string.Join("; ", queue.Recovered?.Findings ?? [])}");
        }
        if (missing.Length > 0 && moment == Moment.Running)
        {
            Violate($"{name} is not given {missing.Length} intact messages of a running queue, the first is {missing[0]}");
        }
    }

    // A file that was removed while it was in use is there for those who had it, also for what is enqueued later: then no file holds it.
    private bool IsMappedStill(long key) => _records.TryGetValue(key, out (string File, int Offset, byte[] Bytes) record)
        ? _removed.Contains(record.File)
        : _removed.Count > 0;

    private bool IsSetAside(long key, RecoveryReport? report)
    {
        (string file, int offset, byte[] bytes) = _records[key];
        return report is not null
            && report.SetAside.Any(aside => Directory.EnumerateFiles(aside, file + "*").Any(kept => Contains(kept, offset, bytes)));
    }

    private static bool Contains(string path, int offset, byte[] bytes) =>
        TryReadAll(path) is { } content && content.Length >= offset + bytes.Length
            && content.AsSpan(offset, bytes.Length).SequenceEqual(bytes);

    private bool IsIntact(KeyValuePair<long, (string File, int Offset, byte[] Bytes)> record) =>
        Contains(Path.Combine(_directory, record.Value.File), record.Value.Offset, record.Value.Bytes);

    // The header alone is damaged: in a batch, whose sum shows what it was, it may be made again.
    private bool IsBodyIntact(KeyValuePair<long, (string File, int Offset, byte[] Bytes)> record) => Contains(
        Path.Combine(_directory, record.Value.File), record.Value.Offset + RecordFormat.HeaderSize,
        record.Value.Bytes[RecordFormat.HeaderSize..]);

    // Looked for at every place, before the files are damaged: an earlier round may have damaged a header, which tells no more where the
    // next record is. A message in pieces counts where one record holds it.
    private Dictionary<long, (string, int, byte[])> Records()
    {
        var records = new Dictionary<long, (string, int, byte[])>();
        RecordCheck check = QueueMeta.Read(new QueueFiles(_directory, UnixFileMode.None)).RecordCheck;
        long tail = BinaryPrimitives.ReadInt64LittleEndian(_files[StoreFormat.ControlName].AsSpan(ControlFormat.TailOffset));
        foreach ((string name, byte[] bytes) in _files)
        {
            if (!StoreFormat.TryParseSegment(name, out long start))
            {
                continue;
            }
            for (int offset = SegmentFormat.PageSize;
                offset < bytes.Length - RecordFormat.HeaderSize && start + offset < tail;
                offset += RecordFormat.HeaderSize)
            {
                long header = BinaryPrimitives.ReadInt64LittleEndian(bytes.AsSpan(offset));
                int length = RecordFormat.Length(header), behind = offset + RecordFormat.HeaderSize;
                if (RecordFormat.Kind(header) is RecordKind.Data or RecordKind.BatchData && length <= bytes.Length - behind
                    && check.Fits(header, start + offset, bytes.AsSpan(behind, length)))
                {
                    records[BinaryPrimitives.ReadInt64LittleEndian(bytes.AsSpan(behind))] = (name, offset,
                        bytes[offset..(behind + length)]);
                }
            }
        }
        return records;
    }

    // Of what was not known to be on the disk.
    private void LosePages()
    {
        long durable = BinaryPrimitives.ReadInt64LittleEndian(_files[StoreFormat.ControlName].AsSpan(ControlFormat.DurableOffset));
        foreach (string name in _files.Keys.Where(static name => StoreFormat.TryParseSegment(name, out _)))
        {
            StoreFormat.TryParseSegment(name, out long start);
            for (int page = SegmentFormat.PageSize; page < SegmentSize; page += SegmentFormat.PageSize)
            {
                if (start + page >= durable && random.Next(10) == 0)
                {
                    Overwrite(name, page, new byte[SegmentFormat.PageSize]);
                    _story.Add($"page {page} of {name} lost");
                }
            }
        }
    }

    private void Damage(Moment moment)
    {
        string[] segments = [.. _files.Keys.Where(name => StoreFormat.TryParseSegment(name, out _)
            && File.Exists(Path.Combine(_directory, name)))];
        int kind = random.Next(moment == Moment.Running ? 8 : 10);
        if (kind == 9)
        {
            File.Delete(Path.Combine(_directory, StoreFormat.ControlName));
            _story.Add("queue.control lost");
        }
        else if (kind >= 7 && segments.Length > 0)
        {
            string name = segments[random.Next(segments.Length)];
            File.Delete(Path.Combine(_directory, name));
            _removed.Add(name);
            _story.Add($"{name} lost");
        }
        else if (segments.Length > 0)
        {
            string name = segments[random.Next(segments.Length)];
            int used = _files[name].AsSpan().TrimEnd((byte)0).Length;
            int offset = random.Next(moment == Moment.Running ? SegmentFormat.PageSize : 0, Math.Max(used, SegmentFormat.PageSize + 8)),
                bit = random.Next(8);
            try
            {
                using FileStream file = Open(name);
                file.Position = offset;
                int was = file.ReadByte();
                file.Position = offset;
                file.WriteByte((byte)(was ^ (1 << bit)));
                _story.Add($"byte {offset} of {name} changed");
            }
            catch (FileNotFoundException)
            {
                run.Count("damages too late: the queue had given the segment up");
            }
        }
    }

    private void Overwrite(string name, int offset, byte[] bytes)
    {
        using FileStream file = Open(name);
        file.Position = offset;
        file.Write(bytes);
    }

    private FileStream Open(string name)
        => File.Open(Path.Combine(_directory, name), FileMode.Open, FileAccess.ReadWrite, FileShare.ReadWrite | FileShare.Delete);

    private void PretendRestart()
    {
        if (File.Exists(Path.Combine(_directory, StoreFormat.ControlName)))
        {
            Overwrite(StoreFormat.ControlName, ControlFormat.BootOffset, Encoding.ASCII.GetBytes($"another boot of this machine {_moves}"));
        }
    }

    // null where the queue has deleted it, or used it anew, meanwhile.
    private static byte[]? TryReadAll(string path)
    {
        try
        {
            using FileStream file = File.Open(path, FileMode.Open, FileAccess.Read, FileShare.ReadWrite | FileShare.Delete);
            byte[] bytes = new byte[file.Length];
            file.ReadExactly(bytes);
            return bytes;
        }
        catch (FileNotFoundException)
        {
            return null;
        }
    }

    private MappedQueue<RawMessage> Open() => MappedQueue<RawMessage>.Open(
        _directory, new QueueOptions { SegmentSize = SegmentSize, UseChecksums = true, Durability = _durability });

    private void Violate(string what) => run.Violate($"loss trial {part}, {_durability}, {string.Join(", ", _story)}: {what}");
}
