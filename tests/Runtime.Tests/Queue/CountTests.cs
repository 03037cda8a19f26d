using System.Text;
using BlitQueue.Log;
using BlitQueue.Tests.Processes;
using Xunit;

namespace BlitQueue.Tests.Queue;

/// <summary>
/// A status tells how many messages there are from what segments note of them, whatever became of those who should have noted it: the same
/// as stepping over all of the log.
/// </summary>
public sealed class CountTests : IDisposable
{
    private const int SegmentSize = 1 << 16;

    private static readonly QueueOptions Small = new()
    {
        SegmentSize = SegmentSize,
        UseChecksums = true,
        RetainBytes = 1 << 19,
        StallTimeout = TimeSpan.FromSeconds(5),
    };

    private readonly Site _site = new();
    private readonly Parcel _parcel = new();
    private int _number;

    // The model: every message in order; where each subscription stands in it; and a new handle knows nothing but what segments say.
    [Theory]
    [InlineData(1)]
    [InlineData(2)]
    [InlineData(3)]
    [InlineData(4)]
    [InlineData(5)]
    [InlineData(6)]
    public void Counts_are_those_of_a_full_walk_whatever_was_done(int seed)
    {
        var random = new Random(seed);
        string[] names = ["default", "audit", "late"];
        MappedQueue<Parcel> queue = Open();
        foreach (string name in names)
        {
            queue.Subscribe(name);
        }
        for (int step = 0; step < 100; step++)
        {
            switch (random.Next(10))
            {
                case < 4:
                    Fill(queue, random.Next(60), random.Next(2000));
                    break;
                case 4:
                    queue.EnqueueBatch(
                        [.. Enumerable.Range(0, random.Next(1, 20))
                            .Select(_ => new Parcel().Fill(1, _number++, random.Next(random.Next(100_000))))]);
                    break;
                case 5:
                    queue.Enqueue(_parcel.Fill(1, _number++, random.Next(500)), new MessageProperties { Label = "a" });
                    break;
                case 6 or 7:
                    Take(queue.Subscribe(names[random.Next(3)]), random.Next(120));
                    break;
                case 8:
                    queue.Subscribe(names[random.Next(3)]).Seek(random.Next(2) == 0 ? QueuePosition.Oldest : QueuePosition.Newest);
                    break;
                default:
                    queue.Store.Counter.NoteInBackground(queue.GetStatus().Next.Value, queue.Store.Control.FirstRetained);
                    break;
            }
            if (step % 10 == 0)
            {
                queue.Dispose();
                queue = Open();
            }
            AssertCounts(queue, names);
        }
        queue.Dispose();
    }

    [Theory]
    [InlineData(nameof(ProtocolStep.AppendPublished), "produce")]
    [InlineData(nameof(ProtocolStep.AppendPublished), "batch")]
    [InlineData(nameof(ProtocolStep.AppendTailMoved), "produce")]
    [InlineData(nameof(ProtocolStep.AppendBatchWritten), "batch")]
    [InlineData(nameof(ProtocolStep.RollPadPublished), "produce")]
    [InlineData(nameof(ProtocolStep.RollTailMoved), "produce")]
    [InlineData(nameof(ProtocolStep.SegmentRenamed), "produce")]
    [InlineData(nameof(ProtocolStep.SegmentAnnounced), "produce")]
    public void Counts_are_those_of_a_full_walk_after_a_death_at_a_step_of_a_roll(string step, string command)
    {
        using MappedQueue<Parcel> queue = Open();
        for (int time = 1; time < 4; time++)
        {
            Fill(queue, 100, 1000);
            AssertCounts(queue, "default");
            using var peer = Processes.Peer.StartToDie(
                _site, Enum.Parse<ProtocolStep>(step), time, command, "producer=2", "count=2000", "size=1500", "batch=7");
            peer.WaitForDeath();
            AssertCounts(queue, "default");
            Fill(queue, 1, 10);
            AssertCounts(queue, "default");
            using MappedQueue<Parcel> other = Open();
            AssertCounts(other, "default");
        }
    }

    // A transaction's messages, and those of a queue that others send to at the same time.
    [Fact]
    public void Counts_are_those_of_a_full_walk_behind_transactions()
    {
        using var store = MappedStore.Open(_site.Root, Small);
        MappedQueue<Parcel> from = store.OpenQueue<Parcel>("queue"), to = store.OpenQueue<Parcel>("to");
        Fill(from, 500, 900);
        Parcel? parcel = null;
        for (int i = 0; i < 300; i++)
        {
            using QueueTransaction transaction = store.Begin();
            Assert.True(transaction.TryReceive(from, ref parcel));
            transaction.Enqueue(to, parcel!);
            if (i % 3 != 0)
            {
                transaction.Commit();
            }
            if (i % 20 == 0)
            {
                AssertCounts(to, "default");
            }
        }
        AssertCounts(to, "default");
        Assert.Equal(200, to.GetStatus().MessageCount);
    }

    [Theory]
    [InlineData("damage")]
    [InlineData("gone")]
    [InlineData("boot")]
    [InlineData("control")]
    public void A_recovery_or_a_repair_leaves_no_count_that_is_not_so(string what)
    {
        using (MappedQueue<Parcel> queue = Open())
        {
            Fill(queue, 600, 1000);
            Take(queue.Subscribe("default"), 100);
            AssertCounts(queue, "default");
        }
        string[] segments = [.. Directory.GetFiles(_site.Queue, "segment-*").Order(StringComparer.Ordinal)];
        switch (what)
        {
            case "damage":
                _site.Overwrite(Path.GetFileName(segments[4]), 20_000, new byte[5000]);
                Assert.False(MappedQueue.Repair(_site.Queue).IsSound);
                break;
            case "gone":
                File.Delete(segments[4]);
                break;
            case "boot":
                _site.Overwrite(Path.GetFileName(segments[4]), 20_000, new byte[5000]);
                _site.Overwrite(StoreFormat.ControlName, ControlFormat.BootOffset, "another boot of this machine"u8.ToArray());
                // Or what was on the disk would not be read again.
                _site.Overwrite(StoreFormat.ControlName, ControlFormat.CheckedOffset, new byte[8]);
                break;
            default:
                File.Delete(_site.File(StoreFormat.ControlName));
                break;
        }
        using MappedQueue<Parcel> after = Open();
        AssertCounts(after, "default");
        Assert.True(after.GetStatus().MessageCount < 500 || what == "control");
        Fill(after, 100, 1000);
        AssertCounts(after, "default");
    }

