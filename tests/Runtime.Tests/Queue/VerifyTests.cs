using BlitQueue.Log;
using BlitQueue.Tests.Processes;
using Xunit;

namespace BlitQueue.Tests.Queue;

/// <summary>Verify reads everything, changes nothing, and names what is damaged.</summary>
public sealed class VerifyTests : IDisposable
{
    private static readonly QueueOptions Small = new() { SegmentSize = 1 << 16, UseChecksums = true, RetainBytes = 1 << 17 };

    private readonly Site _site = new();
    private readonly Parcel _parcel = new();
    private int _number;

    [Fact]
    public void A_sound_queue_is_sound_and_stays_as_it_is()
    {
        using (MappedQueue<Parcel> queue = Open())
        {
            Fill(queue, 300, 900);
            queue.EnqueueBatch([new Parcel().Fill(1, 0, 10), new Parcel().Fill(1, 1, 150_000)]);
            using Subscription<Parcel> audit = queue.Subscribe("audit");
            Take(queue, 100);
            audit.Receive().Commit();
            audit.Receive().DeadLetter("bad");
            audit.Receive();
        }
        Dictionary<string, string> before = Contents();
        var seen = new List<QueueProgress>();
        VerifyReport report = MappedQueue.Verify(_site.Queue, new Told(seen));
        Assert.True(report.IsSound, string.Join("; ", report.Findings));
        Assert.Equal(before, Contents());
        Assert.Equal(302, report.MessageCount);
        Assert.Equal(
            [("audit", 299L, 1L), ("default", 202L, 0L), ("default", 1L, 0L)],
            report.Subscriptions.OrderBy(static one => one.Queue).ThenBy(static one => one.Name)
                .Select(static one => (one.Name, one.Waiting, one.Held)));
        Assert.InRange(report.Segments, 7, 12);
        Assert.Equal(report.Bytes, seen[^1].Bytes);
        Assert.Equal(report.Files, seen.Count);
        Assert.True(seen.TrueForAll(static one => one.Bytes <= one.Total));
    }

    [Fact]
    public void Damage_is_named_with_its_position_and_everything_else_is_read()
    {
        using (MappedQueue<Parcel> queue = Open())
        {
            Fill(queue, 300, 900);
        }
        string[] segments = [.. Directory.GetFiles(_site.Queue, "segment-*").Order(StringComparer.Ordinal)];
        _site.Overwrite(Path.GetFileName(segments[1]), 20_000, [1, 2, 3, 4]);
        VerifyReport report = MappedQueue.Verify(_site.Queue);
        RecoveryFinding finding = Assert.Single(report.Findings);
        Assert.Equal(segments[1], finding.File);
        Assert.InRange(finding.Offset, 20_000 - 1000, 20_000);
        Assert.InRange(finding.Bytes, 900, 1000);
        Assert.Equal((1 << 16) + finding.Offset, finding.Position!.Value.Value);
        Assert.Equal(299, report.MessageCount);
        Assert.Equal(299, report.Subscriptions[0].Waiting);
    }

    [Theory]
    [InlineData("segment", "missing")]
    [InlineData("cut", "bytes where")]
    [InlineData("header", "magic")]
    [InlineData(StoreFormat.ControlName, "missing")]
    [InlineData(StoreFormat.MetaName, "missing")]
    [InlineData("subscription-default", "not a subscription")]
    [InlineData("ahead", "in front of the log's end")]
    [InlineData("between", "no record begins")]
    [InlineData(StoreFormat.RepairName, "has not ended")]
    public void What_is_wrong_with_a_file_is_found_and_not_thrown(string what, string told)
    {
        long end;
        using (MappedQueue<Parcel> queue = Open())
        {
            Fill(queue, 300, 900);
            end = queue.GetStatus().Next.Value;
        }
        string segment = Directory.GetFiles(_site.Queue, "segment-*").Order(StringComparer.Ordinal).ElementAt(1);
        switch (what)
        {
            case "segment":
                File.Delete(segment);
                break;
            case "cut":
                using (FileStream file = File.OpenWrite(segment))
                {
                    file.SetLength(10_000);
                }
                break;
            case "header":
                _site.Overwrite(Path.GetFileName(segment), 0, new byte[80]);
                break;
            case "subscription-default":
                _site.Overwrite(what, 0, new byte[80]);
                break;
            case "ahead":
                _site.Overwrite(
                    "subscription-default", SubscriptionFormat.NextOffset, BitConverter.GetBytes(SubscriptionFormat.NextWord(end + 80, 0)));
                break;
            case "between":
                _site.Overwrite(
                    "subscription-default", SubscriptionFormat.NextOffset, BitConverter.GetBytes(SubscriptionFormat.NextWord(end - 80, 0)));
                break;
            case StoreFormat.RepairName:
                File.WriteAllText(_site.File(what), "");
                break;
            default:
                File.Delete(_site.File(what));
                break;
        }
        Dictionary<string, string> before = Contents();
        Assert.Contains(MappedQueue.Verify(_site.Queue).Findings, finding => finding.What.Contains(told, StringComparison.Ordinal));
        Assert.Equal(before, Contents());
    }

