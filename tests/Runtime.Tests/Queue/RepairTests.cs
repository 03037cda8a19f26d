using System.Text;
using BlitQueue.Log;
using BlitQueue.Peer;
using BlitQueue.Tests.Processes;
using Xunit;

namespace BlitQueue.Tests.Queue;

/// <summary>Repair, and what the corruption campaign found.</summary>
[Collection(ProcessCollection.Name)]
public sealed class RepairTests : IDisposable
{
    private const string FirstSegment = "segment-0000000000000000";

    private const long Capacity = 100 << 20;

    private readonly Site _site = new();

    [Fact]
    public void A_sound_queue_is_left_as_it_is()
    {
        Fill(300);
        string[] before = _site.Files();
        RecoveryReport report = MappedQueue.Repair(_site.Queue);
        Assert.True(report.IsSound, string.Join("; ", report.Findings));
        Assert.Equal(300, report.MessageCount);
        Assert.Empty(report.SetAside);
        Assert.Equal(before, _site.Files());
    }

    [Fact]
    public void A_damaged_record_is_gone_and_all_others_are_there()
    {
        Fill(300);
        byte[] before = Site.Read(_site.File(FirstSegment));
        _site.Overwrite(FirstSegment, SegmentFormat.PageSize + 2000, new byte[600]);
        byte[] damaged = Site.Read(_site.File(FirstSegment));
        RecoveryReport report = MappedQueue.Repair(_site.Queue);
        Assert.False(report.IsSound);
        Assert.Equal(damaged, Site.Read(Path.Combine(Assert.Single(report.SetAside), FirstSegment)));
        List<long> read = ReadAll();
        Assert.InRange(read.Count, 290, 299);
        Assert.Equal(report.MessageCount, read.Count);
        Assert.Equal(299, read[^1]);
        Assert.NotEqual(before, damaged);
    }

    [Theory]
    [InlineData(StoreFormat.MetaName)]
    [InlineData(StoreFormat.ControlName)]
    [InlineData("subscription-default")]
    [InlineData(StoreFormat.LockName)]
    public void Every_other_file_is_made_anew(string name)
    {
        Fill(300);
        File.Delete(_site.File(name));
        Directory.CreateDirectory(_site.File(name));
        Assert.ThrowsAny<QueueException>(() => MappedQueue<Parcel>.Open(_site.Queue));
        RecoveryReport report = MappedQueue.Repair(_site.Queue);
        Assert.Contains(report.Findings, finding => finding.File == _site.File(name));
        Assert.Equal(300, ReadAll().Count);
    }

    [Fact]
    public void A_damaged_last_word_of_the_last_segment_costs_no_message()
    {
        const int segmentSize = 1 << 16, length = 48;
        const int count = (segmentSize - SegmentFormat.PageSize - RecordFormat.HeaderSize) / (RecordFormat.HeaderSize + length);
        using (var queue = MappedQueue<RawMessage>.Open(_site.Queue, new QueueOptions { SegmentSize = segmentSize }))
        {
            var message = new RawMessage(new byte[length]);
            for (int i = 0; i <= count; i++)
            {
                queue.Enqueue(message);
            }
        }
        foreach (string path in Directory.GetFiles(_site.Queue, "segment-*").Where(path => Path.GetFileName(path) != FirstSegment))
        {
            File.Delete(path);
        }
        File.Delete(_site.File(StoreFormat.ControlName));
        _site.Overwrite(FirstSegment, segmentSize - RecordFormat.HeaderSize, [1, 2, 3, 4, 5, 6, 7, 8]);
        RecoveryReport report = MappedQueue.Repair(_site.Queue);
        Assert.Contains(report.Findings, finding => finding.Offset == segmentSize - RecordFormat.HeaderSize);
        Assert.Equal(count, report.MessageCount);
    }

    [Fact]
    public void A_header_page_of_another_segment_is_written_anew()
    {
        Fill(300);
        _site.Overwrite(FirstSegment, 0, new byte[SegmentFormat.PageSize]);
        MappedQueue.Repair(_site.Queue);
        Assert.Equal(300, ReadAll().Count);
    }

    [Fact]
    public void An_open_queue_is_refused()
    {
        using var queue = MappedQueue<Parcel>.Open(_site.Queue, Small);
        Assert.Contains("is open", Assert.Throws<QueueException>(() => MappedQueue.Repair(_site.Queue)).Message, StringComparison.Ordinal);
    }

