using System.Diagnostics;
using BlitQueue.Log;
using Xunit;
using Xunit.Abstractions;

namespace BlitQueue.Tests.Processes;

/// <summary>Processes that are stopped, not dead: nothing is taken from them, and who needs what they hold is told so.</summary>
[Collection(ProcessCollection.Name)]
public sealed class StopTests(ITestOutputHelper output)
{
    private static readonly QueueOptions ShortStall = new()
    {
        SegmentSize = 1 << 16,
        UseChecksums = true,
        StallTimeout = TimeSpan.FromSeconds(1),
    };

    [Fact]
    public void A_producer_stopped_in_the_middle_of_an_append_still_has_its_lock()
    {
        using var site = new Site();
        using Survivor survivor = new Survivor(site, ShortStall).WarmUp();
        using var stopped = Peer.StartToStop(site, ProtocolStep.AppendPacked, 5, "produce", "producer=1", "count=10");
        survivor.Drain();
        stopped.WaitForStop();
        long since = Stopwatch.GetTimestamp();
        using Peer waiting = Peer.Start(site, "produce", "producer=2", "stall=30000").WaitFor("ready");
        AssertStalls(stopped, () => survivor.Queue.TryEnqueue(new Parcel().Fill(9, 9, 9)));
        AssertStalls(stopped, () => survivor.Queue.Enqueue(new Parcel().Fill(9, 9, 9)));
        AssertStalls(stopped, () => survivor.Queue.EnqueueBatch([new Parcel().Fill(9, 9, 9)]));
        survivor.Drain();
        Assert.True(survivor.History.Deliveries >= 4, "What was published before the stop was not delivered.");
        TimeSpan rest = TimeSpan.FromSeconds(5) - Stopwatch.GetElapsedTime(since);
        Thread.Sleep(rest > TimeSpan.Zero ? rest : TimeSpan.Zero);
        Assert.Equal(0, new FileInfo(waiting.LogPath).Length);

        stopped.Continue();
        Assert.Equal(0, stopped.WaitForExit());
        Thread.Sleep(100);
        waiting.Finish();
        survivor.Enqueue();
        survivor.Drain();
        survivor.History.ReadLog(stopped.LogPath).ReadLog(waiting.LogPath);
        Assert.True(new FileInfo(waiting.LogPath).Length > 0, "The waiting producer did not go on.");
        survivor.AssertNoFaults();
    }

    // What is behind a message whose dead letter cannot be written is delivered meanwhile.
    [Fact]
    public async Task A_process_that_is_stopped_in_an_append_to_the_letters_delays_letters_alone()
    {
        using var site = new Site();
        using var queue = MappedQueue<Parcel>.Open(site.Queue, new QueueOptions { StallTimeout = TimeSpan.FromMinutes(10) });
        queue.EnqueueBatch([.. Enumerable.Range(0, 6).Select(static number => new Parcel().Fill(1, number, 10))]);
        using var stopped = Peer.StartToStop(site, ProtocolStep.AppendLockAcquired, 1, "bury", "count=1");
        stopped.WaitForStop();
        using Subscription<Parcel> subscription = queue.Subscribe("default", new SubscriptionOptions { MaxAttempts = 1 });
        subscription.Receive().Abandon();
        Parcel? parcel = null;
        Assert.True(subscription.TryDequeue(ref parcel));
        Assert.Equal(2, parcel.Number);
        Assert.Equal(3, Committed(subscription.Receive()));
        using (var stop = new CancellationTokenSource())
        {
            using var handled = new CountdownEvent(2);
            ValueTask Handle(Parcel _, CancellationToken token)
            {
                handled.Signal();
                return default;
            }
            Task processing = subscription.ProcessAsync(Handle, cancellationToken: stop.Token);
            Assert.True(handled.Wait(Peer.Patience));
            await Task.Delay(200);
            Assert.False(processing.IsCompleted);
            stop.Cancel();
            await Assert.ThrowsAnyAsync<OperationCanceledException>(() => processing);
        }
        Assert.False(subscription.TryReceive(out _));
        await AssertTold(site.Queue, stopped);
        stopped.Continue();
        Assert.Equal(0, stopped.WaitForExit());
        Assert.True(SpinWait.SpinUntil(() => !ThrowsOrTakes(subscription) && subscription.DeadLetters.Count == 2, Peer.Patience));
        Assert.Equal([0, 1], subscription.DeadLetters.Select(static letter => letter.Message.Number).Order());
    }

