using BlitQueue.Log;
using BlitQueue.Peer;
using Xunit;

namespace BlitQueue.Tests.Processes;

/// <summary>Death of a process that holds dead letters or makes them messages again: each is a letter or a message, and not both.</summary>
public sealed class RequeueKillTests : LettersFixture
{
    [Theory]
    [InlineData(nameof(ProtocolStep.AppendLockAcquired), 3, 2, false)]
    [InlineData(nameof(ProtocolStep.AppendPacked), 3, 2, false)]
    [InlineData(nameof(ProtocolStep.RequeueMarked), 3, 2, false)]
    [InlineData(nameof(ProtocolStep.RequeueMarked), 1, 0, true)]
    [InlineData(nameof(ProtocolStep.RequeueNoted), 3, 2, false)]
    [InlineData(nameof(ProtocolStep.RequeueNoted), 3, 2, true)]
    [InlineData(nameof(ProtocolStep.RequeueNoted), 1, 0, false)]
    [InlineData(nameof(ProtocolStep.AppendPublished), 3, 3, false)]
    [InlineData(nameof(ProtocolStep.AppendPublished), 1, 1, true)]
    [InlineData(nameof(ProtocolStep.AppendTailMoved), 3, 3, true)]
    [InlineData(nameof(ProtocolStep.AppendLockReleased), 3, 3, true)]
    [InlineData(nameof(ProtocolStep.RequeueLetterEnded), 3, 3, false)]
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
    [InlineData(nameof(ProtocolStep.RequeueMarked), 4)]
    [InlineData(nameof(ProtocolStep.RequeueNoted), 4)]
    [InlineData(nameof(ProtocolStep.AppendPublished), 4)]
    [InlineData(nameof(ProtocolStep.AppendLockReleased), 4)]
    [InlineData(nameof(ProtocolStep.RequeueLetterEnded), 4)]
    public void The_next_process_requeues_the_rest_and_the_one_that_completes_may_die_too(string stepName, int time)
    {
        using MappedQueue<Parcel> queue = WithLetters();
        Die(stepName, time);
        Die(nameof(ProtocolStep.AppendPublished), 2);
        Die(nameof(ProtocolStep.RequeueNoted), 1);
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
        using Subscription<Parcel> audit = WithLetterOfAudit(queue);
        Die(nameof(ProtocolStep.AppendPublished), 1);
        Assert.Equal(1, audit.DeadLetters.RequeueAll());
        using Subscription<Parcel> subscription = queue.Subscribe("default");
        Assert.Equal([Count, 0], Drain(subscription, 2));
        Assert.Equal(Numbers(1, Count), TakeLetters(subscription));
        Assert.Equal([Count], Drain(audit, 1));
    }

    // Nobody opens letters with the append lock held, so neither a producer nor a requeue of other letters waits for who does.
    [Fact]
    public void A_process_that_is_stopped_while_it_opens_other_letters_holds_up_nobody()
    {
        WithLetters().Dispose();
        Die(nameof(ProtocolStep.AppendPublished), 1);
        File.Delete(Path.Combine(Site.File(StoreFormat.DeadLettersName("default")), StoreFormat.ControlName));
        using Peer opener = Peer.StartToStop(Site, ProtocolStep.RecoveryLogRead, 1, "requeue").WaitForStop();
        using var queue = MappedQueue<Parcel>.Open(Site.Queue, new QueueOptions { StallTimeout = TimeSpan.FromMilliseconds(500) });
        using Subscription<Parcel> audit = WithLetterOfAudit(queue);
        Assert.Equal(1, audit.DeadLetters.RequeueAll());
        Assert.Equal([Count], Drain(audit, 1));
        opener.Continue();
        Assert.Equal(0, opener.WaitForExit());
        using Subscription<Parcel> subscription = queue.Subscribe("default");
        Assert.Equal([.. Numbers(0, Count), Count], Drain(subscription, Count + 1).Order());
    }

