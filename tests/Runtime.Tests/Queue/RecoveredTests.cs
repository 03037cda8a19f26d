using BlitQueue.Log;
using Xunit;

namespace BlitQueue.Tests.Queue;

/// <summary>No opening loses what is intact, whatever else is damaged or gone: see docs/failures.md, Recovery.</summary>
public sealed class RecoveredTests
{
    public enum Before
    {
        Restart,
        PowerLoss,
        ControlLost,
    }

    private const int Many = 20_000, PerSegment = 512;

    [Theory]
    [InlineData(Before.Restart)]
    [InlineData(Before.PowerLoss)]
    [InlineData(Before.ControlLost)]
    public void A_damaged_record_that_was_consumed_costs_nothing(Before before)
    {
        using var log = new LogFiles();
        log.Fill(Many, consumed: 100);
        Assert.InRange(Directory.GetFiles(log.Path, "segment-*").Length, 38, 41);
        log.Flip(RecordAt(20) + 50);
        Happen(log, before);
        using MappedQueue<RawMessage> queue = log.Open();
        Assert.Equal(LogFiles.Keys(100, Many), LogFiles.Drain(queue, out List<QueueCorruptException> holes));
        Assert.Empty(holes);
        RecoveryFinding finding = Assert.Single(
            queue.Recovered!.Findings, one => before != Before.ControlLost || one.What != StoreCheck.RenamedEpochs);
        Assert.Equal((RecordAt(20), 120L), (finding.Position!.Value.Value, finding.Bytes));
        Assert.Contains(log.Aside(), static file => file.EndsWith(StoreFormat.SegmentName(0), StringComparison.Ordinal));
    }

    [Theory]
    [InlineData(Before.Restart, Durability.PageCache)]
    [InlineData(Before.PowerLoss, Durability.PageCache)]
    [InlineData(Before.ControlLost, Durability.PageCache)]
    [InlineData(Before.Restart, Durability.Commit)]
    [InlineData(Before.ControlLost, Durability.Commit)]
    public void A_damaged_record_that_was_not_consumed_is_a_hole_and_costs_no_other(Before before, Durability durability)
    {
        using var log = new LogFiles { Durability = durability };
        log.Fill(3000, consumed: 10);
        // Behind what announces a batch, or not.
        log.Flip(RecordAt(1000) + 60);
        Happen(log, before);
        using MappedQueue<RawMessage> queue = log.Open();
        List<long> keys = LogFiles.Drain(queue, out List<QueueCorruptException> holes);
        Assert.Single(holes);
        Assert.Equal(2989, keys.Count);
        Assert.Equal(keys.Order(), keys);
        // What had been on the disk is not read again at a restart: there it is found when it is read, but for a batch that goes on behind.
        bool isRead = before != Before.Restart || durability == Durability.Commit;
        Assert.Equal((isRead, isRead), (queue.Recovered is not null, log.Aside().Length > 0));
    }

    [Theory]
    [InlineData(null, 2)]
    [InlineData(Before.Restart, 2)]
    [InlineData(Before.PowerLoss, 2)]
    [InlineData(Before.ControlLost, 2)]
    [InlineData(null, 0)]
    [InlineData(Before.Restart, 0)]
    [InlineData(Before.ControlLost, 0)]
    public void A_missing_segment_is_a_hole_and_costs_nothing_else(Before? before, int index)
    {
        using var log = new LogFiles();
        log.Fill(5 * PerSegment, consumed: 10);
        File.Delete(log.SegmentAt(index));
        Happen(log, before);
        using MappedQueue<RawMessage> queue = log.Open();
        List<long> keys = LogFiles.Drain(queue, out List<QueueCorruptException> holes);
        Assert.Single(holes);
        Assert.Equal(LogFiles.Keys(index == 0 ? PerSegment - 1 : 10, 5 * PerSegment).Where(key => !IsIn(key, index)), keys);
        Assert.Contains(queue.Recovered!.Findings, finding => finding.File == log.SegmentAt(index));
    }