    // Other consumers make most of the attempts, or this one looks for messages rarely: longer than the attempts of a busy one are apart.
    [Fact]
    public void A_consumer_that_tries_the_letters_rarely_is_told_of_the_stopped_process_that_delays_them()
    {
        using var site = new Site();
        using var queue = MappedQueue<Parcel>.Open(site.Queue, new QueueOptions { StallTimeout = TimeSpan.FromSeconds(2) });
        queue.EnqueueBatch([.. Enumerable.Range(0, 4).Select(static number => new Parcel().Fill(1, number, 10))]);
        var rarely = TimeSpan.FromSeconds(3.5);
        using Subscription<Parcel> subscription = queue.Subscribe("default", new SubscriptionOptions { MaxAttempts = 1 });
        Assert.Empty(subscription.DeadLetters);
        using (var stopped = Peer.StartToStop(site, ProtocolStep.AppendLockAcquired, 1, "bury", "count=1"))
        {
            stopped.WaitForStop();
            subscription.Receive().Abandon();
            Assert.Equal(2, Committed(subscription.Receive()));
            Thread.Sleep(rarely);
            Assert.Equal(stopped.Id, Assert.Throws<QueueStalledException>(() => TakeAll(subscription)).ProcessId);
            stopped.Continue();
            Assert.Equal(0, stopped.WaitForExit());
        }
        using (var other = MappedQueue<Parcel>.Open(site.Queue))
        using (Subscription<Parcel> theirs = other.Subscribe("default", new SubscriptionOptions { MaxAttempts = 1 }))
        {
            Assert.True(SpinWait.SpinUntil(() => !ThrowsOrTakes(theirs) && theirs.DeadLetters.Count == 3, Peer.Patience));
        }
        // Letters were added meanwhile: another stop is another delay.
        queue.EnqueueBatch([.. Enumerable.Range(4, 2).Select(static number => new Parcel().Fill(1, number, 10))]);
        using var again = Peer.StartToStop(site, ProtocolStep.AppendLockAcquired, 1, "bury", "count=1");
        again.WaitForStop();
        subscription.Receive().Abandon();
        Assert.False(subscription.TryReceive(out _));
    }

    // How long a process has been in the middle of the opening only the consumer itself can know, by the attempt before.
    [Fact]
    public void A_consumer_that_looks_rarely_is_told_of_the_stopped_process_that_keeps_it_from_opening_the_letters()
    {
        using var site = new Site();
        using var queue = MappedQueue<Parcel>.Open(site.Queue, new QueueOptions { StallTimeout = TimeSpan.FromSeconds(2) });
        queue.EnqueueBatch([.. Enumerable.Range(0, 2).Select(static number => new Parcel().Fill(1, number, 10))]);
        using Subscription<Parcel> subscription = queue.Subscribe("default", new SubscriptionOptions { MaxAttempts = 1 });
        using var stopped = Peer.StartToStop(site, ProtocolStep.StoreMetaWritten, 1, "bury", "count=1");
        stopped.WaitForStop();
        subscription.Receive().Abandon();
        Assert.False(subscription.TryReceive(out _));
        Thread.Sleep(TimeSpan.FromSeconds(4));
        Assert.Equal(stopped.Id, Assert.Throws<QueueStalledException>(() => subscription.TryReceive(out _)).ProcessId);
        stopped.Continue();
        Assert.Equal(0, stopped.WaitForExit());
        Assert.True(SpinWait.SpinUntil(() => !ThrowsOrTakes(subscription) && subscription.DeadLetters.Count == 2, Peer.Patience));
    }

