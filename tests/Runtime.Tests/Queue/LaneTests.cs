using BlitQueue.Log;
using Xunit;

namespace BlitQueue.Tests.Queue;

/// <summary>Several queues behind one subscription, the most urgent first.</summary>
public sealed class LaneTests : QueueFixture
{
    private static readonly TimeSpan Patience = TimeSpan.FromSeconds(30);
    private static readonly QueueOptions Small = new() { SegmentSize = 1 << 16 };

    private MappedLanes<Note> OpenLanes(int? lanes = null, QueueOptions? options = null) =>
        MappedLanes<Note>.Open(Site.Queue, lanes, options ?? Small);

    [Fact]
    public void The_most_urgent_lane_comes_first_and_each_preserves_its_order()
    {
        using MappedLanes<Note> lanes = OpenLanes();
        Assert.Equal(3, lanes.Count);
        using LaneSubscription<Note> subscription = lanes.Subscribe("default");
        for (int id = 0; id < 9; id++)
        {
            lanes.Enqueue(Of((100 * (2 - (id % 3))) + (id / 3)), lane: 2 - (id % 3));
        }
        Assert.Equal([0, 1, 2, 100, 101, 102, 200, 201, 202], Drain(subscription));
        lanes.Enqueue(Of(200), 2);
        lanes.Enqueue(Of(201), 2);
        Note? note = null;
        Assert.True(subscription.TryDequeue(ref note));
        lanes.Enqueue(Of(0), 0);
        Assert.Equal([0, 201], Drain(subscription));
    }

    [Fact]
    public void A_subscription_that_a_lane_refuses_leaves_nothing_in_the_others()
    {
        var alone = new SubscriptionOptions { Exclusive = true, Ephemeral = true };
        using MappedLanes<Note> lanes = OpenLanes(), others = OpenLanes();
        using (others[1].Subscribe("watch", alone))
        {
            Assert.Throws<QueueException>(() => lanes.Subscribe("watch", alone));
            Assert.DoesNotContain(lanes[0].GetStatus().Subscriptions, static one => one.Name == "watch");
        }
        lanes.Subscribe("watch", alone).Dispose();
    }

    [Fact]
    public void A_lane_whose_messages_are_all_leased_stops_no_less_urgent_lane()
    {
        using MappedLanes<Note> lanes = OpenLanes();
        using LaneSubscription<Note> subscription = lanes.Subscribe("default");
        for (int id = 0; id <= SubscriptionFormat.Cells; id++)
        {
            lanes.Enqueue(Of(id), lane: 0);
        }
        lanes.Enqueue(Of(5000), lane: 1);
        var leases = new Lease<Note>[SubscriptionFormat.Cells];
        Assert.Equal(leases.Length, subscription[0].TryReceive(leases));
        using (Lease<Note> lease = subscription.Receive())
        {
            Assert.Equal(5000, lease.Read().Id);
            lease.Commit();
        }
        Assert.Equal(QueueError.TooManyLeases, Assert.Throws<QueueException>(() => subscription.TryReceive(out _)).Reason);
        subscription[0].Commit(leases);
        Assert.Equal([SubscriptionFormat.Cells], Drain(subscription));
    }

    [Fact]
    public void Every_subscription_sees_every_lane()
    {
        using MappedLanes<Note> lanes = OpenLanes();
        using LaneSubscription<Note> audit = lanes.Subscribe("audit"), billing = lanes.Subscribe("billing");
        Assert.True(lanes.TryEnqueue(Of(1), 1));
        lanes.Enqueue(Of(0), 0, new MessageProperties { Label = "urgent" });
        Assert.Equal([0, 1], Drain(audit));
        var properties = new MessageProperties();
        Note? note = null;
        Assert.True(billing.TryDequeue(ref note, properties));
        Assert.Equal((0, "urgent"), (note!.Id, properties.Label));
        Assert.Equal(1, lanes[1].GetStatus().Subscriptions.Single(static one => one.Name == "billing").Lag);
        Assert.True(lanes.DeleteSubscription("billing"));
        Assert.False(lanes.DeleteSubscription("billing"));
        Assert.Throws<QueueException>(() => billing.TryReceive(out _));
    }

    [Fact]
    public void A_lease_is_its_lanes_own()
    {
        using MappedLanes<Note> lanes = OpenLanes();
        using LaneSubscription<Note> subscription = lanes.Subscribe("default");
        lanes.Enqueue(Of(2), 2);
        lanes.Enqueue(Of(1), 1);
        Note? note = null;
        Assert.True(subscription.TryReceive(out Lease<Note> lease));
        lease.ReadInto(ref note);
        Assert.Equal(1, note!.Id);
        lease.Abandon();
        lease = subscription.Receive();
        Assert.Equal(2, lease.Attempt);
        lease.DeadLetter("no");
        DeadLetter<Note>? letter = null;
        Assert.True(subscription[1].DeadLetters.TryTake(ref letter));
        lease = subscription.Receive();
        lease.ReadInto(ref note);
        Assert.Equal(2, note!.Id);
        lease.Commit();
        Assert.False(subscription.TryReceive(out _));
    }

