using System.Buffers.Binary;
using BlitQueue.Log;
using BlitQueue.Peer;
using Xunit;

namespace BlitQueue.Tests.Processes;

/// <summary>A process dies between a message and the letter that it was, and something else goes wrong, too.</summary>
[Collection(ProcessCollection.Name)]
public sealed class RequeueFaultTests : LettersFixture
{
    // The tail is not moved yet: what is synced up to the tail is not the message.
    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void The_message_is_on_the_disk_before_its_letter_goes(bool isPeek)
    {
        using MappedQueue<Parcel> queue = WithLetters();
        using Subscription<Parcel> subscription = queue.Subscribe("default");
        Die(nameof(ProtocolStep.AppendPublished), 1);
        long before = Word(ControlFormat.TailOffset);
        DeadLetter<Parcel>? letter = null;
        bool isThere = isPeek ? subscription.DeadLetters.TryPeek(ref letter) : TryReceive(subscription, out _);
        Assert.True(isThere);
        Assert.InRange(Word(ControlFormat.TailOffset), before + 1, long.MaxValue);
        Assert.Equal(Word(ControlFormat.TailOffset), Word(ControlFormat.DurableOffset));
        Assert.Equal([0], Drain(subscription, 1));
    }

    // Both letters' cells name the same position: where the dead process was about to publish, another has published.
    [Theory]
    [InlineData(nameof(ProtocolStep.RequeueMarked))]
    [InlineData(nameof(ProtocolStep.RequeueNoted))]
    public void A_letter_is_not_taken_for_another_that_became_the_message_at_its_position(string stepName)
    {
        using MappedQueue<Parcel> queue = WithLetters();
        using Subscription<Parcel> subscription = queue.Subscribe("default");
        Assert.True(TryReceive(subscription, out DeadLetterLease<Parcel> first));
        Die(stepName, 1);
        first.Requeue();
        Assert.Equal([0], Drain(subscription, 1));
        Assert.Equal(Numbers(1, Count), TakeLetters(subscription));
    }

    [Fact]
    public void A_message_that_no_consumer_would_get_stays_a_letter()
    {
        using MappedQueue<Parcel> queue = WithLetters();
        DeadLetterQueue<Parcel> letters;
        using (Subscription<Parcel> subscription = queue.Subscribe("default"))
        {
            letters = subscription.DeadLetters;
            Assert.True(letters.TryReceive(out DeadLetterLease<Parcel> lease));
            Assert.True(queue.DeleteSubscription("default"));
            QueueException refused = Assert.Throws<QueueException>(() => lease.Requeue());
            Assert.Equal((QueueError.SubscriptionGone, Site.Queue), (refused.Reason, refused.Path));
            Assert.Contains("The letter stays. Subscribe again before Requeue", refused.Message, StringComparison.Ordinal);
            lease.Abandon();
            Assert.Throws<QueueException>(() => letters.RequeueAll());
        }
        Assert.Equal(Count, letters.Count);
        using Subscription<Parcel> again = queue.Subscribe("default");
        Drain(again, Count);
        Assert.Equal(Count, letters.RequeueAll());
        Assert.Equal(Numbers(0, Count), Drain(again, Count).Order());
    }

    // No process has looked at it since it has expired, so none has removed it yet.
    [Fact]
    public void A_letter_of_a_subscription_that_has_expired_stays_a_letter_and_a_requeue_before_is_a_use()
    {
        using MappedQueue<Parcel> queue = WithLetters();
        Subscription<Parcel> brief = queue.Subscribe("brief", new SubscriptionOptions { ExpiresAfter = TimeSpan.FromSeconds(1) });
        queue.Enqueue(new Parcel().Fill(1, 100, 10));
        queue.Enqueue(new Parcel().Fill(1, 101, 10));
        brief.Receive().DeadLetter("no");
        brief.Receive().DeadLetter("no");
        DeadLetterQueue<Parcel> letters = brief.DeadLetters;
        brief.Dispose();
        Thread.Sleep(700);
        Assert.True(letters.TryReceive(out DeadLetterLease<Parcel> first));
        first.Requeue();
        Thread.Sleep(700);
        Assert.Contains(queue.GetStatus().Subscriptions, static one => one.Name == "brief");
        Thread.Sleep(1100);
        QueueException refused = Assert.Throws<QueueException>(() => letters.RequeueAll());
        Assert.Equal(QueueError.SubscriptionGone, refused.Reason);
        Assert.Equal(1, letters.Count);
    }