    [Theory]
    [InlineData(Before.Restart)]
    [InlineData(Before.ControlLost)]
    public void After_a_missing_last_segment_no_position_is_used_twice(Before before)
    {
        using var log = new LogFiles();
        log.Fill(3 * PerSegment, consumed: 10);
        long end = EndOf(log);
        File.Delete(log.SegmentAt(end / LogFiles.SegmentSize));
        Happen(log, before);
        using MappedQueue<RawMessage> queue = log.Open();
        long next = queue.GetStatus().Next.Value;
        Assert.True(before == Before.ControlLost || next > end, $"{next} was used already, the log had reached {end}.");
        queue.Enqueue(LogFiles.Message(9999));
        List<long> keys = LogFiles.Drain(queue, out _);
        Assert.Equal(9999, keys[^1]);
        Assert.Equal(10, keys[0]);
    }

    [Fact]
    public void What_a_power_loss_took_does_not_come_back_after_the_next()
    {
        using var log = new LogFiles();
        log.Fill(1000);
        // Of 1,000 messages a page in the middle was not written; the newer ones were.
        log.LosePages(RecordAt(300), RecordAt(301));
        log.PretendRestart(isDurable: false);
        using (MappedQueue<RawMessage> queue = log.Open())
        {
            for (int key = 5000; key < 6000; key++)
            {
                queue.Enqueue(LogFiles.Message(key));
            }
        }
        for (int crash = 0; crash < 3; crash++)
        {
            log.PretendRestart(isDurable: false);
            log.Open().Dispose();
        }
        log.PretendRestart();
        using MappedQueue<RawMessage> last = log.Open();
        List<long> keys = LogFiles.Drain(last, out List<QueueCorruptException> holes);
        Assert.Single(holes);
        Assert.Equal(keys.Order(), keys);
        Assert.Equal(keys.Distinct().Count(), keys.Count);
        Assert.InRange(keys.Count, 1000 + 1000 - 80, 1999);
    }

    [Fact]
    public void Newer_records_that_line_up_with_those_that_a_power_loss_took_bring_none_of_them_back()
    {
        // Records of 128 bytes: each page begins with one, so where one was not written the log seems to end without damage.
        const int length = 120, lost = 4, newer = 100;
        using var log = new LogFiles();
        log.Fill(1000, length: length);
        log.LosePages(lost * SegmentFormat.PageSize, (lost * SegmentFormat.PageSize) + 1);
        log.PretendRestart(isDurable: false);
        byte[] before = Processes.Site.Read(log.SegmentAt(0));
        using (MappedQueue<RawMessage> queue = log.Open())
        {
            for (int key = 5000; key < 5000 + newer; key++)
            {
                queue.Enqueue(LogFiles.Message(key, length));
            }
        }
        // The next power loss takes all that was written to that segment since, but for one page.
        const int written = (lost + 1) * SegmentFormat.PageSize;
        log.Site.Overwrite(StoreFormat.SegmentName(0), written, before[written..]);
        log.PretendRestart(isDurable: false);
        using MappedQueue<RawMessage> last = log.Open();
        List<long> keys = LogFiles.Drain(last, out _);
        Assert.Contains(5000, keys);
        long[] back = [.. keys.SkipWhile(static key => key < 5000).Where(static key => key < 5000)];
        Assert.True(back.Length == 0, $"{back.Length} of {keys.Count} behind newer ones: {string.Join(' ', back)}");
    }

    [Fact]
    public void Behind_an_end_that_is_blank_nothing_is_left_that_a_later_search_could_find()
    {
        using var log = new LogFiles();
        log.Fill(100);
        long end = EndOf(log);
        log.Fill(50, inOneBatch: true);
        // The announcing page is lost, and the batch with it.
        log.LosePages(end, end + 1);
        log.PretendRestart(isDurable: false);
        using (MappedQueue<RawMessage> queue = log.Open())
        {
            RecoveryReport report = queue.Recovered!;
            Assert.InRange(report.Findings.Sum(static finding => finding.MessageCount), 1, 50);
            Assert.NotEmpty(log.Aside());
        }
        // The seal is damaged later.
        log.LosePages(end, end + 1);
        log.LoseControl();
        using MappedQueue<RawMessage> again = log.Open();
        Assert.InRange(LogFiles.Drain(again, out _).Count, 60, 100);
    }

