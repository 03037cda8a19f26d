using BlitQueue.Log;
using BlitQueue.Peer;
using Xunit;

namespace BlitQueue.Tests.Processes;

/// <summary>Death of a process that holds dead letters or makes them messages again: each is a letter or a message, and not both.</summary>
[Collection(ProcessCollection.Name)]
public sealed class RequeueKillTests : IDisposable
{
    private const int Count = 12;

    private readonly Site _site = new();

    [Theory]
    [InlineData(nameof(ProtocolStep.AppendLockAcquired), 3, 2, false)]
    [InlineData(nameof(ProtocolStep.AppendPacked), 3, 2, false)]
    [InlineData(nameof(ProtocolStep.TransactionLeaseMarked), 3, 2, false)]
    [InlineData(nameof(ProtocolStep.RequeueWritten), 3, 2, false)]
    [InlineData(nameof(ProtocolStep.RequeueWritten), 1, 0, true)]
    [InlineData(nameof(ProtocolStep.RequeueDecided), 3, 3, false)]
    [InlineData(nameof(ProtocolStep.RequeueDecided), 3, 3, true)]
    [InlineData(nameof(ProtocolStep.RequeueDecided), 1, 1, false)]
    [InlineData(nameof(ProtocolStep.RequeueDecided), 1, 1, true)]
    [InlineData(nameof(ProtocolStep.AppendPublished), 3, 3, false)]
    [InlineData(nameof(ProtocolStep.AppendTailMoved), 3, 3, true)]
    [InlineData(nameof(ProtocolStep.AppendLockReleased), 3, 3, true)]
    [InlineData(nameof(ProtocolStep.TransactionLeaseEnded), 3, 3, false)]
    [InlineData(nameof(ProtocolStep.RequeueReleased), 3, 3, true)]
    public void Each_is_a_letter_or_a_message(string stepName, int time, int requeued, bool lettersFirst)
    {
        using MappedQueue<Parcel> queue = WithLetters();
        Die(stepName, time);
        using Subscription<Parcel> subscription = queue.Subscribe("default");
        long[] letters = [], messages = [];
        foreach (bool isLetters in (bool[])[lettersFirst, !lettersFirst])
        {
            (letters, messages) = isLetters ? (TakeLetters(subscription), messages) : (letters, Drain(subscription, requeued));
        }
        Assert.Equal(Numbers(0, requeued), messages);
        Assert.Equal(Numbers(requeued, Count), letters);
        Assert.Equal(0, queue.GetStatus().MessageCount);
    }

    // Without any other consumer: the next requeue, of another process, comes first.
    [Theory]
    [InlineData(nameof(ProtocolStep.RequeueWritten), 4)]
    [InlineData(nameof(ProtocolStep.RequeueDecided), 4)]
    [InlineData(nameof(ProtocolStep.AppendPublished), 4)]
    [InlineData(nameof(ProtocolStep.AppendLockReleased), 4)]
    [InlineData(nameof(ProtocolStep.TransactionLeaseEnded), 4)]
    public void The_next_process_requeues_the_rest_and_the_one_that_completes_may_die_too(string stepName, int time)
    {
        using MappedQueue<Parcel> queue = WithLetters();
        Die(stepName, time);
        Die(nameof(ProtocolStep.RequeueDecided), 2);
        Die(nameof(ProtocolStep.RequeueWritten), 1);
        using Subscription<Parcel> subscription = queue.Subscribe("default");
        while (TryReceive(subscription, out DeadLetterLease<Parcel> lease))
        {
            lease.Requeue();
        }
        Assert.Equal(Numbers(0, Count), Drain(subscription, Count).Order());
        Assert.Empty(subscription.DeadLetters);
    }

    // The process that requeues letters of another subscription consumes the dead one's letter first.
    [Fact]
    public void Letters_of_another_subscription_are_completed_too()
    {
        using MappedQueue<Parcel> queue = WithLetters();
        using Subscription<Parcel> audit = queue.Subscribe("audit");
        queue.Enqueue(new Parcel().Fill(1, Count, 100));
        audit.Receive().DeadLetter("no");
        Die(nameof(ProtocolStep.RequeueDecided), 1);
        Assert.Equal(1, audit.DeadLetters.RequeueAll());
        using Subscription<Parcel> subscription = queue.Subscribe("default");
        Assert.Equal([Count, 0], Drain(subscription, 2));
        Assert.Equal(Numbers(1, Count), TakeLetters(subscription));
        Assert.Equal([Count], Drain(audit, 1));
    }