    [Theory]
    [InlineData(0)]
    [InlineData(1)]
    [InlineData(2)]
    public async Task Who_waits_is_woken_by_any_lane(int lane)
    {
        using MappedLanes<Note> lanes = OpenLanes();
        using MappedLanes<Note> other = OpenLanes(3);
        using LaneSubscription<Note> subscription = lanes.Subscribe("default");
        Note? dequeued = null;
        var waiter = new Thread(() => subscription.Dequeue(ref dequeued));
        waiter.Start();
        Task<Note> waiting = subscription.DequeueAsync().AsTask();
        Task<Lease<Note>> receiving = subscription.ReceiveAsync().AsTask();
        Thread.Sleep(20);
        for (int id = 0; id < 3; id++)
        {
            other.Enqueue(Of(id), lane);
        }
        Assert.True(waiter.Join(Patience));
        Lease<Note> lease = await receiving.WaitAsync(Patience);
        Note awaited = await waiting.WaitAsync(Patience);
        Note? leased = null;
        lease.ReadInto(ref leased);
        lease.Commit();
        Assert.Equal([0, 1, 2], new[] { dequeued!.Id, awaited.Id, leased!.Id }.Order());
    }

    [Fact]
    public async Task A_wait_ends_with_its_token_and_with_the_lanes()
    {
        MappedLanes<Note> lanes = OpenLanes();
        LaneSubscription<Note> subscription = lanes.Subscribe("default");
        using var cancellation = new CancellationTokenSource();
        Task waiting = Task.Run(() => subscription.Receive(cancellation.Token));
        Task<Note> awaiting = subscription.DequeueAsync(null, cancellation.Token).AsTask();
        await Task.Delay(20);
        Assert.False(waiting.IsCompleted || awaiting.IsCompleted);
        cancellation.Cancel();
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => waiting.WaitAsync(Patience));
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => awaiting.WaitAsync(Patience));
        waiting = Task.Run(() => subscription.Receive());
        awaiting = subscription.DequeueAsync().AsTask();
        await Task.Delay(20);
        lanes.Dispose();
        await Assert.ThrowsAsync<ObjectDisposedException>(() => waiting.WaitAsync(Patience));
        await Assert.ThrowsAsync<ObjectDisposedException>(() => awaiting.WaitAsync(Patience));
        AssertNothingOpen();
    }

    [Fact]
    public async Task All_are_read_in_the_order_of_their_urgency()
    {
        using MappedLanes<Note> lanes = OpenLanes();
        using LaneSubscription<Note> subscription = lanes.Subscribe("default");
        await lanes.EnqueueAsync(Of(2), 2);
        await lanes.EnqueueAsync(Of(1), 1);
        List<long> ids = [];
        await foreach (Note note in subscription.ReadAllAsync())
        {
            ids.Add(note.Id);
            if (note.Id == 1)
            {
                lanes.Enqueue(Of(0), 0);
            }
            if (note.Id == 2)
            {
                break;
            }
        }
        Assert.Equal([1, 0, 2], ids);
    }

    [Fact]
    public void Their_number_is_fixed_when_they_are_made()
    {
        OpenLanes(5).Dispose();
        using (MappedLanes<Note> joined = OpenLanes())
        {
            Assert.Equal(5, joined.Count);
            Assert.Throws<ArgumentOutOfRangeException>(() => joined.Enqueue(Of(1), 5));
            Assert.Throws<ArgumentOutOfRangeException>(() => joined.Enqueue(Of(1), -1));
            using LaneSubscription<Note> subscription = joined.Subscribe("default");
            Assert.Throws<ArgumentOutOfRangeException>(() => subscription[5]);
        }
        string refused = Assert.Throws<ArgumentException>(() => OpenLanes(3)).Message;
        Assert.Contains("5 lanes", refused, StringComparison.Ordinal);
        Assert.Contains("3 were asked for", refused, StringComparison.Ordinal);
        Assert.Throws<ArgumentOutOfRangeException>(() => OpenLanes(0));
        Assert.Throws<ArgumentOutOfRangeException>(() => OpenLanes(65));
    }

    [Fact]
    public void A_queue_is_not_lanes_and_lanes_are_no_queue()
    {
        Open().Dispose();
        Assert.Contains("is a queue", Assert.ThrowsAny<QueueException>(() => OpenLanes()).Message, StringComparison.Ordinal);
        string path = Path.Combine(Site.Root, "lanes");
        MappedLanes<Note>.Open(path, 2, Small).Dispose();
        Assert.Contains(
            "not a queue", Assert.ThrowsAny<QueueException>(() => MappedQueue<Note>.Open(path)).Message, StringComparison.Ordinal);
        File.WriteAllText(Path.Combine(path, LanesMeta.Name), "BlitQueue lanes 1\ncount many\n");
        Assert.Throws<QueueCorruptException>(() => MappedLanes<Note>.Open(path));
        string foreign = Directory.CreateDirectory(Path.Combine(Site.Root, "foreign")).FullName;
        File.WriteAllText(Path.Combine(foreign, "photo.jpg"), "mine");
        Assert.Contains(
            "photo.jpg", Assert.ThrowsAny<QueueException>(() => MappedLanes<Note>.Open(foreign)).Message, StringComparison.Ordinal);
    }

    [Fact]
    public void Who_opens_them_at_once_opens_the_same()
    {
        var opened = new MappedLanes<Note>[6];
        Parallel.For(0, opened.Length, i => opened[i] = OpenLanes(2));
        opened[0].Enqueue(Of(1), 1);
        using LaneSubscription<Note> subscription = opened[^1].Subscribe("default");
        Assert.Equal([1], Drain(subscription));
        Array.ForEach(opened, static lanes => lanes.Dispose());
        AssertNothingOpen();
    }

    private static long[] Drain(LaneSubscription<Note> subscription)
    {
        List<long> ids = [];
        Note? note = null;
        while (subscription.TryDequeue(ref note))
        {
            ids.Add(note!.Id);
        }
        return [.. ids];
    }
}