    [Fact]
    public void Records_of_a_batch_that_was_never_announced_do_not_stand_in_for_those_of_a_later_one()
    {
        // Records of 128 bytes, of which none lies across a page's end, behind two of 120 and the one of 16 that announces the batch.
        const int length = 120;
        using var log = new LogFiles();
        log.Fill(2);
        Dictionary<string, byte[]> before = Directory.GetFiles(log.Path).ToDictionary(static file => file, File.ReadAllBytes);
        using (MappedQueue<RawMessage> queue = log.Open())
        {
            queue.EnqueueBatch([.. LogFiles.Keys(1000, 1100).Select(static key => LogFiles.Message(key, length))]);
        }
        byte[] abandoned = Processes.Site.Read(log.SegmentAt(0));
        foreach ((string file, byte[] bytes) in before)
        {
            File.WriteAllBytes(file, bytes);
        }
        using (MappedQueue<RawMessage> queue = log.Open())
        {
            queue.EnqueueBatch([.. LogFiles.Keys(2000, 2100).Select(static key => LogFiles.Message(key, length))]);
        }
        // Of the later batch a page did not reach the disk, where that of the abandoned one had.
        const int page = 3 * SegmentFormat.PageSize;
        log.Site.Overwrite(StoreFormat.SegmentName(0), page, abandoned[page..(page + SegmentFormat.PageSize)]);
        log.PretendRestart(isDurable: false);
        using MappedQueue<RawMessage> opened = log.Open();
        Assert.Equal(LogFiles.Keys(0, 2), LogFiles.Drain(opened, out _));
        Assert.Equal(100, opened.Recovered!.Findings.Sum(static finding => finding.MessageCount));
    }

    [Fact]
    public void Of_a_control_page_that_was_torn_between_its_sectors_the_durable_word_counts()
    {
        using var log = new LogFiles();
        log.Fill(10);
        long end = EndOf(log);
        log.Fill(100, inOneBatch: true);
        log.Fill(1);
        // A page of the batch is lost, and the control file's tail is older than what it says of the disk.
        log.LosePages(end + (2 * SegmentFormat.PageSize), end + (2 * SegmentFormat.PageSize) + 1);
        log.PretendRestart();
        log.Site.Overwrite(StoreFormat.ControlName, ControlFormat.TailOffset, BitConverter.GetBytes((long)SegmentFormat.PageSize));
        log.Site.Overwrite(StoreFormat.ControlName, ControlFormat.DurableOffset, BitConverter.GetBytes(end));
        using MappedQueue<RawMessage> opened = log.Open();
        Assert.Equal([.. LogFiles.Keys(0, 10), 0], LogFiles.Drain(opened, out List<QueueCorruptException> holes));
        Assert.Single(holes);
    }

    [Fact]
    public void A_repair_leaves_the_holes_that_an_opening_told_of()
    {
        using var log = new LogFiles();
        log.Fill(1000);
        log.Flip(RecordAt(500) + 20);
        log.PretendRestart(isDurable: false);
        log.Open().Dispose();
        Assert.False(MappedQueue.Repair(log.Path).IsSound);
        Assert.True(MappedQueue.Repair(log.Path).IsSound);
        using MappedQueue<RawMessage> queue = log.Open();
        Assert.Equal(999, LogFiles.Drain(queue, out List<QueueCorruptException> holes).Count);
        Assert.Empty(holes);
    }

    [Fact]
    public void A_clean_restart_is_nothing_to_tell()
    {
        using var log = new LogFiles();
        log.Fill(1000, consumed: 10);
        log.PretendRestart();
        using MappedQueue<RawMessage> queue = log.Open();
        Assert.Null(queue.Recovered);
        Assert.Null(queue.GetStatus().Recovered);
        Assert.Equal(990, LogFiles.Drain(queue, out _).Count);
    }

    [Theory]
    [InlineData(-1)]
    [InlineData(1)]
    public void A_tail_to_which_the_log_does_not_lead_is_found_anew(int records)
    {
        using var log = new LogFiles();
        log.Fill(100);
        long tail = BitConverter.ToInt64(Processes.Site.Read(log.Site.File(StoreFormat.ControlName)), ControlFormat.TailOffset);
        log.Site.Overwrite(StoreFormat.ControlName, ControlFormat.TailOffset, BitConverter.GetBytes(tail + (records * 120)));
        log.Site.Overwrite(StoreFormat.ControlName, ControlFormat.DurableOffset, BitConverter.GetBytes(0L));
        using MappedQueue<RawMessage> queue = log.Open();
        queue.Enqueue(LogFiles.Message(9999));
        List<long> keys = LogFiles.Drain(queue, out _);
        Assert.Equal(101, keys.Count);
        Assert.Equal(9999, keys[^1]);
        Assert.Equal(records > 0, queue.Recovered is not null);
    }

