using BlitQueue.Log;
using BlitQueue.Memory;
using BlitQueue.Tests.Processes;
using Xunit;

namespace BlitQueue.Tests.Queue;

/// <summary>A part of the log is lost while the queue is open: consumers are told where, and no other message goes with it.</summary>
public sealed class HoleTests : QueueFixture
{
    private const int SegmentSize = 1 << 16;

    private static readonly QueueOptions Checked = new() { SegmentSize = SegmentSize, UseChecksums = true };

    /// <summary>The ways to consume or to read.</summary>
    public static TheoryData<string> Forms => [.. AllForms];

    private static readonly string[] AllForms = ["dequeue", "properties", "span", "peek", "lease", "exclusive", "exclusive span", "async",
        "cursor"];

    [Theory]
    [MemberData(nameof(Forms))]
    public void A_zeroed_sector_is_told_at_once_with_both_ends_and_costs_no_other_message(string form)
    {
        using MappedQueue<Note> queue = Open(Checked);
        for (int id = 0; id < 3000; id++)
        {
            queue.Enqueue(Of(id));
        }
        List<(long Id, long From, long To)> records = RecordsOf(queue);
        (_, long start, _) = records[1000];
        Overwrite(start, new byte[512]);
        var reading = new Reading(queue, form);
        var expected = records.Where(record => record.To <= start || record.From >= start + 512)
            .Select(static record => record.Id).ToList();
        Assert.Equal(expected, reading.ReadAll());
        QueueCorruptException hole = Assert.Single(reading.Holes);
        Assert.Equal((Segment(start), start & (SegmentSize - 1)), (hole.Path, hole.Offset));
        Assert.Equal(
            (start, records.First(record => record.From >= start + 512).From), (hole.HoleStart!.Value.Value, hole.HoleEnd!.Value.Value));
        Assert.All(
            [$"{hole.HoleStart}", $"{hole.HoleEnd}", "SkipCorrupt()", $"MappedQueue.Repair(\"{Site.Queue}\")"],
            part => Assert.Contains(part, hole.Message, StringComparison.Ordinal));
    }

    [Theory]
    [MemberData(nameof(Forms))]
    public void A_missing_segment_is_one_hole(string form)
    {
        using MappedQueue<Note> queue = Open(Checked);
        for (int id = 0; id < 3000; id++)
        {
            queue.Enqueue(Of(id, 100));
        }
        List<(long Id, long From, long To)> records = RecordsOf(queue);
        long[] segments = [.. records.Select(static record => record.From / SegmentSize).Distinct()];
        Assert.True(segments.Length > 4);
        // Another handle, that has nothing of it mapped.
        using MappedQueue<Note> other = Open(Checked);
        File.Delete(Segment(segments[2] * SegmentSize));
        var reading = new Reading(other, form);
        Assert.Equal(
            records.Where(record => record.From / SegmentSize != segments[2]).Select(static record => record.Id), reading.ReadAll());
        Assert.Equal(Segment(segments[2] * SegmentSize), Assert.Single(reading.Holes).Path);
        other.GetStatus();
        // What is behind it is given up when everybody has passed it, as everything else.
        other.Purge();
        Assert.True(Directory.GetFiles(Site.Queue, "segment-*").Count(static path => !path.Contains("-aside-")) <= 3);
    }

    [Theory]
    [InlineData("single")]
    [InlineData("try")]
    [InlineData("batch")]
    [InlineData("large")]
    [InlineData("async")]
    public async Task A_segment_made_ahead_that_is_removed_is_told_and_costs_nothing(string form)
    {
        long enqueued = 0;
        using (MappedQueue<Note> first = Open(Checked))
        {
            // In the middle of the second segment.
            for (; enqueued < 90; enqueued++)
            {
                first.Enqueue(Of(enqueued, 1000));
            }
            // Not only named, but announced: until then the next handle would make it.
            Assert.True(SpinWait.SpinUntil(
                () => SegmentFiles().Length == 3 && MachineMemory.Load(ref first.Store.Control.AllocatedEnd) == 3,
                TimeSpan.FromSeconds(30)));
            File.Delete(SegmentFiles()[^1]);
            // Another handle, that has not mapped it.
            using MappedQueue<Note> queue = Open(Checked);
            QueueCorruptException missing = await Assert.ThrowsAsync<QueueCorruptException>(async () =>
            {
                for (; enqueued < 1000; enqueued++)
                {
                    await EnqueueAsync(queue, form, enqueued).WaitAsync(TimeSpan.FromSeconds(60));
                }
            });
            Assert.Contains("does not exist", missing.Message, StringComparison.Ordinal);
            // Nobody holds the append lock.
            await Task.Run(() => Assert.Throws<QueueCorruptException>(() => queue.Enqueue(Of(-1, 60_000))))
                .WaitAsync(TimeSpan.FromSeconds(60));
        }
        using MappedQueue<Note> opened = Open(Checked);
        Assert.Equal(Enumerable.Range(0, (int)enqueued).Select(static id => (long)id), new Reading(opened, "dequeue").ReadAll());
        opened.Enqueue(Of(enqueued));
        Assert.Equal([enqueued], Drain(opened));
    }

