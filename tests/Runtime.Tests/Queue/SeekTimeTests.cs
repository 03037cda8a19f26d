using System.Buffers.Binary;
using System.Text;
using BlitQueue.Log;
using Xunit;
using static BlitQueue.Tests.Queue.SubscriptionTests;

namespace BlitQueue.Tests.Queue;

/// <summary>Seeking a time: exact where messages bear theirs, never too late where they do not.</summary>
public sealed class SeekTimeTests : QueueFixture
{
    private static readonly QueueOptions Default = new() { SegmentSize = 1 << 16, RetainBytes = 1 << 24 };
    private static readonly QueueOptions Stamping = Default with { Stamps = MessageStamps.Time };

    [Fact]
    public void Is_exact_where_messages_bear_their_time()
    {
        using MappedQueue<Note> queue = Open(Stamping);
        using Subscription<Note> audit = queue.Subscribe("audit");
        DateTime[] times = EnqueueStamped(queue, audit, 300);
        for (int id = 0; id < 300; id += 7)
        {
            audit.Seek(times[id]);
            Assert.Equal(Array.FindIndex(times, time => time >= times[id]), Next(audit));
            audit.Seek(new DateTimeOffset(times[id]).AddTicks(1).ToOffset(TimeSpan.FromHours(3)));
            Assert.Equal(Array.FindIndex(times, time => time > times[id]), Next(audit));
            audit.Seek(times[id].ToLocalTime());
            Assert.Equal(Array.FindIndex(times, time => time >= times[id]), Next(audit));
        }
        audit.Seek(times[^1].AddTicks(1));
        Assert.Empty(SubscriptionTests.Drain(audit));
    }

    [Fact]
    public void Misses_nothing_where_they_do_not_and_begins_at_most_a_segment_earlier()
    {
        using MappedQueue<Note> queue = Open(Default);
        using Subscription<Note> audit = queue.Subscribe("audit");
        var before = new DateTime[300];
        for (int id = 0; id < 300; id++)
        {
            Thread.Sleep(1);
            before[id] = DateTime.UtcNow;
            queue.Enqueue(Of(id, 1000));
        }
        for (int id = 0; id < 300; id += 7)
        {
            audit.Seek(before[id]);
            Assert.InRange(Next(audit), id - 65, id);
        }
    }

    // One handle stamps, another does not: what stands between two that bear a time is between them.
    [Fact]
    public void Of_those_that_bear_no_time_their_neighbours_tell()
    {
        using MappedQueue<Note> stamping = Open(Stamping), simple = Open(Default);
        using Subscription<Note> audit = simple.Subscribe("audit");
        var before = new DateTime[40];
        for (int id = 0; id < 40; id++)
        {
            Thread.Sleep(1);
            before[id] = DateTime.UtcNow;
            (id % 4 == 0 ? stamping : simple).Enqueue(Of(id));
        }
        for (int id = 0; id < 40; id++)
        {
            audit.Seek(before[id]);
            // Behind the last one before it that bears a time: 0, 4, 8 and so on do.
            Assert.Equal(id == 0 ? 0 : ((id - 1) / 4 * 4) + 1, Next(audit));
        }
    }

    [Fact]
    public void The_future_is_behind_the_newest_and_the_past_at_the_oldest()
    {
        using MappedQueue<Note> queue = Open(Default);
        using Subscription<Note> audit = queue.Subscribe("audit");
        Enqueue(queue, 0, 5);
        audit.Seek(DateTime.UtcNow.AddHours(1));
        Assert.Empty(SubscriptionTests.Drain(audit));
        Enqueue(queue, 5, 2);
        Assert.Equal(Ids(5, 2), SubscriptionTests.Drain(audit));
        audit.Seek(DateTime.MinValue);
        Assert.Equal(Ids(0, 7), SubscriptionTests.Drain(audit));
        audit.Seek(DateTime.MaxValue);
        Assert.Empty(SubscriptionTests.Drain(audit));
    }

    [Fact]
    public void An_empty_queue_has_nothing_at_any_time()
    {
        using MappedQueue<Note> queue = Open(Stamping);
        using Subscription<Note> audit = queue.Subscribe("audit");
        audit.Seek(DateTime.UtcNow.AddDays(-1));
        Enqueue(queue, 0, 2);
        Assert.Equal(Ids(0, 2), SubscriptionTests.Drain(audit));
    }

    // Later segments say that they were begun long before: as after the clock was set back.
    [Fact]
    public void A_clock_that_was_set_back_hides_no_message_that_bears_its_time()
    {
        using MappedQueue<Note> queue = Open(Stamping);
        using Subscription<Note> audit = queue.Subscribe("audit");
        DateTime[] times = EnqueueStamped(queue, audit, 300);
        SetWords(SegmentFormat.EnteredOffset, 1);
        for (int id = 0; id < 300; id += 7)
        {
            audit.Seek(times[id]);
            Assert.Equal(Array.FindIndex(times, time => time >= times[id]), Next(audit));
        }
    }

    [Fact]
    public void After_a_restart_of_the_machine_the_records_tell_what_the_headers_do_not()
    {
        DateTime[] times;
        using (MappedQueue<Note> queue = Open(Stamping with { UseChecksums = true }))
        {
            using Subscription<Note> audit = queue.Subscribe("audit");
            times = EnqueueStamped(queue, audit, 300);
        }
        SetWords(SegmentFormat.EnteredOffset, 1);
        SetWords(SegmentFormat.StampedOffset, 0);
        using (FileStream control = File.Open(Site.File(StoreFormat.ControlName), FileMode.Open, FileAccess.Write, FileShare.ReadWrite))
        {
            control.Position = ControlFormat.BootOffset;
            control.Write(Encoding.ASCII.GetBytes("another boot of this machine"));
        }
        using MappedQueue<Note> again = Open(Stamping);
        using Subscription<Note> later = again.Subscribe("audit");
        later.Seek(times[40]);
        Assert.Equal(Array.FindIndex(times, time => time >= times[40]), Next(later));
    }

