using BlitQueue.Log;
using BlitQueue.Memory;
using BlitQueue.Tests.Processes;
using Xunit;

namespace BlitQueue.Tests.Queue;

/// <summary>A new epoch begins wherever the log may go on otherwise than processes have seen.</summary>
public sealed class EpochTests
{
    private const int Segment = LogFiles.SegmentSize;

    [Fact]
    public void A_queue_has_one_epoch_for_as_long_as_nothing_happens()
    {
        using var log = new LogFiles();
        for (int round = 0; round < 3; round++)
        {
            log.Fill(100);
            Assert.Equal([new QueueEpoch(0, new QueuePosition(0))], Epochs(log));
        }
    }

    [Fact]
    public void Each_start_of_the_system_begins_one_where_the_log_goes_on()
    {
        using var log = new LogFiles();
        log.Fill(1000);
        QueuePosition last = default;
        List<QueueEpoch> epochs = [new QueueEpoch(0, new QueuePosition(0))];
        for (int start = 0; start < 3; start++)
        {
            log.PretendRestart();
            using MappedQueue<RawMessage> queue = log.Open();
            Assert.Equal(epochs, queue.Epochs.SkipLast(1));
            epochs = [.. queue.Epochs];
            Assert.True(last < epochs[^1].Start);
            last = queue.Enqueue(LogFiles.Message(start));
            Assert.True(last >= epochs[^1].Start);
        }
        Assert.Equal(4, epochs.Select(static one => one.Id).Distinct().Count());
    }

    [Fact]
    public void A_copy_and_a_backup_go_on_each_in_an_epoch_of_its_own()
    {
        using var log = new LogFiles();
        log.Fill(100);
        log.PretendRestart();
        List<QueueEpoch> before;
        string backup = Path.Combine(log.Site.Root, "backup"), copy = Path.Combine(log.Site.Root, "copy");
        using (MappedQueue<RawMessage> queue = log.Open())
        {
            before = [.. queue.Epochs];
            queue.Enqueue(LogFiles.Message(100));
            MappedQueue.Backup(queue.Path, backup);
        }
        Site.Copy(log.Path, copy);
        List<long> last = [];
        foreach (string path in new[] { backup, copy })
        {
            using var queue = MappedQueue<RawMessage>.Open(path);
            Assert.Equal(before, queue.Epochs.SkipLast(1));
            last.Add(queue.Epochs[^1].Id);
        }
        Assert.Equal(before, Epochs(log));
        Assert.Equal(2, last.Distinct().Count());
    }

    [Fact]
    public void A_repair_keeps_them_and_begins_one()
    {
        using var log = new LogFiles();
        log.Fill(1000);
        log.PretendRestart();
        log.Fill(1);
        IReadOnlyList<QueueEpoch> before = Epochs(log);
        log.Flip(Segment + 20_000);
        MappedQueue.Repair(log.Path);
        Assert.Equal(before, Epochs(log).Take(2));
        Assert.Equal(3, Epochs(log).Count);
    }

    /// <summary>Under the first epoch's name its messages would have the names of others, which were lost.</summary>
    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void Without_the_table_that_was_lost_no_message_has_an_old_name(bool isRepaired)
    {
        using var log = new LogFiles();
        log.Fill(100);
        log.PretendRestart();
        log.Fill(100);
        IReadOnlyList<QueueEpoch> before = Epochs(log);
        log.LoseControl();
        if (isRepaired)
        {
            MappedQueue.Repair(log.Path);
        }
        else
        {
            using MappedQueue<RawMessage> queue = log.Open();
            RecoveryFinding told = Assert.Single(queue.Recovered!.Findings);
            Assert.Equal((Control(log), StoreCheck.RenamedEpochs), (told.File, told.What));
        }
        IReadOnlyList<QueueEpoch> after = Epochs(log);
        Assert.Equal((2, 0L), (after.Count, after[0].Start.Value));
        Assert.Empty(after.Select(static one => one.Id).Intersect(before.Select(static one => one.Id)));
    }

    [Fact]
    public void A_damaged_table_is_a_lost_one()
    {
        using var control = new Words();
        EpochTable.Begin(control.File, first: 0, end: 100);
        byte[] bytes = control.Bytes();
        bytes[20] ^= 1;
        bytes[ControlFormat.EpochSlotSize + 20] ^= 1;
        control.Set(bytes);
        EpochTable.Begin(control.File, first: 0, end: 200);
        List<QueueEpoch> epochs = EpochTable.Read(control.File);
        Assert.Equal([0L, 200], epochs.Select(static one => one.Start.Value));
        Assert.DoesNotContain(0L, epochs.Select(static one => one.Id));
    }