    // What was on the disk is not read again: only where subscriptions stand, and behind it.
    [Fact]
    public void A_restart_that_does_not_read_all_leaves_no_count_that_is_not_so()
    {
        using (MappedQueue<Parcel> queue = Open())
        {
            Fill(queue, 600, 1000);
            Take(queue.Subscribe("default"), 100);
            Take(queue.Subscribe("late"), 300);
            queue.Flush();
        }
        for (int boot = 0; boot < 3; boot++)
        {
            _site.Overwrite(
                StoreFormat.ControlName, ControlFormat.BootOffset, Encoding.ASCII.GetBytes($"another boot {boot} of this machine"));
            using MappedQueue<Parcel> after = Open();
            AssertCounts(after, "default", "late");
            Fill(after, 100, 1000);
            AssertCounts(after, "default", "late");
            after.Flush();
        }
    }

    // As files of the code before: their headers note nothing. And a note that is another segment's, or torn, is none.
    [Theory]
    [InlineData("none")]
    [InlineData("another's")]
    [InlineData("torn")]
    public void A_note_that_is_missing_or_does_not_belong_there_is_made_anew(string what)
    {
        using (MappedQueue<Parcel> queue = Open())
        {
            Fill(queue, 600, 1000);
            AssertCounts(queue, "default");
        }
        const int block = 640;
        string[] segments = [.. Directory.GetFiles(_site.Queue, "segment-*").Order(StringComparer.Ordinal)
            .Select(static path => Path.GetFileName(path))];
        byte[] fifth = Site.Read(_site.File(segments[5]))[(SegmentFormat.PageSize - block)..SegmentFormat.PageSize];
        Assert.Contains(fifth, static one => one != 0);
        for (int i = 0; i < 5; i++)
        {
            byte[] bytes = what == "none" ? new byte[block] : fifth;
            _site.Overwrite(segments[i], SegmentFormat.PageSize - block, what == "torn" ? [1, 2, 3] : bytes);
        }
        using MappedQueue<Parcel> after = Open();
        AssertCounts(after, "default");
        Assert.Equal(600, after.GetStatus().MessageCount);
        byte[] second = Site.Read(_site.File(segments[1]))[(SegmentFormat.PageSize - block)..SegmentFormat.PageSize];
        Assert.Contains(second, static one => one != 0);
        Assert.NotEqual(fifth, second);
    }

    // Nobody has asked for a status: the producer itself has noted what it left.
    [Fact]
    public void Who_leaves_a_segment_of_a_deep_queue_notes_how_many_messages_there_are()
    {
        using var queue = MappedQueue<Parcel>.Open(_site.Queue, new QueueOptions { SegmentSize = 1 << 20 });
        Fill(queue, 90_000, 1000);
        string[] segments = [.. Directory.GetFiles(_site.Queue, "segment-*").Order(StringComparer.Ordinal)];
        Assert.InRange(segments.Length, 80, 100);
        string late = segments[^5];
        Assert.True(
            SpinWait.SpinUntil(
                () => Site.Read(late).AsSpan(SegmentFormat.PageSize - 640, 24).ContainsAnyExcept((byte)0),
                TimeSpan.FromSeconds(20)));
        AssertCounts(queue, "default");
    }

    private MappedQueue<Parcel> Open() => MappedQueue<Parcel>.Open(_site.Queue, Small);

    private void Fill(MappedQueue<Parcel> queue, int count, int length)
    {
        for (int i = 0; i < count; i++)
        {
            queue.Enqueue(_parcel.Fill(1, _number++, length));
        }
    }

    private static void Take(Subscription<Parcel> subscription, int count)
    {
        Parcel? parcel = null;
        for (int i = 0; i < count && subscription.TryDequeue(ref parcel); i++)
        {
        }
    }

    private static void AssertCounts(MappedQueue<Parcel> queue, params string[] names)
    {
        QueueStatus status = queue.GetStatus();
        long most = 0;
        foreach (string name in names)
        {
            long next = SubscriptionFormat.Position(queue.Store.Subscriptions.Find(name)!.Next),
                walked = Walk(queue, next, status.Next.Value);
            Assert.Equal((name, walked), (name, status.Subscriptions.Single(one => one.Name == name).Lag));
            most = Math.Max(most, walked);
        }
        Assert.Equal(most, status.MessageCount);
    }

    // Record by record, without anything that segments note.
    private static long Walk(MappedQueue<Parcel> queue, long from, long to)
    {
        QueueMeta meta = queue.Store.Meta;
        long count = 0;
        while (from < to)
        {
            if (queue.Store.Segments.Pin(from / meta.SegmentSize) is not { } segment)
            {
                from = meta.FirstBehind(from);
                continue;
            }
            long header = segment.Header(from);
            count += RecordFormat.Kind(header).EndsMessage() ? 1 : 0;
            from = segment.Behind(from, header);
            queue.Store.Segments.Unpin(segment);
            Assert.True(from > 0);
        }
        return count;
    }

    public void Dispose() => _site.Dispose();
}