    // Segments that begin in the middle of a batch, or of a message.
    [Theory]
    [InlineData(MessageStamps.None)]
    [InlineData(MessageStamps.Time)]
    public void Batches_and_split_messages_over_segments_are_found_at_their_beginning(MessageStamps stamp)
    {
        using MappedQueue<Note> queue = Open(Default with { Stamps = stamp });
        using Subscription<Note> audit = queue.Subscribe("audit");
        var before = new List<DateTime>();
        for (int round = 0; round < 4; round++)
        {
            Thread.Sleep(2);
            before.Add(DateTime.UtcNow);
            queue.Enqueue(Of(4 * round, 400_000));
            queue.EnqueueBatch([Of((4 * round) + 1, 40_000), Of((4 * round) + 2, 90_000), Of((4 * round) + 3, 40_000)]);
        }
        for (int round = 0; round < 4; round++)
        {
            audit.Seek(before[round]);
            long[] ids = SubscriptionTests.Drain(audit);
            Assert.Equal(15, ids[^1]);
            Assert.Equal(Ids((int)ids[0], ids.Length), ids);
            Assert.InRange(ids[0], stamp == MessageStamps.None ? 4 * (round - 1) : 4 * round, 4 * round);
        }
    }

    [Fact]
    public void What_is_stamped_is_read()
    {
        using MappedQueue<Note> queue = Open(Default with { Stamps = MessageStamps.Time | MessageStamps.Producer });
        DateTime before = DateTime.UtcNow;
        queue.Enqueue(Of(1));
        queue.Enqueue(Of(2, 100_000));
        queue.EnqueueBatch([Of(3), Of(4)]);
        Assert.True(queue.TryEnqueue(Of(5)));
        Assert.True(queue.EnqueueAsync(Of(6)).IsCompletedSuccessfully);
        queue.Enqueue(Of(7), new MessageProperties { Producer = "me", Label = "l" });
        DateTime after = DateTime.UtcNow;
        Note? note = null;
        var properties = new MessageProperties();
        for (int id = 1; id <= 7; id++)
        {
            Assert.True(queue.TryDequeue(ref note, properties));
            Assert.Equal((id, id == 7 ? "l" : null), (note!.Id, properties.Label));
            Assert.Equal(DateTimeKind.Utc, properties.EnqueuedAt!.Value.Kind);
            Assert.InRange(properties.EnqueuedAt.Value, before, after);
            before = properties.EnqueuedAt.Value;
            if (id == 7)
            {
                Assert.Equal("me", properties.Producer);
            }
            else
            {
                Assert.EndsWith($"/{Environment.ProcessId}", properties.Producer, StringComparison.Ordinal);
            }
        }
        Assert.Throws<ArgumentException>(() => Open(Default with { Stamps = (MessageStamps)8 }));
    }

    [Fact]
    public void Messages_whose_packing_runs_code_are_stamped_too()
    {
        using var queue = MappedQueue<Relay>.Open(Site.Queue, Stamping);
        queue.Enqueue(new Relay());
        Relay? relay = null;
        var properties = new MessageProperties();
        Assert.True(queue.TryDequeue(ref relay, properties));
        Assert.NotNull(properties.EnqueuedAt);
    }

    // Those in the middle of a long message were never begun by an append of their own.
    [Fact]
    public void Segments_of_a_split_message_do_not_stay_longer_than_they_are_retained()
    {
        using MappedQueue<Note> queue = Open(new QueueOptions { SegmentSize = 1 << 16, RetainFor = TimeSpan.FromMilliseconds(1) });
        queue.Enqueue(Of(0, 1_000_000));
        Drain(queue);
        Assert.True(SpinWait.SpinUntil(() =>
        {
            queue.Enqueue(Of(1, 20_000));
            Drain(queue);
            return Site.Files().Count(static name => name.StartsWith("segment-", StringComparison.Ordinal)) < 10;
        }, TimeSpan.FromSeconds(20)));
    }

    private static DateTime[] EnqueueStamped(MappedQueue<Note> queue, Subscription<Note> audit, int count)
    {
        var times = new DateTime[count];
        for (int id = 0; id < count; id++)
        {
            queue.Enqueue(Of(id, 1000));
            using Lease<Note> lease = audit.Receive();
            times[id] = lease.ReadProperties()!.EnqueuedAt!.Value;
            lease.Commit();
        }
        Assert.Equal(times, times.Order());
        return times;
    }

    private static long Next(Subscription<Note> subscription)
    {
        Note? note = null;
        Assert.True(subscription.TryDequeue(ref note));
        return note!.Id;
    }

    private void SetWords(int offset, long value)
    {
        foreach (string path in SegmentFiles().Skip(1))
        {
            using FileStream segment = File.Open(path, FileMode.Open, FileAccess.ReadWrite, FileShare.ReadWrite | FileShare.Delete);
            byte[] word = new byte[8];
            BinaryPrimitives.WriteInt64LittleEndian(word, value);
            segment.Position = offset;
            segment.Write(word);
        }
    }
}