    private static Task EnqueueAsync(MappedQueue<Note> queue, string form, long id) => form switch
    {
        "single" => Task.Run(() => queue.Enqueue(Of(id, 1000))),
        "try" => Task.Run(() => Assert.True(queue.TryEnqueue(Of(id, 1000)))),
        "batch" => Task.Run(() => queue.EnqueueBatch([Of(id, 1000)])),
        "large" => Task.Run(() => queue.Enqueue(Of(id, 100_000))),
        _ => queue.EnqueueAsync(Of(id, 1000)).AsTask(),
    };

    // Singles, batches, messages with properties, and such as go over several segments.
    [Fact]
    public void Damage_of_any_bytes_costs_no_message_that_it_did_not_touch()
    {
        List<(long Id, long From, long To)> records;
        using (MappedQueue<Note> queue = Open(Checked))
        {
            Fill(queue, new Random(3));
            records = RecordsOf(queue);
        }
        Dictionary<string, byte[]> files = Directory.GetFiles(Site.Queue).ToDictionary(static path => path, File.ReadAllBytes);
        var random = new Random(11);
        List<string> forms = ["dequeue", "properties", "span", "lease", "exclusive", "exclusive span", "cursor"];
        for (int round = 0; round < 250; round++)
        {
            Array.ForEach(Directory.GetFiles(Site.Queue), File.Delete);
            foreach ((string path, byte[] bytes) in files)
            {
                File.WriteAllBytes(path, bytes);
            }
            using MappedQueue<Note> queue = Open(Checked);
            (long from, long to) = Damage(random, records);
            var reading = new Reading(queue, forms[round % forms.Count]);
            List<long> read = reading.ReadAll(),
                untouched = [.. records.Where(record => record.To <= from || record.From >= to).Select(static record => record.Id)];
            Assert.True(untouched.SequenceEqual(read.Where(untouched.Contains)) && read.Distinct().Count() == read.Count,
                $"round {round}, {forms[round % forms.Count]}, [{from}, {to}): lost {string.Join(' ', untouched.Except(read))}, "
                    + $"{read.Count} read");
        }
    }

    [Fact]
    public void Holes_that_an_opening_found_are_told_as_one()
    {
        using MappedQueue<Note> queue = Open(Checked);
        for (int id = 0; id < 4000; id++)
        {
            queue.Enqueue(Of(id));
        }
        List<(long Id, long From, long To)> records = RecordsOf(queue);
        long start = records[500].From, boundary = (start & -SegmentSize) + SegmentSize,
            end = records.First(record => record.From > boundary + SegmentFormat.PageSize + 3000).From;
        RecordCheck check = QueueMeta.Read(new QueueFiles(Site.Queue, default)).RecordCheck;
        // Two in the first segment, a pad behind them, one in the second: as a recovery leaves it.
        long second = records[600].From, pad = records.Last(record => record.To < boundary).From, third = boundary + SegmentFormat.PageSize;
        Hole(start, second);
        Hole(second, pad);
        Overwrite(pad, BitConverter.GetBytes(check.Header(RecordKind.Pad, pad, [])));
        Hole(third, end);
        foreach (string form in AllForms)
        {
            using Subscription<Note> again = queue.Subscribe(form.Replace(' ', '-'));
            var reading = new Reading(queue, form, again.Name);
            Assert.Equal(
                records.Where(record => record.From < start || record.From >= end).Select(static record => record.Id), reading.ReadAll());
            QueueCorruptException hole = Assert.Single(reading.Holes);
            Assert.Equal((start, end), (hole.HoleStart!.Value.Value, hole.HoleEnd!.Value.Value));
        }
        queue.Subscribe("new").Dispose();
        Assert.Equal(records.Count(record => record.From < start || record.From >= end), LagOf(queue, "new"));

        void Hole(long from, long to)
            => Overwrite(from, BitConverter.GetBytes(check.Header(RecordKind.Hole, from, (int)(to - from) - RecordFormat.HeaderSize)));
    }

