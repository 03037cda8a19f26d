using BlitQueue.Log;
using Xunit;

namespace BlitQueue.Tests.Processes;

/// <summary>Subscriptions that end with their consumers, whose processes are killed.</summary>
public sealed class EphemeralKillTests : IDisposable
{
    private static readonly QueueOptions Bounded = new() { SegmentSize = 1 << 16, Capacity = 1 << 18 };
    private static readonly SubscriptionOptions Ephemeral = new() { Ephemeral = true };

    private readonly Site _site = new();

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task A_killed_processes_subscription_stops_no_producer(bool isAsync)
    {
        using MappedQueue<Parcel> queue = Open();
        using Peer peer = StartAudit();
        var produced = Task.Run(async () => await SendAndReceive(queue, 1000, isAsync));
        Assert.True(SpinWait.SpinUntil(() => Audit(queue)?.Bytes > 200_000, Peer.Patience));
        // A consumer that is stopped lives.
        peer.Stop();
        await Task.Delay(300);
        Assert.False(produced.IsCompleted);
        peer.Kill();
        peer.WaitForDeath();
        await produced.WaitAsync(Peer.Patience);
        Assert.False(File.Exists(AuditPath));
    }

    [Fact]
    public void A_call_that_never_waits_finds_the_room_of_the_dead()
    {
        using MappedQueue<Parcel> queue = Open();
        using Peer peer = StartAudit();
        Parcel? taken = null;
        int number = 0;
        while (queue.TryEnqueue(new Parcel().Fill(1, number++, 1000)))
        {
            Assert.True(queue.TryDequeue(ref taken));
        }
        peer.Kill();
        peer.WaitForDeath();
        Assert.True(queue.TryEnqueue(new Parcel().Fill(1, number, 1000)));
    }

    // A letter needs room as any message does.
    [Theory]
    [InlineData(FullMode.Wait, false)]
    [InlineData(FullMode.Fail, false)]
    [InlineData(FullMode.Wait, true)]
    [InlineData(FullMode.Fail, true)]
    public async Task A_requeue_finds_the_room_of_the_dead(FullMode mode, bool isAll)
    {
        using var queue = MappedQueue<Parcel>.Open(
            _site.Queue, new QueueOptions { SegmentSize = 1 << 16, Capacity = 1 << 18, FullMode = mode });
        queue.Enqueue(new Parcel().Fill(1, 0, 3000));
        using Subscription<Parcel> subscription = queue.Subscribe("default");
        subscription.Receive().DeadLetter("bad");
        using Peer peer = StartAudit();
        Parcel? taken = null;
        for (int number = 1; queue.TryEnqueue(new Parcel().Fill(1, number, 1000)); number++)
        {
            Assert.True(queue.TryDequeue(ref taken));
        }
        peer.Kill();
        peer.WaitForDeath();
        using var tooLong = new CancellationTokenSource(Peer.Patience);
        if (isAll)
        {
            Assert.Equal(1, await Task.Run(() => subscription.DeadLetters.RequeueAll(tooLong.Token)));
        }
        else
        {
            using DeadLetterLease<Parcel> lease = subscription.DeadLetters.Receive(tooLong.Token);
            lease.Requeue(tooLong.Token);
        }
        Assert.True(queue.TryDequeue(ref taken) && taken!.Number == 0);
    }

    [Fact]
    public void Its_leases_end_with_the_killed_process()
    {
        using MappedQueue<Parcel> queue = Open();
        queue.Enqueue(new Parcel().Fill(1, 0, 100));
        using Peer peer = StartAudit("held=1");
        Assert.Equal(1, Audit(queue)!.InFlight);
        peer.Kill();
        peer.WaitForDeath();
        Assert.Null(Audit(queue));
    }

    [Fact]
    public void An_opener_and_who_takes_the_name_over_find_nothing_of_the_dead()
    {
        Open().Dispose();
        using (Peer peer = StartAudit())
        {
            peer.Kill();
            peer.WaitForDeath();
        }
        Assert.True(File.Exists(AuditPath));
        using (Open())
        {
            Assert.False(File.Exists(AuditPath));
        }
        using MappedQueue<Parcel> queue = Open();
        using (Peer peer = StartAudit())
        {
            queue.Enqueue(new Parcel().Fill(1, 0, 100));
            Parcel? taken = null;
            Assert.True(queue.TryDequeue(ref taken));
            peer.Kill();
            peer.WaitForDeath();
        }
        // The name is free for one that stays, too.
        using Subscription<Parcel> audit = queue.Subscribe("audit");
        Assert.Equal((0L, false), (Audit(queue)!.Lag, Audit(queue)!.Ephemeral));
    }