    [Fact]
    public void The_refusal_names_the_processes_that_have_it_open()
    {
        using Processes.Peer peer = Processes.Peer.Start(_site, "consume", "segment=65536").WaitFor("ready");
        foreach (Action call in (Action[])[() => MappedQueue.Repair(_site.Queue), () => MappedQueue.Delete(_site.Queue)])
        {
            QueueException refused = Assert.Throws<QueueException>(call);
            Assert.Equal((QueueError.InUse, peer.Id), (refused.Reason, refused.ProcessId));
            Assert.Contains($"is open in process {peer.Id}. Dispose", refused.Message, StringComparison.Ordinal);
        }
        using var queue = MappedQueue<Parcel>.Open(_site.Queue, Small);
        string both = Assert.Throws<QueueException>(() => MappedQueue.Repair(_site.Queue)).Message;
        Assert.Contains($"in process {peer.Id}, {Environment.ProcessId}.", both, StringComparison.Ordinal);
        peer.Finish();
    }

    [Fact]
    public void What_is_no_queue_is_refused()
    {
        Assert.Throws<QueueException>(() => MappedQueue.Repair(_site.Queue));
        Directory.CreateDirectory(_site.Queue);
        Assert.Throws<QueueException>(() => MappedQueue.Repair(_site.Queue));
    }

    [Theory]
    [InlineData(nameof(ProtocolStep.RepairBegun))]
    [InlineData(nameof(ProtocolStep.RepairLogDone))]
    [InlineData(nameof(ProtocolStep.RepairControlWritten))]
    [InlineData(nameof(ProtocolStep.StoreControlMade))]
    [InlineData(nameof(ProtocolStep.RecoveryWordsSet))]
    [InlineData(nameof(ProtocolStep.RepairDone))]
    public void A_repair_that_is_killed_is_begun_anew(string step)
    {
        IReadOnlyList<QueueEpoch> epochs = KillRepair(Enum.Parse<ProtocolStep>(step));
        Assert.Contains(
            "Repair", Assert.Throws<QueueCorruptException>(() => MappedQueue<Parcel>.Open(_site.Queue)).Message, StringComparison.Ordinal);
        MappedQueue.Repair(_site.Queue);
        Assert.InRange(ReadAll().Count, 290, 299);
        AssertKept(epochs);
    }

    private IReadOnlyList<QueueEpoch> KillRepair(ProtocolStep step)
    {
        Fill(150);
        IReadOnlyList<QueueEpoch> epochs = Set();
        Fill(150, first: 150);
        _site.Overwrite(FirstSegment, SegmentFormat.PageSize + 2000, new byte[600]);
        using var peer = Processes.Peer.StartToDie(_site, step, 1, "repair");
        peer.WaitForDeath();
        return epochs;
    }

    private void AssertKept(IReadOnlyList<QueueEpoch> epochs)
    {
        using var queue = MappedQueue<Parcel>.Open(_site.Queue);
        Assert.Equal(epochs, queue.Epochs.Take(epochs.Count));
        Assert.Equal(Capacity, queue.GetStatus().Capacity);
    }

    // What a control file has alone, after a restart of the system.
    private IReadOnlyList<QueueEpoch> Set()
    {
        _site.Overwrite(StoreFormat.ControlName, ControlFormat.BootOffset, Encoding.ASCII.GetBytes("another boot of this machine"));
        using var queue = MappedQueue<Parcel>.Open(_site.Queue, new QueueOptions { Capacity = Capacity });
        return queue.Epochs;
    }

    /// <summary>Where the system replaces no file that is mapped, the old one is moved before the new one has its name.</summary>
    [Fact]
    public void A_control_file_without_a_name_that_a_killed_repair_has_left_is_taken()
    {
        IReadOnlyList<QueueEpoch> epochs = KillRepair(ProtocolStep.RepairControlWritten);
        File.Delete(_site.File(StoreFormat.ControlName));
        MappedQueue.Repair(_site.Queue);
        AssertKept(epochs);
    }

    /// <summary>As where an opening was killed that had made the file anew.</summary>
    [Fact]
    public void Names_that_were_lost_before_the_repair_are_told()
    {
        Fill(150);
        Set();
        Fill(150, first: 150);
        File.Delete(_site.File(StoreFormat.ControlName));
        using (var peer = Processes.Peer.StartToDie(_site, ProtocolStep.StoreControlMade, 1, "produce"))
        {
            peer.WaitForDeath();
        }
        Assert.Contains(MappedQueue.Repair(_site.Queue).Findings, static one => one.What == StoreCheck.RenamedEpochs);
    }