    // Between the look at the subscription and the letter's mark, its last consumer leaves, and has not removed it yet.
    [Fact]
    public void A_letter_stays_if_its_subscription_ends_while_it_is_requeued()
    {
        using MappedQueue<Parcel> queue = WithLetters();
        using Peer last = Peer.StartToStop(Site, ProtocolStep.SubscriptionEnded, 1, "audit").WaitFor("subscribed");
        DeadLetterQueue<Parcel> letters;
        using (Subscription<Parcel> audit = queue.Subscribe("audit", new SubscriptionOptions { Ephemeral = true }))
        {
            queue.Enqueue(new Parcel().Fill(1, 100, 10));
            audit.Receive().DeadLetter("no");
            letters = audit.DeadLetters;
        }
        using var requeuer = Peer.StartToStop(Site, ProtocolStep.AppendLockAcquired, 1, "requeue", "subscription=audit", "leaves=1");
        requeuer.WaitForStop();
        last.EndInput();
        last.WaitForStop();
        requeuer.Continue();
        Assert.NotEqual(0, requeuer.WaitForExit());
        Assert.Contains("The letter stays.", requeuer.Said, StringComparison.Ordinal);
        last.Kill();
        last.WaitForDeath();
        Assert.True(letters.TryReceive(out _));
        Assert.DoesNotContain(queue.GetStatus().Subscriptions, static one => one.Name == "audit");
    }

    // The segment of the message stays until the letter can be looked at: else no process could tell that it is a message.
    [Theory]
    [InlineData("link")]
    [InlineData("empty")]
    [InlineData(StoreFormat.MetaName)]
    [InlineData(StoreFormat.SubscriptionPrefix + "default")]
    public void Letters_that_cannot_be_read_for_a_while_come_once(string what)
    {
        WithLetters().Dispose();
        using var queue = MappedQueue<Parcel>.Open(Site.Queue);
        using Subscription<Parcel> audit = WithLetterOfAudit(queue);
        Die(nameof(ProtocolStep.AppendLockReleased), 1);
        Action restore = Hide(what);
        using (Subscription<Parcel> subscription = queue.Subscribe("default"))
        {
            Assert.Equal([Count, 0], Drain(subscription, 2));
            QueueException refused = Assert.Throws<QueueException>(() => audit.DeadLetters.RequeueAll());
            Assert.Contains($"{Letters} cannot be read", refused.Message, StringComparison.Ordinal);
            Pass(queue, 100, subscription, audit);
            Assert.True(File.Exists(FirstSegment));
            restore();
            Assert.Equal(1, audit.DeadLetters.RequeueAll());
            Assert.Equal([Count], Drain(audit, 1));
            Pass(queue, 100, subscription, audit);
        }
        Assert.False(File.Exists(FirstSegment));
        using var other = MappedQueue<Parcel>.Open(Site.Queue);
        using Subscription<Parcel> last = other.Subscribe("default");
        Assert.Equal(Numbers(1, Count), TakeLetters(last));
    }

    // What hides letters for good is taken away, as the texts advise.
    [Fact]
    public void Without_the_letters_the_queue_goes_on()
    {
        WithLetters().Dispose();
        Die(nameof(ProtocolStep.AppendLockReleased), 1);
        Hide("link");
        using var queue = MappedQueue<Parcel>.Open(Site.Queue);
        using Subscription<Parcel> subscription = queue.Subscribe("default");
        Assert.Equal([0], Drain(subscription, 1));
        Pass(queue, 100, subscription);
        Assert.True(File.Exists(FirstSegment));
        File.Delete(Letters);
        Pass(queue, 100, subscription);
        Assert.False(File.Exists(FirstSegment));
    }

    // The letters' next opener does not see the stopped process as alive.
    [Theory]
    [InlineData(nameof(ProtocolStep.RequeueMarked))]
    [InlineData(nameof(ProtocolStep.RequeueNoted))]
    public void A_process_that_is_stopped_in_a_requeue_while_the_letters_lock_file_is_lost_has_its_letter(string stepName)
    {
        WithLetters().Dispose();
        using Peer peer = Peer.StartToStop(Site, Enum.Parse<ProtocolStep>(stepName), 3, "requeue").WaitForStop();
        File.Delete(Path.Combine(Letters, StoreFormat.LockName));
        using var queue = MappedQueue<Parcel>.Open(Site.Queue);
        using Subscription<Parcel> subscription = queue.Subscribe("default");
        Assert.Equal(Numbers(3, Count), TakeLetters(subscription));
        peer.Continue();
        peer.WaitForExit();
        Assert.Equal(Numbers(0, 3), Drain(subscription, 3));
        Assert.Empty(TakeLetters(subscription));
    }