    [Theory]
    [InlineData(nameof(ProtocolStep.RequeueWritten), 3, 2)]
    [InlineData(nameof(ProtocolStep.RequeueReleased), 3, 3)]
    public void After_a_recovery_it_is_a_letter_or_a_message(string stepName, int time, int requeued)
    {
        WithLetters().Dispose();
        Die(stepName, time);
        _site.Overwrite(StoreFormat.ControlName, ControlFormat.BootOffset, "another boot of this machine"u8.ToArray());
        using var queue = MappedQueue<Parcel>.Open(_site.Queue);
        using Subscription<Parcel> subscription = queue.Subscribe("default");
        Assert.Equal(Numbers(0, requeued), Drain(subscription, requeued));
        Assert.Equal(Numbers(requeued, Count), TakeLetters(subscription));
    }

    // The machine goes down between the decision and the message: the letter is there, and what is enqueued next is not damaged by what
    // the slot said.
    [Fact]
    public void What_was_decided_before_a_recovery_and_not_published_is_a_letter()
    {
        WithLetters().Dispose();
        Die(nameof(ProtocolStep.RequeueDecided), 3);
        _site.Overwrite(StoreFormat.ControlName, ControlFormat.BootOffset, "another boot of this machine"u8.ToArray());
        using var queue = MappedQueue<Parcel>.Open(_site.Queue);
        using (var peer = Peer.StartToDie(_site, ProtocolStep.AppendPacked, 1, "produce", "producer=2", "count=3"))
        {
            peer.WaitForDeath();
        }
        queue.Enqueue(new Parcel().Fill(1, 100, 100));
        using Subscription<Parcel> subscription = queue.Subscribe("default");
        Assert.Equal([0, 1, 100], Drain(subscription, 3));
        Assert.Equal(Numbers(2, Count), TakeLetters(subscription));
    }

    [Fact]
    public void What_a_killed_process_held_goes_to_the_next_and_a_stopped_one_keeps_it()
    {
        using MappedQueue<Parcel> queue = WithLetters();
        using Subscription<Parcel> subscription = queue.Subscribe("default");
        using (Peer peer = Peer.Start(_site, "hold-letters", "count=3").WaitFor("holding"))
        {
            peer.Stop();
            Assert.True(subscription.DeadLetters.TryReceive(out DeadLetterLease<Parcel> fourth));
            Assert.Equal(3, fourth.Read().Message.Number);
            fourth.Abandon();
            Assert.Equal(Count, subscription.DeadLetters.Count());
            peer.Kill();
            peer.WaitForDeath();
        }
        Assert.Equal(Numbers(0, Count), TakeLetters(subscription));
    }

    // The message's own cell still says that it is becoming a letter: its letter is taken, and its holder killed, before anybody looks.
    [Fact]
    public void A_letter_whose_writer_died_is_leased_and_its_message_comes_no_more()
    {
        using var queue = MappedQueue<Parcel>.Open(_site.Queue);
        queue.Enqueue(new Parcel().Fill(1, 0, 100));
        using (var dead = Peer.StartToDie(_site, ProtocolStep.LeaseDeadLettered, 1, "bury"))
        {
            dead.WaitForDeath();
        }
        using (Peer holder = Peer.Start(_site, "hold-letters", "count=1").WaitFor("holding"))
        {
            holder.Kill();
            holder.WaitForDeath();
        }
        using Subscription<Parcel> subscription = queue.Subscribe("default");
        Thread.Sleep(60);
        Assert.False(subscription.TryReceive(out _));
        Assert.Equal([0], TakeLetters(subscription));
        Assert.False(subscription.TryReceive(out _));
        Assert.Equal(0, queue.GetStatus().MessageCount);
    }