    [Theory]
    [InlineData(nameof(ProtocolStep.RequeueNoted), 3, 2)]
    [InlineData(nameof(ProtocolStep.AppendPublished), 3, 3)]
    [InlineData(nameof(ProtocolStep.AppendLockReleased), 3, 3)]
    [InlineData(nameof(ProtocolStep.RequeueLetterEnded), 3, 3)]
    [InlineData(nameof(ProtocolStep.RequeueReleased), 3, 3)]
    public void After_a_recovery_it_is_a_letter_or_a_message(string stepName, int time, int requeued)
    {
        foreach (Action<MappedQueue<Parcel>> lose in (Action<MappedQueue<Parcel>>[])[LoseControl, LoseLettersControl, LoseLock, Restart])
        {
            MappedQueue<Parcel> queue = WithLetters();
            Die(stepName, time);
            lose(queue);
            queue.Dispose();
            using (queue = MappedQueue<Parcel>.Open(Site.Queue))
            {
                using Subscription<Parcel> subscription = queue.Subscribe("default");
                Assert.Equal(Numbers(0, requeued), Drain(subscription, requeued));
                Assert.Equal(Numbers(requeued, Count), TakeLetters(subscription));
            }
            Directory.Delete(Site.Queue, recursive: true);
        }
    }

    [Theory]
    [InlineData(nameof(ProtocolStep.AppendPublished))]
    [InlineData(nameof(ProtocolStep.RequeueLetterEnded))]
    public void After_a_recovery_and_a_second_kill_it_is_a_message(string stepName)
    {
        WithLetters().Dispose();
        Die(stepName, 1);
        File.Delete(Site.File(StoreFormat.ControlName));
        using (var opener = Peer.StartToDie(Site, ProtocolStep.RecoveryWordsSet, 1, "requeue"))
        {
            opener.WaitForDeath();
        }
        Die(stepName, 1);
        using var queue = MappedQueue<Parcel>.Open(Site.Queue);
        using Subscription<Parcel> subscription = queue.Subscribe("default");
        Assert.Equal([0, 1], Drain(subscription, 2));
        Assert.Equal(Numbers(2, Count), TakeLetters(subscription));
    }

    // The message is consumed, and its segment used again, before anybody looks for the letter.
    [Theory]
    [InlineData("nothing")]
    [InlineData("recovery")]
    [InlineData("requeue")]
    [InlineData("dead requeue")]
    public void A_letter_whose_message_is_consumed_and_gone_does_not_come_again(string between)
    {
        using (MappedQueue<Parcel> made = WithLetters())
        {
            WithLetterOfAudit(made).Dispose();
        }
        Die(nameof(ProtocolStep.AppendLockReleased), 1);
        if (between == "recovery")
        {
            File.Delete(Site.File(StoreFormat.ControlName));
        }
        if (between == "dead requeue")
        {
            Die(nameof(ProtocolStep.AppendPublished), 1, "audit");
        }
        using var queue = MappedQueue<Parcel>.Open(Site.Queue);
        using Subscription<Parcel> subscription = queue.Subscribe("default"), audit = queue.Subscribe("audit");
        long requeued = between == "requeue" ? audit.DeadLetters.RequeueAll() : 0;
        Assert.Equal(between == "requeue" ? 1 : 0, requeued);
        // Both subscriptions step over each other's.
        Assert.Equal([Count, 0], Drain(subscription, 2));
        bool isRequeued = between.EndsWith("requeue", StringComparison.Ordinal);
        Assert.Equal(isRequeued ? [Count] : [], Drain(audit, isRequeued ? 1 : 0));
        for (int number = 0; number < 100; number++)
        {
            queue.Enqueue(new Parcel().Fill(2, number, 10_000));
            Assert.Equal([number], Drain(subscription, 1, isEnd: false));
            Assert.Equal([number], Drain(audit, 1, isEnd: false));
        }
        Assert.True(queue.GetStatus().First.Value > 1 << 17);
        Assert.Equal(Numbers(1, Count), TakeLetters(subscription));
        Assert.Equal(isRequeued ? [] : [Count], TakeLetters(audit));
    }

    // In a copy a letter may come again that was taken from the original, as after a loss of power; none is lost.
    [Theory]
    [InlineData(nameof(ProtocolStep.RequeueNoted), 0)]
    [InlineData(nameof(ProtocolStep.AppendPublished), 1)]
    [InlineData(nameof(ProtocolStep.RequeueLetterEnded), 1)]
    public void A_copy_has_the_letter_or_the_message_or_both(string stepName, int requeued)
    {
        WithLetters().Dispose();
        Die(stepName, 1);
        string copy = Path.Combine(Site.Root, "copy");
        Site.Copy(Site.Queue, copy);
        using (var queue = MappedQueue<Parcel>.Open(copy))
        {
            using Subscription<Parcel> subscription = queue.Subscribe("default");
            Assert.Equal(Numbers(0, requeued), Drain(subscription, requeued));
            Assert.Equal(Numbers(requeued, Count), TakeLetters(subscription).TakeLast(Count - requeued));
        }
    }