    [Fact]
    public void Every_later_handle_is_told_by_the_status()
    {
        using var log = new LogFiles();
        log.Fill(1000);
        log.Flip(RecordAt(500) + 20);
        log.PretendRestart();
        using MappedQueue<RawMessage> first = log.Open(), second = log.Open();
        Assert.Null(second.Recovered);
        RecoveryReport told = second.GetStatus().Recovered!;
        Assert.Equal(first.Recovered!.Findings, told.Findings);
        Assert.Equal((first.Recovered.MessageCount, first.Path), (told.MessageCount, told.Path));
        Assert.Equal(first.Recovered.SetAside, told.SetAside);
    }

    [Theory]
    [InlineData(Before.Restart)]
    [InlineData(Before.ControlLost)]
    public void The_padding_that_restarts_leave_takes_no_room(Before before)
    {
        using var log = new LogFiles();
        log.Fill(5, consumed: 5);
        var bounded = new QueueOptions { Capacity = 2 * LogFiles.SegmentSize, FullMode = FullMode.Fail };
        for (int restart = 1; restart <= 4; restart++)
        {
            Happen(log, before);
            using var queue = MappedQueue<RawMessage>.Open(log.Path, bounded);
            Assert.Equal(0, queue.GetStatus().Bytes);
        }
        using var last = MappedQueue<RawMessage>.Open(log.Path, bounded);
        last.Enqueue(LogFiles.Message(5, 60_000));
        Assert.True(last.TryEnqueue(LogFiles.Message(6, 60_000)));
        Assert.Equal([5L, 6L], LogFiles.Drain(last, out _));
    }

    [Fact]
    public void The_last_handle_that_closes_brings_the_log_to_the_disk()
    {
        using var log = new LogFiles();
        using (MappedQueue<RawMessage> first = log.Open())
        {
            using (MappedQueue<RawMessage> second = log.Open())
            {
                second.Enqueue(LogFiles.Message(1));
            }
            Assert.True(first.DurablePosition < first.GetStatus().Next);
        }
        using MappedQueue<RawMessage> later = log.Open();
        Assert.Equal(later.GetStatus().Next, later.DurablePosition);
    }

    [Theory]
    [InlineData(0)]
    [InlineData(3)]
    [InlineData(60)]
    public void A_damaged_queue_meta_beside_segments_names_the_repair(int offset)
    {
        using var log = new LogFiles();
        log.Fill(1000);
        log.Site.Overwrite(StoreFormat.MetaName, offset, [255]);
        QueueCorruptException damaged = Assert.Throws<QueueCorruptException>(() => log.Open());
        Assert.Contains(log.Site.File(StoreFormat.MetaName), damaged.Message, StringComparison.Ordinal);
        Assert.Contains("MappedQueue.Repair(path)", damaged.Message, StringComparison.Ordinal);
        MappedQueue.Repair(log.Path);
        using MappedQueue<RawMessage> queue = log.Open();
        Assert.Equal(1000, LogFiles.Drain(queue, out _).Count);
    }

    [Fact]
    public void A_truncated_queue_meta_beside_segments_names_the_repair()
    {
        using var log = new LogFiles();
        log.Fill(1000);
        File.WriteAllBytes(log.Site.File(StoreFormat.MetaName), []);
        Assert.Contains(
            "MappedQueue.Repair(path)", Assert.Throws<QueueCorruptException>(() => log.Open()).Message, StringComparison.Ordinal);
    }

    private static void Happen(LogFiles log, Before? before)
    {
        if (before == Before.ControlLost)
        {
            log.LoseControl();
        }
        else if (before is not null)
        {
            log.PretendRestart(isDurable: before == Before.Restart);
        }
    }

    // Messages of 112 bytes in records of 120.
    private static long RecordAt(int number)
    {
        const int perSegment = (LogFiles.SegmentSize - SegmentFormat.PageSize - RecordFormat.HeaderSize) / 120;
        return ((long)(number / perSegment) * LogFiles.SegmentSize) + SegmentFormat.PageSize + (number % perSegment * 120);
    }

    private static bool IsIn(long key, int index) => RecordAt((int)key) / LogFiles.SegmentSize == index;

    private static long EndOf(LogFiles log)
    {
        byte[] control = Processes.Site.Read(log.Site.File(StoreFormat.ControlName));
        return BitConverter.ToInt64(control, ControlFormat.TailOffset);
    }
}