    // The process that has taken the append lock over from the dead one is to publish the letter's message: until then the letter stays.
    [Fact]
    public void A_letter_goes_only_after_the_process_that_took_over_has_published_its_message()
    {
        WithLetters().Dispose();
        Die(nameof(ProtocolStep.RequeueDecided), 1);
        using Peer producer = Peer.StartToStop(_site, ProtocolStep.RollForwardLockAcquired, 1, "produce", "producer=2", "count=1")
            .WaitForStop();
        using var queue = MappedQueue<Parcel>.Open(_site.Queue, new QueueOptions { StallTimeout = TimeSpan.FromMilliseconds(300) });
        using Subscription<Parcel> subscription = queue.Subscribe("default");
        Assert.Throws<QueueStalledException>(() => subscription.DeadLetters.TryReceive(out _));
        producer.Continue();
        Assert.Equal(0, producer.WaitForExit());
        Assert.Equal(Numbers(1, Count), TakeLetters(subscription));
        Assert.Equal([0, 0], Drain(subscription, 2));
    }

    // A stopped process has the append lock: nobody publishes for it, and nobody takes its letter.
    [Fact]
    public void Who_is_stopped_in_a_requeue_ends_it_when_it_runs_again()
    {
        using MappedQueue<Parcel> queue = WithLetters();
        using Subscription<Parcel> subscription = queue.Subscribe("default");
        using Peer peer = Peer.StartToStop(_site, ProtocolStep.RequeueDecided, 2, "requeue").WaitForStop();
        Assert.Equal([0], Drain(subscription, 1));
        Assert.False(subscription.TryReceive(out _));
        Assert.Throws<QueueStalledException>(() => queue.TryEnqueue(new Parcel().Fill(2, 0, 10)));
        Assert.True(subscription.DeadLetters.TryReceive(out DeadLetterLease<Parcel> third));
        Assert.Equal(2, third.Read().Message.Number);
        third.Abandon();
        peer.Continue();
        Assert.Equal(0, peer.WaitForExit());
        Assert.Equal(Numbers(1, Count), Drain(subscription, Count - 1).Order());
        Assert.Empty(subscription.DeadLetters);
    }

    private MappedQueue<Parcel> WithLetters()
    {
        var queue = MappedQueue<Parcel>.Open(_site.Queue, new QueueOptions { SegmentSize = 1 << 16, UseChecksums = true });
        using Subscription<Parcel> subscription = queue.Subscribe("default");
        for (int number = 0; number < Count; number++)
        {
            queue.Enqueue(new Parcel().Fill(1, number, 100));
            subscription.Receive().DeadLetter($"number {number}");
        }
        return queue;
    }

    private void Die(string stepName, int time)
    {
        using var peer = Peer.StartToDie(_site, Enum.Parse<ProtocolStep>(stepName), time, "requeue");
        peer.WaitForDeath();
    }

    private static long[] Numbers(int first, int end) => [.. Enumerable.Range(first, end - first).Select(static number => (long)number)];

    private static bool TryReceive(Subscription<Parcel> subscription, out DeadLetterLease<Parcel> lease)
    {
        DeadLetterLease<Parcel> taken = default;
        bool isTaken = SpinWait.SpinUntil(() => subscription.DeadLetters.TryReceive(out taken), TimeSpan.FromMilliseconds(200));
        lease = taken;
        return isTaken;
    }

    // So many, in the order in which they come, and then none.
    private static long[] Drain(Subscription<Parcel> subscription, int count)
    {
        var numbers = new List<long>();
        Parcel? parcel = null;
        while (numbers.Count < count && subscription.Dequeue(ref parcel, Peer.Patience))
        {
            Assert.True(parcel.IsIntact());
            numbers.Add(parcel.Number);
        }
        Assert.False(subscription.Dequeue(ref parcel, TimeSpan.FromMilliseconds(100)));
        return [.. numbers];
    }

    private static long[] TakeLetters(Subscription<Parcel> subscription)
    {
        var numbers = new List<long>();
        while (TryReceive(subscription, out DeadLetterLease<Parcel> lease))
        {
            Assert.True(lease.Read().Message.IsIntact());
            numbers.Add(lease.Read().Message.Number);
            lease.Commit();
        }
        return [.. numbers];
    }

    public void Dispose() => _site.Dispose();
}