    [Fact]
    public void Seeking_a_time_and_dropping_the_oldest_skip_a_hole()
    {
        using MappedQueue<Note> queue = Open(Checked with { Capacity = 4 * SegmentSize, FullMode = FullMode.DropOldest });
        for (int id = 0; id < 3000; id++)
        {
            queue.Enqueue(Of(id));
        }
        List<(long Id, long From, long To)> records = RecordsOf(queue);
        Overwrite(records[100].From, new byte[512]);
        using Subscription<Note> late = queue.Subscribe("late");
        late.Seek(DateTime.UtcNow.AddHours(1));
        Assert.Equal(0, LagOf(queue, "late"));
        for (int id = 3000; id < 12_000; id++)
        {
            queue.Enqueue(Of(id));
        }
        Assert.True(queue.GetStatus().Subscriptions.Single(static status => status.Name == "default").Dropped > 0);
        long[] rest = Drain(queue);
        Assert.Equal(Enumerable.Range((int)rest[0], rest.Length).Select(static id => (long)id), rest);
        Assert.Equal(11_999, rest[^1]);
    }

    [Fact]
    public void What_is_skipped_leaves_no_lease()
    {
        using MappedQueue<Note> queue = Open(Checked);
        queue.Enqueue(Of(0));
        queue.Enqueue(Of(1));
        List<(long Id, long From, long To)> records = RecordsOf(queue);
        using Subscription<Note> subscription = queue.Subscribe("default");
        Assert.True(subscription.TryReceive(out Lease<Note> lease));
        lease.Abandon();
        // Whole, and given back: it stays, and what was taken to look at it is no attempt.
        Assert.False(subscription.SkipCorrupt());
        Assert.Equal((2, 0), (LagOf(queue, "default"), InFlightOf(queue)));
        Receive(subscription, 0, attempt: 2).Abandon();
        // Not even its header is left.
        Overwrite(records[0].From, new byte[16]);
        Assert.True(subscription.SkipCorrupt());
        Assert.Equal((1, 0), (LagOf(queue, "default"), InFlightOf(queue)));
        Receive(subscription, 1, attempt: 1).Commit();
    }

    [Fact]
    public void A_message_whose_own_code_throws_is_not_damaged_and_is_given_back()
    {
        using var queue = MappedQueue<Thrower>.Open(Site.Queue, Checked);
        queue.Enqueue(new Thrower { Id = 1 });
        using Subscription<Thrower> subscription = queue.Subscribe("default");
        Assert.True(subscription.TryReceive(out Lease<Thrower> lease));
        lease.Abandon();
        Thrower.Throws = true;
        try
        {
            Assert.False(subscription.SkipCorrupt());
        }
        finally
        {
            Thrower.Throws = false;
        }
        Assert.Equal(0, queue.GetStatus().Subscriptions.Single().InFlight);
        Assert.True(subscription.TryReceive(out lease));
        lease.Commit();
    }

    // A lease is taken by where the message ends, so that has to be known.
    [Fact]
    public void A_length_that_was_changed_hides_no_message_behind_it_from_who_takes_leases()
    {
        using MappedQueue<Note> queue = Open(Checked);
        for (int id = 0; id < 64; id++)
        {
            queue.Enqueue(Of(10 + (id % 10)));
        }
        List<(long Id, long From, long To)> records = RecordsOf(queue);
        (_, long from, long to) = records[3];
        // Twice as long: it ends where another one does.
        byte[] header = new byte[1];
        using (FileStream file = Site.OpenToDamage(Segment(from)))
        {
            file.Position = from & (SegmentSize - 1);
            file.ReadExactly(header);
        }
        Overwrite(from, [(byte)(header[0] + (to - from))]);
        Assert.Equal(63, new Reading(queue, "lease").ReadAll().Count);
    }

    private static void Fill(MappedQueue<Note> queue, Random random)
    {
        long id = 0;
        while (id < 600)
        {
            switch (random.Next(10))
            {
                case 0:
                    queue.EnqueueBatch(Enumerable.Range(0, random.Next(2, 30)).Select(_ => Of(id++, random.Next(2000))).ToArray());
                    break;
                case 1 when random.Next(3) == 0:
                    queue.Enqueue(Of(id++, random.Next(60_000, 200_000)));
                    break;
                case 2:
                    queue.Enqueue(Of(id++), new MessageProperties { Label = "hole" });
                    break;
                default:
                    queue.Enqueue(Of(id++, random.Next(800)));
                    break;
            }
        }
    }