    // No consumer has tried to write a letter since: a process that is only slow for a moment would be called stopped at once.
    [Fact]
    public void A_delay_whose_message_was_consumed_without_a_letter_is_no_part_of_a_later_one()
    {
        using var site = new Site();
        var stall = TimeSpan.FromSeconds(2);
        using var queue = MappedQueue<Parcel>.Open(site.Queue, new QueueOptions { StallTimeout = stall });
        using Subscription<Parcel> subscription = queue.Subscribe("default", new SubscriptionOptions { MaxAttempts = 1 });
        Assert.Empty(subscription.DeadLetters);
        for (int delay = 0; delay < 2; delay++)
        {
            queue.EnqueueBatch([.. Enumerable.Range(0, 2).Select(static number => new Parcel().Fill(1, number, 10))]);
            using (var stopped = Peer.StartToStop(site, ProtocolStep.AppendLockAcquired, 1, "bury", "count=1"))
            {
                stopped.WaitForStop();
                subscription.Receive().Abandon();
                Assert.False(subscription.TryReceive(out _));
                stopped.Kill();
                stopped.WaitForExit();
            }
            queue.Purge();
            Thread.Sleep(stall);
        }
    }

    private static void TakeAll(Subscription<Parcel> subscription)
    {
        while (subscription.TryReceive(out Lease<Parcel> lease))
        {
            lease.Abandon();
        }
    }