    [Fact]
    public async Task Without_a_capacity_the_segments_of_the_dead_go_while_others_are_made()
    {
        using var queue = MappedQueue<Parcel>.Open(_site.Queue, new QueueOptions { SegmentSize = 1 << 16 });
        using Peer peer = StartAudit();
        await SendAndReceive(queue, 500, isAsync: false);
        Assert.True(Segments() >= 7);
        peer.Kill();
        peer.WaitForDeath();
        await SendAndReceive(queue, 500, isAsync: false);
        Assert.True(SpinWait.SpinUntil(() => Segments() <= 5, Peer.Patience), $"{Segments()} segments are left");
    }

    // Who leaves looks for all that end by it at once, and not for each as long as it takes to know that another stands still.
    [Fact]
    public async Task A_handle_with_many_is_disposed_beside_a_process_that_is_stopped_while_it_makes_one()
    {
        MappedQueue<Parcel> queue = Open();
        for (int i = 0; i < 100; i++)
        {
            queue.Subscribe($"watch-{i}", Ephemeral);
        }
        using var peer = Peer.StartToStop(_site, ProtocolStep.SubscriptionMade, 1, "subscribe");
        peer.WaitForStop();
        await Task.Run(queue.Dispose).WaitAsync(Peer.Patience);
        peer.Kill();
        peer.WaitForDeath();
        using MappedQueue<Parcel> again = Open();
        Assert.Equal(["audit", "default"], again.GetStatus().Subscriptions.Select(static one => one.Name));
    }

    [Fact]
    public void Who_only_subscribed_keeps_what_another_has_expire_until_it_is_killed()
    {
        using MappedQueue<Parcel> queue = Open();
        using Peer peer = StartAudit("stays=1");
        queue.Subscribe("audit", new SubscriptionOptions { ExpiresAfter = TimeSpan.FromTicks(1) }).Dispose();
        Assert.NotNull(Audit(queue));
        peer.Stop();
        Open().Dispose();
        Assert.Null(Audit(queue)!.IdleSince);
        peer.Kill();
        peer.WaitForDeath();
        Assert.True(SpinWait.SpinUntil(() => Audit(queue) is null, Peer.Patience));
        Assert.Equal(1, queue.GetStatus().ExpiredSubscriptions);
    }

    [Fact]
    public void One_whose_maker_dies_before_it_is_its_consumer_does_not_stay() => DieAt(ProtocolStep.SubscriptionMade);

    [Fact]
    public void One_whose_last_consumer_dies_while_it_removes_it_does_not_stay() => DieAt(ProtocolStep.SubscriptionMarkedGone);

    [Fact]
    public void One_whose_last_consumer_dies_when_it_has_decided_that_it_ends_does_not_stay() => DieAt(ProtocolStep.SubscriptionEnded);

    private void DieAt(ProtocolStep step)
    {
        using MappedQueue<Parcel> queue = Open();
        using (var peer = Peer.StartToDie(_site, step, 1, "audit"))
        {
            peer.EndInput();
            peer.WaitForDeath();
        }
        Assert.Null(Audit(queue));
        using Subscription<Parcel> audit = queue.Subscribe("audit", Ephemeral);
        queue.Enqueue(new Parcel().Fill(1, 7, 100));
        Parcel? taken = null;
        Assert.True(audit.TryDequeue(ref taken) && taken!.Number == 7);
    }

    private MappedQueue<Parcel> Open() => MappedQueue<Parcel>.Open(_site.Queue, Bounded);

    private Peer StartAudit(params string[] options) => Peer.Start(_site, "audit", options).WaitFor("subscribed");

    private string AuditPath => Path.Combine(_site.Queue, "subscription-audit");

    private static SubscriptionStatus? Audit(MappedQueue<Parcel> queue) =>
        queue.GetStatus().Subscriptions.SingleOrDefault(static one => one.Name == "audit");

    private int Segments() => _site.Files().Count(static name => name.StartsWith(StoreFormat.SegmentPrefix, StringComparison.Ordinal));

    private static async ValueTask SendAndReceive(MappedQueue<Parcel> queue, int count, bool isAsync)
    {
        Parcel? taken = null;
        for (int number = 0; number < count; number++)
        {
            Parcel parcel = new Parcel().Fill(1, number, 1000);
            if (isAsync)
            {
                await queue.EnqueueAsync(parcel);
            }
            else
            {
                queue.Enqueue(parcel);
            }
            Assert.True(queue.TryDequeue(ref taken));
        }
    }

    public void Dispose() => _site.Dispose();
}