    /// <summary>Both have the same table.</summary>
    [Theory]
    [InlineData(0, false, false)]
    [InlineData(1, false, false)]
    [InlineData(0, true, false)]
    [InlineData(1, true, false)]
    [InlineData(0, false, true)]
    [InlineData(1, true, true)]
    public void A_damaged_slot_costs_nothing(int slot, bool isZero, bool isRepaired)
    {
        using LogFiles log = Restarted();
        IReadOnlyList<QueueEpoch> before = Epochs(log);
        Damage(log, slot, isZero);
        Assert.Equal(before, Epochs(log));
        Assert.Contains(StoreCheck.DamagedEpochsCopy, Assert.Single(MappedQueue.Verify(log.Path).Findings).What, StringComparison.Ordinal);
        Recover(log, isRepaired);
        Assert.Equal(before, Epochs(log).SkipLast(1));
        Assert.Empty(MappedQueue.Verify(log.Path).Findings);
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void A_damaged_table_is_told_and_the_next_recovery_begins_anew(bool isRepaired)
    {
        using LogFiles log = Restarted();
        IReadOnlyList<QueueEpoch> before = Epochs(log);
        Damage(log, slot: 0, isZero: false);
        Damage(log, slot: 1, isZero: false);
        QueueCorruptException told = Assert.Throws<QueueCorruptException>(() => Epochs(log));
        Assert.Equal((Control(log), ControlFormat.EpochsOffset), (told.Path, told.Offset));
        Assert.Contains(StoreCheck.DamagedEpochs, Assert.Single(MappedQueue.Verify(log.Path).Findings).What, StringComparison.Ordinal);
        Recover(log, isRepaired);
        IReadOnlyList<QueueEpoch> after = Epochs(log);
        RecoveryFinding found = Assert.Single(Quarantine.LastReport(log.Path)!.Findings);
        Assert.Equal((Control(log), StoreCheck.RenamedEpochs), (found.File, found.What));
        Assert.Equal((2, 0L), (after.Count, after[0].Start.Value));
        Assert.Empty(after.Select(static one => one.Id).Intersect(before.Select(static one => one.Id)));
        Assert.Empty(MappedQueue.Verify(log.Path).Findings);
    }

    private static LogFiles Restarted()
    {
        var log = new LogFiles();
        for (int start = 0; start < 3; start++)
        {
            log.Fill(100);
            log.PretendRestart();
        }
        log.Fill(100);
        return log;
    }

    private static string Control(LogFiles log) => Path.Combine(log.Path, StoreFormat.ControlName);

    private static void Damage(LogFiles log, int slot, bool isZero)
    {
        byte[] bytes = File.ReadAllBytes(Control(log));
        Span<byte> damaged = bytes.AsSpan(ControlFormat.EpochsOffset + (slot * ControlFormat.EpochSlotSize), ControlFormat.EpochSlotSize);
        damaged[20] ^= 1;
        if (isZero)
        {
            damaged.Clear();
        }
        File.WriteAllBytes(Control(log), bytes);
    }

    private static void Recover(LogFiles log, bool isRepaired)
    {
        if (isRepaired)
        {
            MappedQueue.Repair(log.Path);
        }
        else
        {
            log.PretendRestart();
        }
    }

    [Fact]
    public void Epochs_without_messages_are_forgotten()
    {
        using var log = new LogFiles();
        GiveUpEpochs(log, starts: 5);
        log.PretendRestart();
        IReadOnlyList<QueueEpoch> epochs = Epochs(log);
        Assert.InRange(epochs.Count, 1, 3);
        Assert.Equal(0, epochs[0].Start.Value);
        Assert.NotEqual(0, epochs[0].Id);
    }

    [Fact]
    public void A_backup_and_a_repair_have_a_full_table()
    {
        using var log = new LogFiles();
        GiveUpEpochs(log, starts: 3);
        for (int start = 0; start < EpochTable.Most + 3; start++)
        {
            log.PretendRestart();
            log.Fill(1);
        }
        List<QueueEpoch> before = [.. Epochs(log)];
        Assert.Equal(EpochTable.Most, before.Count);
        string backup = Path.Combine(log.Site.Root, "backup");

        Assert.Empty(MappedQueue.Backup(log.Path, backup).Damaged);
        using (var copy = MappedQueue<RawMessage>.Open(backup))
        {
            Assert.Equal(before[1..].Select(static one => one.Id), copy.Epochs.SkipLast(1).Select(static one => one.Id));
        }

        long last;
        using (MappedQueue<RawMessage> queue = log.Open())
        {
            last = queue.Enqueue(LogFiles.Message(1)).Value;
        }
        log.Flip(last + 50);
        Assert.DoesNotContain(MappedQueue.Repair(log.Path).Findings, static one => one.What.Contains("epochs", StringComparison.Ordinal));
        Assert.Equal(before[1..].Select(static one => one.Id), Epochs(log).SkipLast(1).Select(static one => one.Id));
    }

    /// <summary>Written by a recovery that ends between any two bytes, the table is the old one or the new one.</summary>
    [Fact]
    public void A_torn_table_is_the_one_before()
    {
        using var control = new Words();
        EpochTable.Begin(control.File, first: 0, end: 100);
        List<QueueEpoch> before = EpochTable.Read(control.File);
        byte[] old = control.Bytes();
        EpochTable.Begin(control.File, first: 0, end: 200);
        List<QueueEpoch> after = EpochTable.Read(control.File);
        byte[] made = control.Bytes();
        for (int torn = 0; torn <= made.Length; torn++)
        {
            control.Set([.. made[..torn], .. old[torn..]]);
            List<QueueEpoch> read = EpochTable.Read(control.File);
            Assert.True(read.SequenceEqual(before) || read.SequenceEqual(after), $"{torn}");
        }
        // A slot that was damaged before is written first, and both are whole afterwards.
        foreach (int damaged in new[] { 0, ControlFormat.EpochSlotSize })
        {
            control.Set([.. old[..damaged], (byte)(old[damaged] ^ 1), .. old[(damaged + 1)..]]);
            EpochTable.Begin(control.File, first: 0, end: 200);
            Assert.Equal(before, EpochTable.Read(control.File).SkipLast(1));
            Assert.Null(EpochTable.DamagedAt(control.File));
        }
        control.Set(made);
        Assert.Equal([0L, 100, 200], EpochTable.Read(control.File).Select(static one => one.Start.Value));
    }

    [Fact]
    public void A_lost_end_takes_its_epochs_along_and_the_oldest_become_one()
    {
        using var control = new Words();
        foreach (int end in new[] { 100, 200, 300, 250, 250 })
        {
            EpochTable.Begin(control.File, first: 0, end);
        }
        Assert.Equal([0L, 100, 200, 250], EpochTable.Read(control.File).Select(static one => one.Start.Value));
        for (int end = 1_000; end < 1_100; end++)
        {
            EpochTable.Begin(control.File, first: 0, end);
            Assert.Equal(end, EpochTable.Read(control.File)[^1].Start.Value);
        }
        List<QueueEpoch> epochs = EpochTable.Read(control.File);
        Assert.Equal((30, 0L, 1_071L), (epochs.Count, epochs[0].Start.Value, epochs[1].Start.Value));
        Assert.NotEqual(0, epochs[0].Id);
        EpochTable.Begin(control.File, first: 1_090, end: 1_200);
        Assert.Equal([0L, 1_091], EpochTable.Read(control.File).Take(2).Select(static one => one.Start.Value));
        // It is known by its own name, and begins where nothing is left of those before.
        Assert.Equal(epochs.Single(static one => one.Start.Value == 1_090).Id, EpochTable.Read(control.File)[0].Id);
    }

    // The oldest epoch that is left did not begin with the queue.
    private static void GiveUpEpochs(LogFiles log, int starts)
    {
        log.Fill(10);
        for (int start = 0; start < starts; start++)
        {
            log.PretendRestart();
            using MappedQueue<RawMessage> queue = log.Open();
            LogFiles.Drain(queue, out _);
            for (int key = 0; key < 2 * Segment / 128; key++)
            {
                queue.Enqueue(LogFiles.Message(key));
            }
        }
    }

    private static IReadOnlyList<QueueEpoch> Epochs(LogFiles log)
    {
        using MappedQueue<RawMessage> queue = log.Open();
        return queue.Epochs;
    }

    private sealed class Words : IDisposable
    {
        private readonly MappedRegion _region = new(ControlFormat.Size);

        public Words() => File = new ControlFile(_region);

        public ControlFile File { get; }

        private Span<byte> Table => _region.Bytes(ControlFormat.EpochsOffset, 2 * ControlFormat.EpochSlotSize);

        public byte[] Bytes() => Table.ToArray();

        public void Set(byte[] bytes) => bytes.CopyTo(Table);

        public void Dispose() => _region.Dispose();
    }
}