    private (long From, long To) Damage(Random random, List<(long Id, long From, long To)> records)
    {
        (_, long start, _) = records[random.Next(records.Count)];
        long from = start + (random.Next(3) == 0 ? 0 : random.Next(2000));
        byte[] bytes = random.Next(4) switch
        {
            0 => new byte[1],
            1 => new byte[8],
            2 => new byte[512],
            _ => new byte[random.Next(1, 5000)]
        };
        if (random.Next(2) == 0)
        {
            random.NextBytes(bytes);
        }
        // Not the segment's header: then the file is none of the queue.
        long end = Math.Min(from + bytes.Length, (from & -SegmentSize) + SegmentSize);
        if ((from & (SegmentSize - 1)) < SegmentFormat.PageSize || end > records[^1].To)
        {
            return Damage(random, records);
        }
        Overwrite(from, bytes.AsSpan(0, (int)(end - from)));
        return (from, end);
    }

    // A message in pieces reaches from its first record to its last one's end.
    private static List<(long Id, long From, long To)> RecordsOf(MappedQueue<Note> queue)
    {
        using QueueCursor<Note> cursor = queue.OpenCursor(QueuePosition.Oldest);
        List<(long, long, long)> records = [];
        Note? note = null;
        while (cursor.TryRead(ref note, out QueuePosition position))
        {
            records.Add((note!.Id, position.Value, cursor.Position.Value));
        }
        return records;
    }

    private string Segment(long position) => Site.File(StoreFormat.SegmentName(position & -SegmentSize));

    private void Overwrite(long position, ReadOnlySpan<byte> bytes)
    {
        using var file = new FileStream(Segment(position), FileMode.Open, FileAccess.Write, FileShare.ReadWrite);
        file.Position = position & (SegmentSize - 1);
        file.Write(bytes);
    }

    private static long LagOf(MappedQueue<Note> queue, string name)
        => queue.GetStatus().Subscriptions.Single(status => status.Name == name).Lag;

    private static long InFlightOf(MappedQueue<Note> queue)
        => queue.GetStatus().Subscriptions.Single(static status => status.Name == "default").InFlight;

    /// <summary>Reads to the end in one of the ways, past every hole.</summary>
    private sealed class Reading(MappedQueue<Note> queue, string form, string name = "default")
    {
        public List<QueueCorruptException> Holes { get; } = [];

        public List<long> ReadAll()
        {
            List<long> ids = [];
            using QueueCursor<Note> cursor = queue.OpenCursor(QueuePosition.Oldest);
            using Subscription<Note> subscription = queue.Subscribe(
                name, new SubscriptionOptions { Exclusive = form.StartsWith("exclusive", StringComparison.Ordinal) });
            for (bool goesOn = true; goesOn;)
            {
                try
                {
                    goesOn = TryRead(subscription, cursor, ids);
                }
                catch (QueueCorruptException hole)
                {
                    Holes.Add(hole);
                    if (form == "cursor")
                    {
                        cursor.Seek(hole.HoleEnd!.Value);
                    }
                    else
                    {
                        Assert.True(subscription.SkipCorrupt());
                    }
                }
            }
            return ids;
        }

        private bool TryRead(Subscription<Note> subscription, QueueCursor<Note> cursor, List<long> ids)
        {
            Note? note = null;
            switch (form)
            {
                case "dequeue":
                    return subscription.TryDequeue(ref note) && Add(ids, note);
                case "properties":
                    return subscription.TryDequeue(ref note, new MessageProperties()) && Add(ids, note);
                case "async":
                    return DequeueSoon(subscription, ref note) && Add(ids, note);
                case "cursor":
                    return cursor.TryRead(ref note) && Add(ids, note);
                case "peek":
                    return subscription.TryPeek(ref note) && subscription.TryDequeue(ref note) && Add(ids, note);
                case "lease" or "exclusive":
                    if (!subscription.TryReceive(out Lease<Note> lease))
                    {
                        return false;
                    }
                    lease.ReadInto(ref note);
                    lease.Commit();
                    return Add(ids, note);
                default:
                    var notes = new Note?[7];
                    int count = subscription.TryDequeue(notes);
                    ids.AddRange(notes.Take(count).Select(static one => one!.Id));
                    return count > 0;
            }
        }

        // Where there is none it would wait.
        private static bool DequeueSoon(Subscription<Note> subscription, ref Note? note)
        {
            using var soon = new CancellationTokenSource();
            ValueTask<Note> task = subscription.DequeueAsync(default, soon.Token);
            if (!task.IsCompleted)
            {
                soon.Cancel();
                Assert.ThrowsAny<OperationCanceledException>(() => task.AsTask().GetAwaiter().GetResult());
                return false;
            }
            note = task.Result;
            return true;
        }

        private static bool Add(List<long> ids, Note? note)
        {
            ids.Add(note!.Id);
            return true;
        }
    }
}