    // Also where a process is stopped while it makes the letters. Who waits for it does not wait for the whole StallTimeout.
    [Theory]
    [InlineData(nameof(ProtocolStep.AppendLockAcquired))]
    [InlineData(nameof(ProtocolStep.SegmentWritten))]
    public async Task A_process_that_is_stopped_with_the_letters_delays_no_handler(string stepName)
    {
        using var site = new Site();
        using var queue = MappedQueue<Parcel>.Open(site.Queue, new QueueOptions { StallTimeout = TimeSpan.FromMinutes(10) });
        queue.EnqueueBatch([.. Enumerable.Range(0, 5).Select(static number => new Parcel().Fill(1, number, 10))]);
        using var stopped = Peer.StartToStop(site, Enum.Parse<ProtocolStep>(stepName), 1, "bury", "count=1");
        stopped.WaitForStop();
        using Subscription<Parcel> subscription = queue.Subscribe("default", new SubscriptionOptions { MaxAttempts = 1 });
        subscription.Receive().Abandon();
        Assert.Equal(2, await Task.Run(() => Committed(subscription.Receive())).WaitAsync(Peer.Patience));
        using var stop = new CancellationTokenSource();
        using var handled = new CountdownEvent(2);
        ValueTask Handle(Parcel parcel, CancellationToken token)
        {
            handled.Signal();
            return parcel.Number == 3 ? throw new InvalidOperationException("no") : default;
        }
        Task processing = subscription.ProcessAsync(Handle, cancellationToken: stop.Token);
        Assert.True(handled.Wait(Peer.Patience), "A handler waits for the stopped process.");
        stop.Cancel();
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => processing.WaitAsync(Peer.Patience));
        Assert.False(await Task.Run(() => subscription.TryReceive(out _)).WaitAsync(Peer.Patience));
        await AssertTold(site.Queue, stopped);
        stopped.Continue();
        Assert.Equal(0, stopped.WaitForExit());
        // The handler's message waits for its retry delay, too.
        Assert.True(SpinWait.SpinUntil(() => !ThrowsOrTakes(subscription) && subscription.DeadLetters.Count == 3, Peer.Patience));
        Assert.Equal([0, 1, 3], subscription.DeadLetters.Select(static letter => letter.Message.Number).Order());
        Assert.All(subscription.DeadLetters, static letter => Assert.Equal(1, letter.Attempts));
    }

    [Fact]
    public async Task A_lane_whose_letters_a_stopped_process_delays_stops_no_less_urgent_lane()
    {
        using var site = new Site();
        using var lanes = MappedLanes<Parcel>.Open(
            site.Queue + "-lanes", 2, new QueueOptions { StallTimeout = TimeSpan.FromMinutes(10) });
        using LaneSubscription<Parcel> desk = lanes.Subscribe("default", new SubscriptionOptions { MaxAttempts = 1 });
        for (int number = 0; number < 6; number++)
        {
            lanes.Enqueue(new Parcel().Fill(1, number, 10), lane: number < 2 ? 0 : 1);
        }
        using var stopped = Peer.StartToStop(site, ProtocolStep.AppendLockAcquired, 1, "lanes-bury");
        stopped.WaitForStop();
        desk.Receive().Abandon();
        Parcel? parcel = null;
        Assert.True(desk.TryDequeue(ref parcel));
        Assert.Equal(2, parcel.Number);
        Assert.Equal(3, Committed(desk.Receive()));
        using var stop = new CancellationTokenSource();
        using var handled = new CountdownEvent(2);
        ValueTask Handle(Parcel _, CancellationToken token)
        {
            handled.Signal();
            return default;
        }
        Task processing = desk.ProcessAsync(Handle, cancellationToken: stop.Token);
        Assert.True(handled.Wait(Peer.Patience));
        stop.Cancel();
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => processing);
        Assert.False(desk.TryReceive(out _));
        await AssertTold(lanes[0].Path, stopped);
        stopped.Continue();
        Assert.Equal(0, stopped.WaitForExit());
        Assert.True(SpinWait.SpinUntil(() => !ThrowsOrTakes(desk[0]) && desk[0].DeadLetters.Count == 2, Peer.Patience));
        Assert.Equal([0, 1], desk[0].DeadLetters.Select(static letter => letter.Message.Number).Order());
    }

    // A handle with a short StallTimeout, which tries the letters for so long.
    private static async Task AssertTold(string path, Peer stopped)
    {
        using var queue = MappedQueue<Parcel>.Open(path, new QueueOptions { StallTimeout = TimeSpan.FromSeconds(1.5) });
        using Subscription<Parcel> subscription = queue.Subscribe("default", new SubscriptionOptions { MaxAttempts = 1 });
        QueueStalledException said = await Assert.ThrowsAsync<QueueStalledException>(
            () => Task.Run(() => subscription.Receive()).WaitAsync(Peer.Patience));
        Assert.Equal(stopped.Id, said.ProcessId);
    }

    private static long Committed(Lease<Parcel> lease)
    {
        long number = lease.Read().Number;
        lease.Commit();
        return number;
    }

    private static bool ThrowsOrTakes(Subscription<Parcel> subscription)
    {
        try
        {
            return subscription.TryReceive(out _);
        }
        catch (QueueStalledException)
        {
            return true;
        }
    }

    // The campaign "stops" of tests/Reliability has them all.
    [Theory]
    [InlineData(nameof(ProtocolStep.AppendPublished))]
    [InlineData(nameof(ProtocolStep.LeaseTaken))]
    public void A_process_stopped_at_a_step_blocks_only_who_needs_its_lock(string stepName)
    {
        ProtocolStep step = Enum.Parse<ProtocolStep>(stepName);
        using var site = new Site();
        using Survivor survivor = new Survivor(site, ShortStall).WarmUp();
        string command = KillAtStepTests.CommandThatReaches(step, survivor);
        using var stopped = Peer.StartToStop(site, step, 2, command, "producer=1", "count=300", "size=1500");
        stopped.WaitForStop();
        if (KillAtStepTests.HoldsLock(step))
        {
            AssertStalls(stopped, () => survivor.Queue.TryEnqueue(new Parcel().Fill(9, 9, 9)));
        }
        else
        {
            survivor.GoOn();
        }
        survivor.Drain();
        survivor.AssertNotDelayed();
        stopped.Continue();
        stopped.Finish();
        survivor.GoOn();
        survivor.Drain();
        survivor.History.ReadLog(stopped.LogPath);
        survivor.AssertNoFaults();
    }

    [Theory]
    [InlineData(nameof(ProtocolStep.RollForwardLockAcquired))]
    [InlineData(nameof(ProtocolStep.RollForwardTailMoved))]
    public void A_stopped_repairer_still_has_its_lock(string stepName)
    {
        using var site = new Site();
        using Survivor survivor = new Survivor(site, ShortStall).WarmUp();
        using var dead = Peer.StartToDie(site, ProtocolStep.AppendPublished, 3, "produce", "producer=1");
        dead.WaitForDeath();
        using var stopped = Peer.StartToStop(site, Enum.Parse<ProtocolStep>(stepName), 1, "produce", "producer=2", "count=10");
        stopped.WaitForStop();
        AssertStalls(stopped, () => survivor.Queue.TryEnqueue(new Parcel().Fill(9, 9, 9)));
        stopped.Continue();
        Assert.Equal(0, stopped.WaitForExit());
        survivor.GoOn();
        survivor.Drain();
        survivor.History.KilledProducer(1, 1);
        survivor.History.ReadLog(dead.LogPath).ReadLog(stopped.LogPath);
        survivor.AssertNoFaults();
    }

    [Fact]
    public void A_queue_that_a_stopped_process_is_making_opens_when_that_goes_on()
    {
        using var site = new Site();
        using var maker = Peer.StartToStop(site, ProtocolStep.SegmentWritten, 1, "produce", "count=10", "segment=65536");
        maker.WaitForStop();
        QueueStalledException stalled = Assert.Throws<QueueStalledException>(() => MappedQueue<Parcel>.Open(site.Queue, ShortStall));
        Assert.Contains(site.Queue, stalled.Message, StringComparison.Ordinal);
        Assert.Contains($"process {maker.Id}", stalled.Message, StringComparison.Ordinal);
        maker.Continue();
        Assert.Equal(0, maker.WaitForExit());
        using var survivor = new Survivor(site, new QueueOptions());
        survivor.Drain();
        survivor.History.ReadLog(maker.LogPath);
        survivor.AssertNoFaults();
    }

    [Fact]
    public void The_lease_of_a_stopped_process_is_never_taken_from_it()
    {
        using var site = new Site();
        using Survivor survivor = new Survivor(site, ShortStall).WarmUp();
        for (int i = 0; i < 10; i++)
        {
            survivor.Enqueue();
        }
        using var holder = Peer.Start(site, "hold", "count=4");
        holder.WaitFor("holding").Stop();
        survivor.Drain();
        Thread.Sleep(200);
        survivor.Drain();
        survivor.History.ReadLog(holder.LogPath);
        survivor.AssertNoFaults();

        // Dead, it holds nothing any more: its four messages come again, and say so.
        long before = survivor.History.Deliveries;
        holder.Kill();
        holder.WaitForExit();
        survivor.History.KilledConsumer(holder.LogPath);
        survivor.Drain();
        Assert.Equal(before + 4, survivor.History.Deliveries);
        survivor.AssertNoFaults();
    }

    private void AssertStalls(Peer stopped, Action call)
    {
        long started = Stopwatch.GetTimestamp();
        QueueStalledException stalled = Assert.Throws<QueueStalledException>(call);
        output.WriteLine($"Told after {Stopwatch.GetElapsedTime(started).TotalMilliseconds:0} ms: {stalled.Message}");
        Assert.Contains($"process {stopped.Id}", stalled.Message, StringComparison.Ordinal);
    }
}