    [Fact]
    public void Who_opens_the_letters_as_a_queue_gets_no_letter_that_is_a_message()
    {
        using MappedQueue<Parcel> queue = WithLetters();
        Die(nameof(ProtocolStep.AppendPublished), 1);
        using (var plain = MappedQueue<DeadLetter<Parcel>>.Open(Letters))
        {
            using Subscription<DeadLetter<Parcel>> letters = plain.Subscribe("default");
            var numbers = new List<long>();
            while (letters.TryReceive(out Lease<DeadLetter<Parcel>> lease))
            {
                numbers.Add(lease.Read().Message.Number);
                lease.Commit();
            }
            Assert.Equal(Numbers(1, Count), numbers);
        }
        using Subscription<Parcel> subscription = queue.Subscribe("default");
        Assert.Empty(TakeLetters(subscription));
        Assert.Equal([0], Drain(subscription, 1));
    }

    [Fact]
    public void After_a_failed_sync_letters_are_consumed_and_a_requeue_says_that_nothing_was_done()
    {
        using MappedQueue<Parcel> queue = WithLetters();
        using Subscription<Parcel> subscription = queue.Subscribe("default");
        Die(nameof(ProtocolStep.AppendTailMoved), 1);
        byte[] failed = new byte[sizeof(long)];
        BinaryPrimitives.WriteInt64LittleEndian(failed, ControlFormat.FailedWord(error: 5, Environment.ProcessId));
        Site.Overwrite(StoreFormat.ControlName, ControlFormat.FailedOffset, failed);
        DeadLetter<Parcel>? letter = null;
        Assert.True(subscription.DeadLetters.TryPeek(ref letter));
        Assert.Equal(1, letter!.Message.Number);
        Assert.True(TryReceive(subscription, out DeadLetterLease<Parcel> lease));
        QueueFailedException refused = Assert.Throws<QueueFailedException>(() => lease.Requeue());
        Assert.Equal(FailureOutcome.NothingDone, refused.Outcome);
        lease.Commit();
        Assert.Equal(Numbers(2, Count), TakeLetters(subscription));
    }

    private string FirstSegment => Site.File(StoreFormat.SegmentName(0));

    private long Word(int offset)
    {
        using var file = new FileStream(Site.File(StoreFormat.ControlName), FileMode.Open, FileAccess.Read, FileShare.ReadWrite);
        Span<byte> word = stackalloc byte[sizeof(long)];
        Assert.Equal(sizeof(long), RandomAccess.Read(file.SafeFileHandle, word, offset));
        return BinaryPrimitives.ReadInt64LittleEndian(word);
    }

    // Returns how to undo it. Both in one step: if the letters were not there for a moment, the queue could find just then that they were
    // deleted, and go on without them.
    private Action Hide(string what)
    {
        string path = what is "link" or "empty" ? Letters : Path.Combine(Letters, what), aside = Path.Combine(Site.Root, "aside");
        if (what == "link")
        {
            File.CreateSymbolicLink(aside, "/nowhere");
        }
        else if (what == "empty")
        {
            File.CreateSymbolicLink(aside, Directory.CreateDirectory(Path.Combine(Site.Root, "empty")).FullName);
        }
        else
        {
            File.WriteAllText(aside, "");
        }
        Renaming.Exchange(path, aside);
        return () =>
        {
            Renaming.Exchange(path, aside);
            File.Delete(aside);
        };
    }

    // Messages that all consume at once.
    private static void Pass(MappedQueue<Parcel> queue, int count, params Subscription<Parcel>[] subscriptions)
    {
        for (int number = 0; number < count; number++)
        {
            queue.Enqueue(new Parcel().Fill(2, number, 10_000));
            foreach (Subscription<Parcel> subscription in subscriptions)
            {
                Assert.Equal([number], Drain(subscription, 1, isEnd: false));
            }
        }
    }
}
