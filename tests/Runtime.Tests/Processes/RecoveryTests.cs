using System.Buffers.Binary;
using System.Text;
using BlitQueue.Log;
using Xunit;

namespace BlitQueue.Tests.Processes;

/// <summary>After the machine went down, which a foreign boot id in the control file stands for, or the control file was lost.</summary>
public sealed class RecoveryTests : IDisposable
{
    private static readonly QueueOptions Small = new() { SegmentSize = 1 << 16, UseChecksums = true };

    private readonly Site _site = new();

    [Fact]
    public void A_lost_control_file_is_rebuilt()
    {
        Write(200, consumed: 50);
        File.Delete(_site.File(StoreFormat.ControlName));
        AssertReadable(50, 200);
    }

    [Fact]
    public void After_a_restart_of_the_machine_the_queue_goes_on()
    {
        Write(200, consumed: 50);
        PretendRestart();
        AssertReadable(50, 200);
        AssertReadable(200, 200);
    }

    [Fact]
    public void A_queue_that_nothing_was_ever_enqueued_to_is_rebuilt()
    {
        Write(0, consumed: 0);
        File.Delete(_site.File(StoreFormat.ControlName));
        AssertReadable(0, 0);
    }

    [Fact]
    public void A_record_that_reached_the_disk_in_part_is_a_hole()
    {
        Write(200, consumed: 50);
        long[] starts = RecordStarts(200);
        Overwrite(starts[150] + 40, [0xEE]);
        PretendRestart();
        AssertReadable(50, 200, hole: 150);
        AssertReadable(200, 200);
    }

    [Theory]
    [InlineData(nameof(ProtocolStep.RecoveryLogRead))]
    [InlineData(nameof(ProtocolStep.RecoverySealed))]
    [InlineData(nameof(ProtocolStep.RecoveryWordsSet))]
    public void A_recovery_that_is_killed_is_repeated(string stepName)
    {
        Write(200, consumed: 50);
        Overwrite(RecordStarts(200)[150] + 40, [0xEE]);
        PretendRestart();
        // Else what was on the disk is not read again.
        _site.Overwrite(StoreFormat.ControlName, ControlFormat.CheckedOffset, new byte[sizeof(long)]);
        using var peer = Peer.StartToDie(_site, Enum.Parse<ProtocolStep>(stepName), 1, "produce");
        peer.WaitForDeath();
        using (var queue = MappedQueue<Parcel>.Open(_site.Queue))
        {
            // What the one that was killed had found is told by the one that ends.
            Assert.Contains(queue.Recovered!.Findings, finding => finding.Position?.Value == RecordStarts(200)[150]);
            Assert.Equal(queue.Recovered.Findings, queue.GetStatus().Recovered!.Findings);
        }
        AssertReadable(50, 200, hole: 150);
    }

    // A producer died in a batch of several segments, and who recovers dies when so many of their files are in place.
    [Theory]
    [InlineData(1, "restart", "restart")]
    [InlineData(2, "restart", "control lost")]
    [InlineData(4, "restart", "control lost")]
    [InlineData(1, "control lost", "nothing")]
    [InlineData(2, "control lost", "control lost")]
    [InlineData(3, "control lost", "restart")]
    [InlineData(4, "control lost", "nothing")]
    public void A_recovery_that_is_killed_between_two_segments_tells_no_hole_and_brings_nothing_back(
        int replaced, string first, string then)
    {
        using (var queue = MappedQueue<Parcel>.Open(_site.Queue, Small))
        {
            queue.Enqueue(new Parcel().Fill(1, 0, 1000));
            queue.Producer.MakeSegments(7, TimeSpan.FromSeconds(30), default);
        }
        using (var producer = Peer.StartToDie(_site, ProtocolStep.AppendBatchWritten, 1, "batch", "producer=2", "size=1500", "batch=150"))
        {
            producer.WaitForDeath();
        }
        Happen(first);
        using (var opener = Peer.StartToDie(_site, ProtocolStep.RecoverySegmentReplaced, replaced, "produce"))
        {
            opener.WaitForDeath();
        }
        Happen(then);
        AssertReadable(0, 1);

        void Happen(string what)
        {
            if (what == "restart")
            {
                PretendRestart();
            }
            else if (what == "control lost")
            {
                File.Delete(_site.File(StoreFormat.ControlName));
            }
        }
    }