    [Fact]
    public void A_repair_that_finds_nothing_to_go_by_changes_nothing()
    {
        Fill(300);
        File.WriteAllText(_site.File(StoreFormat.MetaName), "?");
        foreach (string segment in Directory.GetFiles(_site.Queue, "segment-*"))
        {
            _site.Overwrite(Path.GetFileName(segment), 0, new byte[SegmentFormat.PageSize]);
        }
        string[] before = _site.Files();
        Assert.Contains(
            "backup", Assert.Throws<QueueCorruptException>(() => MappedQueue.Repair(_site.Queue)).Message, StringComparison.Ordinal);
        Assert.Equal(before, _site.Files());
        Assert.Contains(
            StoreFormat.MetaName, Assert.ThrowsAny<QueueException>(() => MappedQueue<Parcel>.Open(_site.Queue)).Message,
            StringComparison.Ordinal);
    }

    [Fact]
    public void A_lost_queue_meta_does_not_cost_the_messages()
    {
        Fill(300);
        File.Delete(_site.File(StoreFormat.MetaName));
        Assert.Throws<QueueCorruptException>(() => MappedQueue<Parcel>.Open(_site.Queue));
        MappedQueue.Repair(_site.Queue);
        Assert.Equal(300, ReadAll().Count);
    }

    [Fact]
    public void A_record_zeroed_in_front_of_the_tail_is_told()
    {
        Fill(300);
        _site.Overwrite(FirstSegment, SegmentFormat.PageSize, new byte[8]);
        using var queue = MappedQueue<Parcel>.Open(_site.Queue);
        using QueueCursor<Parcel> cursor = queue.OpenCursor(QueuePosition.Oldest);
        Parcel? parcel = null;
        Assert.Equal(SegmentFormat.PageSize, Assert.Throws<QueueCorruptException>(() => cursor.TryRead(ref parcel)).Offset);
        Assert.Throws<QueueCorruptException>(() => queue.Dequeue(ref parcel));
    }

    [Fact]
    public void What_was_known_to_be_on_the_disk_is_not_cut_off_after_a_restart()
    {
        Fill(300);
        _site.Overwrite(FirstSegment, SegmentFormat.PageSize + 2000, new byte[600]);
        byte[] tail = Site.Read(_site.File(StoreFormat.ControlName))[ControlFormat.TailOffset..(ControlFormat.TailOffset + 8)];
        _site.Overwrite(StoreFormat.ControlName, ControlFormat.DurableOffset, tail);
        _site.Overwrite(StoreFormat.ControlName, ControlFormat.BootOffset, new byte[ControlFormat.BootSize]);
        using (var queue = MappedQueue<Parcel>.Open(_site.Queue))
        {
            Assert.Contains(queue.Recovered!.Findings, finding => finding.File == _site.File(FirstSegment));
        }
        MappedQueue.Repair(_site.Queue);
        Assert.InRange(ReadAll().Count, 290, 299);
    }

    [Fact]
    public void A_pipe_or_a_link_instead_of_a_file_is_neither_followed_nor_waited_for()
    {
        if (OperatingSystem.IsWindows())
        {
            return;
        }
        Fill(300);
        string path = _site.File(FirstSegment), aside = Path.Combine(_site.Root, "aside");
        File.Move(path, aside);
        File.CreateSymbolicLink(path, aside);
        Assert.Contains("a link", Assert.Throws<QueueCorruptException>(() => ReadAll()).Message, StringComparison.Ordinal);
    }

    [Fact]
    public void A_tail_that_another_writes_over_leads_nobody_out_of_a_segment()
    {
        using var queue = MappedQueue<Parcel>.Open(_site.Queue, Small);
        queue.Enqueue(new Parcel().Fill(1, 0, 300));
        _site.Overwrite(StoreFormat.ControlName, ControlFormat.TailOffset, BitConverter.GetBytes(65535L));
        try
        {
            queue.EnqueueBatch([new Parcel().Fill(1, 1, 300), new Parcel().Fill(1, 2, 300)]);
        }
        catch (QueueException)
        {
            // Where it goes is nobody's promise any more.
        }
    }

    private static QueueOptions Small => new() { SegmentSize = 1 << 16, UseChecksums = true };

    private void Fill(int count, int first = 0)
    {
        using var queue = MappedQueue<Parcel>.Open(_site.Queue, Small);
        for (int number = first; number < first + count; number++)
        {
            queue.Enqueue(new Parcel().Fill(1, number, 300));
        }
    }

    private List<long> ReadAll()
    {
        using var queue = MappedQueue<Parcel>.Open(_site.Queue);
        var read = new List<long>();
        for (Parcel? parcel = null; queue.TryDequeue(ref parcel);)
        {
            Assert.True(parcel!.IsIntact() && (read.Count == 0 || parcel.Number > read[^1]));
            read.Add(parcel.Number);
        }
        return read;
    }

    public void Dispose() => _site.Dispose();
}