    // As a copy is, or what a restart of the machine left: nothing says how far the log goes, but the log.
    [Fact]
    public void Files_of_another_boot_are_read_to_where_the_log_ends()
    {
        using (MappedQueue<Parcel> queue = Open())
        {
            Fill(queue, 300, 900);
        }
        _site.Overwrite(StoreFormat.ControlName, ControlFormat.BootOffset, "another boot of this machine"u8.ToArray());
        VerifyReport report = MappedQueue.Verify(_site.Queue);
        Assert.True(report.IsSound, string.Join("; ", report.Findings));
        Assert.Equal(300, report.MessageCount);
    }

    // Consumers see what was published; the tail may follow much later.
    [Fact]
    public void A_batch_that_was_consumed_before_its_appender_moved_the_tail_is_part_of_the_log()
    {
        using MappedQueue<Parcel> queue = Open();
        using Processes.Peer producer = Processes.Peer.StartToStop(
            _site, ProtocolStep.AppendPublished, 1, "batch", "producer=3", "size=3000", "batch=40").WaitForStop();
        Parcel? parcel = null;
        for (int taken = 0; taken < 40; taken++)
        {
            Assert.True(queue.TryDequeue(ref parcel));
        }
        VerifyReport report = MappedQueue.Verify(_site.Queue);
        Assert.True(report.IsSound, string.Join("; ", report.Findings));
    }

    [Fact]
    public void A_queue_in_use_is_sound_at_every_moment()
    {
        using MappedQueue<Parcel> queue = Open();
        queue.Enqueue(_parcel.Fill(1, 0, 10));
        using Processes.Peer producer = Processes.Peer.Start(_site, "produce", "producer=2", "size=3000"), batches = Processes.Peer.Start(
            _site, "batch", "producer=3", "size=3000", "batch=40");
        using var consumer = Processes.Peer.Start(_site, "consume");
        for (int i = 0; i < 60; i++)
        {
            VerifyReport report = MappedQueue.Verify(_site.Queue);
            Assert.True(report.IsSound, string.Join("; ", report.Findings));
            Thread.Sleep(20);
        }
    }

    // Subscriptions come and go, ephemeral ones among them, queues and dead letters are made: nothing of that is damage.
    [Fact]
    public void What_is_made_and_deleted_meanwhile_is_not_missing()
    {
        string root = _site.Root + "/store";
        using var store = MappedStore.Open(root, Small);
        MappedQueue<Parcel> queue = store.OpenQueue<Parcel>("queue");
        using var stop = new CancellationTokenSource();
        Thread worker = new(() =>
        {
            for (int round = 0; !stop.IsCancellationRequested; round++)
            {
                queue.Subscribe("watch", new SubscriptionOptions { Ephemeral = true }).Dispose();
                using (Subscription<Parcel> audit = queue.Subscribe($"audit-{round % 50}"))
                {
                    queue.Enqueue(new Parcel().Fill(1, round, 10));
                    if (round < 50)
                    {
                        audit.Receive().DeadLetter("bad");
                    }
                }
                queue.DeleteSubscription($"audit-{round % 50}");
                if (round < 100)
                {
                    store.OpenQueue<Parcel>($"more-{round}").Dispose();
                }
            }
        });
        worker.Start();
        try
        {
            for (int i = 0; i < 30; i++)
            {
                VerifyReport report = MappedQueue.Verify(root);
                Assert.True(report.IsSound, string.Join("; ", report.Findings));
            }
        }
        finally
        {
            stop.Cancel();
            worker.Join();
        }
    }