    // The message is longer than a segment, so that an announcing record stands at the position that the letter's cell has.
    [Theory]
    [InlineData(nameof(ProtocolStep.RequeueNoted), 0)]
    [InlineData(nameof(ProtocolStep.AppendPublished), 1)]
    public void A_letter_in_pieces_is_a_letter_or_a_message(string stepName, int requeued)
    {
        using MappedQueue<Parcel> queue = WithLetters(count: 1, size: 150_000);
        Die(stepName, 1);
        using Subscription<Parcel> subscription = queue.Subscribe("default");
        Assert.Equal(Numbers(requeued, 1), TakeLetters(subscription));
        Assert.Equal(Numbers(0, requeued), Drain(subscription, requeued));
    }

    [Fact]
    public void What_a_killed_process_held_goes_to_the_next_and_a_stopped_one_keeps_it()
    {
        using MappedQueue<Parcel> queue = WithLetters();
        using Subscription<Parcel> subscription = queue.Subscribe("default");
        using (Peer peer = Peer.Start(Site, "hold-letters", "count=3").WaitFor("holding"))
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
        using var queue = MappedQueue<Parcel>.Open(Site.Queue);
        queue.Enqueue(new Parcel().Fill(1, 0, 100));
        using (var dead = Peer.StartToDie(Site, ProtocolStep.LeaseDeadLettered, 1, "bury"))
        {
            dead.WaitForDeath();
        }
        using (Peer holder = Peer.Start(Site, "hold-letters", "count=1").WaitFor("holding"))
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

    // A stopped process has the append lock: nobody publishes for it, and nobody takes its letter.
    [Fact]
    public void Who_is_stopped_in_a_requeue_ends_it_when_it_runs_again()
    {
        using MappedQueue<Parcel> queue = WithLetters();
        using Subscription<Parcel> subscription = queue.Subscribe("default");
        using Peer peer = Peer.StartToStop(Site, ProtocolStep.RequeueNoted, 2, "requeue").WaitForStop();
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

    // Stopped behind the publication: its letter is not its any more, and it ends well.
    [Fact]
    public void Who_is_stopped_behind_the_publication_finds_its_letter_consumed()
    {
        using MappedQueue<Parcel> queue = WithLetters();
        using Subscription<Parcel> subscription = queue.Subscribe("default");
        using Peer peer = Peer.StartToStop(Site, ProtocolStep.AppendLockReleased, 2, "requeue").WaitForStop();
        Assert.Equal(Numbers(2, Count), subscription.DeadLetters.Select(static letter => letter.Message.Number));
        Assert.Equal([0, 1], Drain(subscription, 2));
        Assert.True(subscription.DeadLetters.TryReceive(out DeadLetterLease<Parcel> third));
        Assert.Equal(2, third.Read().Message.Number);
        third.Requeue();
        Assert.Equal([2], Drain(subscription, 1));
        peer.Continue();
        Assert.Equal(0, peer.WaitForExit());
        Assert.Equal(Numbers(3, Count), Drain(subscription, Count - 3).Order());
        Assert.Empty(subscription.DeadLetters);
    }

    private void LoseControl(MappedQueue<Parcel> queue)
    {
        queue.Dispose();
        File.Delete(Site.File(StoreFormat.ControlName));
    }

    private void LoseLettersControl(MappedQueue<Parcel> queue)
    {
        queue.Dispose();
        File.Delete(Path.Combine(Site.File(StoreFormat.DeadLettersName("default")), StoreFormat.ControlName));
    }

    // While the queue is open: the next opener goes on with a copy of the words. If the dead process has the append lock, it is told to do
    // what this does. The file stays, under another name, so that the next one does not get its number: Wine tells files apart by nothing
    // else.
    private void LoseLock(MappedQueue<Parcel> queue)
    {
        File.Move(Site.File(StoreFormat.LockName), Path.Combine(Site.Root, "lost.lock"), overwrite: true);
        try
        {
            using var other = MappedQueue<Parcel>.Open(Site.Queue, new QueueOptions { StallTimeout = TimeSpan.FromMilliseconds(200) });
            Assert.Throws<QueueFailedException>(() => queue.Enqueue(new Parcel().Fill(3, 0, 10)));
        }
        catch (QueueStalledException)
        {
            LoseControl(queue);
        }
    }

    private void Restart(MappedQueue<Parcel> queue)
    {
        queue.Dispose();
        Site.Overwrite(StoreFormat.ControlName, ControlFormat.BootOffset, "another boot of this machine"u8.ToArray());
    }
}