    [Fact]
    public void A_rebuilding_of_the_control_file_that_is_killed_is_repeated()
    {
        Write(200, consumed: 50);
        File.Delete(_site.File(StoreFormat.ControlName));
        using var peer = Peer.StartToDie(_site, ProtocolStep.StoreControlMade, 1, "produce");
        peer.WaitForDeath();
        AssertReadable(50, 200);
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public void Leases_of_the_time_before_are_delivered_again(bool controlLost)
    {
        using (Peer holder = Peer.Start(_site, "hold", "count=5", "segment=65536").WaitFor("ready"))
        {
            using (var queue = MappedQueue<Parcel>.Open(_site.Queue))
            {
                for (int number = 0; number < 10; number++)
                {
                    queue.Enqueue(new Parcel().Fill(1, number, 50));
                }
                holder.WaitFor("holding");
            }
            holder.Kill();
            holder.WaitForExit();
        }
        if (controlLost)
        {
            // The participants are counted anew then: the holder's place and count may be those of a process of today.
            File.Delete(_site.File(StoreFormat.ControlName));
        }
        else
        {
            PretendRestart();
        }
        using var survivor = new Survivor(_site, new QueueOptions());
        survivor.Drain();
        Assert.Equal(10, survivor.History.Deliveries);
        for (int number = 0; number < 10; number++)
        {
            survivor.History.Enqueued(1, number);
        }
        survivor.AssertNoFaults();
    }

    [Fact]
    public void A_subscription_that_reached_the_disk_earlier_than_deletions_goes_on_with_what_is_there()
    {
        byte[] early;
        using (var queue = MappedQueue<Parcel>.Open(_site.Queue, Small))
        {
            queue.Enqueue(new Parcel().Fill(1, 0, 1000));
            early = Site.Read(_site.File("subscription-default"));
            Parcel? parcel = null;
            for (int number = 1; number < 400; number++)
            {
                queue.Enqueue(new Parcel().Fill(1, number, 1000));
                Assert.True(queue.TryDequeue(ref parcel));
            }
            SpinWait.SpinUntil(() => !File.Exists(_site.File(StoreFormat.SegmentName(0))), Peer.Patience);
        }
        File.WriteAllBytes(_site.File("subscription-default"), early);
        PretendRestart();
        using var reopened = MappedQueue<Parcel>.Open(_site.Queue);
        Parcel? next = null;
        long last = 0;
        // What the file says is needed is missed, so it is told.
        Assert.Throws<QueueCorruptException>(() => reopened.TryDequeue(ref next));
        reopened.SkipCorrupt();
        while (reopened.TryDequeue(ref next))
        {
            Assert.True(next!.IsIntact() && next.Number > last);
            last = next.Number;
        }
        Assert.Equal(399, last);
    }

    [Fact]
    public void A_subscription_that_is_newer_on_the_disk_than_the_log_gets_what_comes()
    {
        Write(55, consumed: 54);
        Overwrite(RecordStarts(55)[50] + 40, [0xEE]);
        PretendRestart();
        AssertReadable(54, 55);
    }

    [Fact]
    public void A_lease_whose_cell_was_not_written_is_delivered_again()
    {
        string path = _site.File("subscription-default");
        byte[] image;
        using (var queue = MappedQueue<Parcel>.Open(_site.Queue, Small))
        {
            for (int number = 0; number < 5; number++)
            {
                queue.Enqueue(new Parcel().Fill(1, number, 50));
            }
            image = Site.Read(path);
            Assert.True(queue.Subscribe("default").TryReceive(out _));
            Site.Read(path).AsSpan(0, SubscriptionFormat.CellsOffset).CopyTo(image);
        }
        image.AsSpan(SubscriptionFormat.BootOffset, sizeof(long)).Fill(0xEE);
        File.WriteAllBytes(path, image);
        PretendRestart();
        AssertReadable(0, 5);
    }

    [Fact]
    public void A_lease_whose_messages_passing_was_not_written_is_delivered_once()
    {
        using (var queue = MappedQueue<Parcel>.Open(_site.Queue, Small))
        {
            for (int number = 0; number < 5; number++)
            {
                queue.Enqueue(new Parcel().Fill(1, number, 50));
            }
            byte[] next = new byte[8];
            using (FileStream file = OpenFile("subscription-default"))
            {
                file.Position = SubscriptionFormat.NextOffset;
                file.ReadExactly(next);
            }
            Assert.True(queue.Subscribe("default").TryReceive(out _));
            queue.Dispose();
            using (FileStream file = OpenFile("subscription-default"))
            {
                // The page with the lease was written back, the one with the next position was not.
                file.Position = SubscriptionFormat.NextOffset;
                file.Write(next);
            }
        }
        PretendRestart();
        AssertReadable(0, 5);
    }

    [Fact]
    public void A_batch_whose_beginning_everybody_has_passed_does_not_end_the_log()
    {
        const int Count = 300;
        using (var queue = MappedQueue<Parcel>.Open(_site.Queue, Small))
        {
            queue.EnqueueBatch([.. Enumerable.Range(0, Count).Select(static number => new Parcel().Fill(1, number, 1000))]);
            Parcel? parcel = null;
            for (int number = 0; number < 200; number++)
            {
                Assert.True(queue.TryDequeue(ref parcel));
            }
            SpinWait.SpinUntil(() => !File.Exists(_site.File(StoreFormat.SegmentName(0))), Peer.Patience);
        }
        Assert.False(File.Exists(_site.File(StoreFormat.SegmentName(0))));
        PretendRestart();
        AssertReadable(200, Count);
    }

    [Fact]
    public void A_control_file_lost_while_others_have_the_queue_open_is_not_rebuilt_behind_their_back()
    {
        using var queue = MappedQueue<Parcel>.Open(_site.Queue, Small);
        queue.Enqueue(new Parcel().Fill(1, 0, 50));
        File.Delete(_site.File(StoreFormat.ControlName));
        QueueException refused = Assert.ThrowsAny<QueueException>(() => MappedQueue<Parcel>.Open(_site.Queue));
        Assert.Contains(StoreFormat.ControlName, refused.Message, StringComparison.Ordinal);
        Parcel? parcel = null;
        Assert.True(queue.TryDequeue(ref parcel) && parcel!.IsIntact());
    }

    private void Write(int count, int consumed)
    {
        using var queue = MappedQueue<Parcel>.Open(_site.Queue, Small);
        for (int number = 0; number < count; number++)
        {
            queue.Enqueue(new Parcel().Fill(1, number, 1000));
        }
        Parcel? parcel = null;
        for (int number = 0; number < consumed; number++)
        {
            Assert.True(queue.TryDequeue(ref parcel));
        }
    }

    private void AssertReadable(int from, int to, int hole = -1)
    {
        using var queue = MappedQueue<Parcel>.Open(_site.Queue);
        // What is enqueued after a recovery comes behind what was before.
        queue.Enqueue(new Parcel().Fill(2, 0, 1000));
        Parcel? parcel = null;
        for (int number = from; number < to; number++)
        {
            if (number == hole)
            {
                Assert.Throws<QueueCorruptException>(() => queue.TryDequeue(ref parcel));
                queue.SkipCorrupt();
                continue;
            }
            Assert.True(queue.TryDequeue(ref parcel), $"Message {number} is lost.");
            Assert.True(
                parcel!.Number == number && parcel.Producer == 1 && parcel.IsIntact(),
                $"{parcel.Producer}/{parcel.Number} instead of {number}");
        }
        Assert.True(queue.TryDequeue(ref parcel) && parcel!.Producer == 2 && parcel.IsIntact());
        Assert.False(queue.TryDequeue(ref parcel));
    }

    private void PretendRestart()
    {
        using FileStream control = OpenFile(StoreFormat.ControlName);
        control.Position = ControlFormat.BootOffset;
        control.Write(Encoding.ASCII.GetBytes("another boot of this machine"));
    }

    private FileStream OpenFile(string name)
        => File.Open(_site.File(name), FileMode.Open, FileAccess.ReadWrite, FileShare.ReadWrite | FileShare.Delete);

    private void Overwrite(long position, byte[] bytes)
    {
        using FileStream segment = OpenFile(StoreFormat.SegmentName(position & ~0xFFFFL));
        segment.Position = position & 0xFFFF;
        segment.Write(bytes);
    }

    // Walks the records in the files: all are of one size but for the pads.
    private long[] RecordStarts(int count)
    {
        var starts = new List<long>();
        long position = SegmentFormat.PageSize;
        byte[] word = new byte[8];
        while (starts.Count < count)
        {
            using FileStream segment = OpenFile(StoreFormat.SegmentName(position & ~0xFFFFL));
            segment.Position = position & 0xFFFF;
            segment.ReadExactly(word);
            long header = BinaryPrimitives.ReadInt64LittleEndian(word);
            if (RecordFormat.Kind(header) == RecordKind.Pad)
            {
                position = (position & ~0xFFFFL) + (1 << 16) + SegmentFormat.PageSize;
                continue;
            }
            starts.Add(position);
            position += RecordFormat.Extent(RecordFormat.Length(header));
        }
        return [.. starts];
    }

    public void Dispose() => _site.Dispose();
}