    [Theory]
    [InlineData(nameof(ProtocolStep.StoreControlMade), "letters")]
    [InlineData(nameof(ProtocolStep.StoreSubscriptionMade), "letters")]
    [InlineData(nameof(ProtocolStep.StoreMetaWritten), "letters")]
    public void What_a_killed_maker_left_is_no_damage(string step, string what)
    {
        using MappedQueue<Parcel> queue = Open();
        Fill(queue, 3, 10);
        using (var peer = Processes.Peer.StartToDie(_site, Enum.Parse<ProtocolStep>(step), 1, "bury"))
        {
            peer.WaitForDeath();
        }
        Assert.True(Directory.Exists(_site.File("dead-default")), what);
        VerifyReport report = MappedQueue.Verify(_site.Queue);
        Assert.True(report.IsSound, string.Join("; ", report.Findings));
        Assert.True(MappedQueue.Backup(_site.Queue, _site.Root + "/backup").Verified.IsSound);
    }

    [Fact]
    public void A_store_and_lanes_are_verified_with_all_that_is_in_them()
    {
        using (var store = MappedStore.Open(_site.Root + "/store", Small))
        {
            MappedQueue<Parcel> from = store.OpenQueue<Parcel>("from"), to = store.OpenQueue<Parcel>("to");
            Fill(from, 50, 10);
            Fill(to, 20, 10);
        }
        using (var lanes = MappedLanes<Parcel>.Open(_site.Root + "/lanes", 2, Small))
        {
            Fill(lanes[1], 30, 10);
        }
        VerifyReport both = MappedQueue.Verify(_site.Root + "/store"), laned = MappedQueue.Verify(_site.Root + "/lanes");
        Assert.Equal((70, 2, true), (both.MessageCount, both.Subscriptions.Count, both.IsSound));
        Assert.Equal((30, 2, true), (laned.MessageCount, laned.Subscriptions.Count, laned.IsSound));
        File.WriteAllText(_site.Root + "/store/store.transactions", "?");
        Assert.False(MappedQueue.Verify(_site.Root + "/store").IsSound);
        Assert.Throws<QueueException>(() => MappedQueue.Verify(_site.Root));
        Assert.Throws<QueueException>(() => MappedQueue.Verify(_site.Root + "/nothing"));
    }

    [Fact]
    public void It_can_be_cancelled()
    {
        using MappedQueue<Parcel> queue = Open();
        Assert.Throws<OperationCanceledException>(
            () => MappedQueue.Verify(_site.Queue, cancellationToken: new CancellationToken(canceled: true)));
    }

    private MappedQueue<Parcel> Open() => MappedQueue<Parcel>.Open(_site.Queue, Small);

    private void Fill(MappedQueue<Parcel> queue, int count, int length)
    {
        for (int i = 0; i < count; i++)
        {
            queue.Enqueue(_parcel.Fill(1, _number++, length));
        }
    }

    private static void Take(MappedQueue<Parcel> queue, int count)
    {
        Parcel? parcel = null;
        for (int i = 0; i < count; i++)
        {
            Assert.True(queue.TryDequeue(ref parcel));
        }
    }

    private Dictionary<string, string> Contents()
        => Directory.GetFiles(_site.Queue, "*", SearchOption.AllDirectories).Order(StringComparer.Ordinal)
        .ToDictionary(
            static path => path, static path => Convert.ToHexString(System.Security.Cryptography.SHA256.HashData(Site.Read(path))));

    public void Dispose() => _site.Dispose();

    private sealed class Told(List<QueueProgress> seen) : IProgress<QueueProgress>
    {
        public void Report(QueueProgress value) => seen.Add(value);
    }
}
