using System.Text;
using BlitQueue.Log;
using Xunit;

namespace BlitQueue.Tests.Queue;

/// <summary>Why a message was given back stands in its dead letter once its attempts are used up.</summary>
public sealed class AbandonReasonTests : QueueFixture
{
    [Fact]
    public void The_last_reason_is_that_of_the_letter()
    {
        using MappedQueue<Note> queue = Filled(2);
        using Subscription<Note> subscription = Subscribe(queue, 3);
        Receive(subscription, 0, 1).Abandon("first");
        Receive(subscription, 0, 2).Abandon(TimeSpan.Zero, "second");
        Receive(subscription, 0, 3).Abandon("third");
        Assert.Equal(("third", 3), Letter(subscription, 0));
    }

    [Fact]
    public void Who_says_nothing_leaves_the_last_reason_as_it_is()
    {
        using MappedQueue<Note> queue = Filled(1);
        using Subscription<Note> subscription = Subscribe(queue, 4);
        Receive(subscription, 0, 1).Abandon("the disk is full");
        Receive(subscription, 0, 2).Abandon();
        Receive(subscription, 0, 3).Dispose();
        Receive(subscription, 0, 4).Abandon("");
        Assert.Equal(("the disk is full", 4), Letter(subscription, 0));
    }

    [Fact]
    public void Without_a_reason_the_letter_says_how_often_it_was_delivered()
    {
        using MappedQueue<Note> queue = Filled(1);
        using Subscription<Note> subscription = Subscribe(queue, 1);
        Receive(subscription, 0, 1).Abandon("of another message, in the same cell perhaps");
        Assert.Equal("of another message, in the same cell perhaps", Letter(subscription, 0).Reason);
        queue.Enqueue(Of(1));
        Receive(subscription, 1, 1).Abandon(null);
        Assert.Contains("1 times", Letter(subscription, 1).Reason, StringComparison.Ordinal);
    }

    [Fact]
    public void Each_of_many_messages_has_its_own_reason()
    {
        const int Count = 500;
        using MappedQueue<Note> queue = Filled(Count);
        using Subscription<Note> subscription = Subscribe(queue, 2);
        var leases = new Lease<Note>[Count];
        for (int attempt = 1; attempt <= 2; attempt++)
        {
            Assert.Equal(Count, subscription.TryReceive(leases));
            for (int id = 0; id < Count; id++)
            {
                leases[id].Abandon($"{id}, attempt {attempt}");
            }
        }
        Assert.False(subscription.TryReceive(out _));
        DeadLetter<Note>? letter = null;
        for (int count = 0; count < Count; count++)
        {
            Assert.True(subscription.DeadLetters.TryTake(ref letter));
            Assert.Equal($"{letter!.Message.Id}, attempt 2", letter.Reason);
        }
    }

    // A character of four bytes stands across the limit in three of four cases.
    [Theory]
    [InlineData(0)]
    [InlineData(1)]
    [InlineData(2)]
    [InlineData(3)]
    public void A_long_reason_is_cut_behind_a_whole_character(int before)
    {
        using MappedQueue<Note> queue = Filled(1);
        using Subscription<Note> subscription = Subscribe(queue, 1);
        string reason = new string('a', before) + string.Concat(Enumerable.Repeat("\U0001F600", 1000));
        Receive(subscription, 0, 1).Abandon(reason);
        string cut = Letter(subscription, 0).Reason;
        Assert.StartsWith(cut, reason, StringComparison.Ordinal);
        Assert.InRange(Encoding.UTF8.GetByteCount(cut), LeaseReasons.Longest - 3, LeaseReasons.Longest);
        Assert.Equal(1008, LeaseReasons.Longest);
    }

    [Fact]
    public void What_is_no_text_becomes_replacement_characters()
    {
        using MappedQueue<Note> queue = Filled(1);
        using Subscription<Note> subscription = Subscribe(queue, 1);
        Receive(subscription, 0, 1).Abandon("a\uD800b");
        Assert.Equal("a\uFFFDb", Letter(subscription, 0).Reason);
    }

    [Fact]
    public void A_reason_outlasts_its_handle_a_backup_and_a_recovery()
    {
        string copy = Path.Combine(Site.Root, "copy");
        using (MappedQueue<Note> queue = Filled(1))
        {
            using Subscription<Note> subscription = Subscribe(queue, 1);
            Receive(subscription, 0, 1).Abandon("as it was");
            MappedQueue.Backup(Site.Queue, copy);
        }
        File.Delete(Site.File(StoreFormat.ControlName));
        using MappedQueue<Note> again = Open(), other = MappedQueue<Note>.Open(copy);
        foreach (MappedQueue<Note> one in (MappedQueue<Note>[])[again, other])
        {
            using Subscription<Note> subscription = Subscribe(one, 1);
            Assert.Equal("as it was", Letter(subscription, 0).Reason);
        }
    }

    [Fact]
    public void A_torn_reason_is_none()
    {
        using MappedQueue<Note> queue = Filled(1);
        using Subscription<Note> subscription = Subscribe(queue, 1);
        Receive(subscription, 0, 1).Abandon("as it was written");
        using (FileStream file = Processes.Site.OpenToDamage(Site.File(StoreFormat.ReasonsName("default"))))
        {
            file.Position = file.Length - 1;
            int last = file.ReadByte();
            file.Position--;
            file.WriteByte((byte)(last ^ 1));
        }
        Assert.Contains("1 times", Letter(subscription, 0).Reason, StringComparison.Ordinal);
    }

    [Fact]
    public void Where_the_reason_cannot_be_written_the_message_is_given_back_without_it()
    {
        using MappedQueue<Note> queue = Filled(1);
        using Subscription<Note> subscription = Subscribe(queue, 1);
        Directory.CreateDirectory(Site.File(StoreFormat.ReasonsName("default")));
        Receive(subscription, 0, 1).Abandon("lost");
        Assert.Contains("1 times", Letter(subscription, 0).Reason, StringComparison.Ordinal);
        Directory.Delete(Site.File(StoreFormat.ReasonsName("default")));
    }

    [Fact]
    public void The_file_of_reasons_is_made_with_the_first_one_and_goes_with_its_subscription_and_its_queue()
    {
        string file = Site.File(StoreFormat.ReasonsName("audit"));
        using (MappedQueue<Note> queue = Open())
        {
            using Subscription<Note> audit = queue.Subscribe("audit");
            queue.Enqueue(Of(0));
            Receive(audit, 0, 1).Abandon();
            Assert.False(File.Exists(file));
            Receive(audit, 0, 2).Abandon("why");
            Assert.True(File.Exists(file));
            queue.DeleteSubscription("audit");
            Assert.False(File.Exists(file));
            using Subscription<Note> again = queue.Subscribe("audit");
            again.Seek(QueuePosition.Oldest);
            Receive(again, 0, 1).Abandon("why");
        }
        AssertNothingOpen();
        Assert.True(MappedQueue.Verify(Site.Queue).IsSound);
        Assert.True(MappedQueue.Delete(Site.Queue));
    }

    [Fact]
    public void A_lease_that_has_ended_writes_no_reason()
    {
        using MappedQueue<Note> queue = Filled(1), other = Open();
        using Subscription<Note> subscription = Subscribe(queue, 2), hasty = other.Subscribe(
            "default", new SubscriptionOptions { VisibilityTimeout = TimeSpan.FromMilliseconds(20), MaxAttempts = 2 });
        Lease<Note> lost = Receive(subscription, 0, 1);
        Lease<Note> taken = hasty.Receive();
        taken.Abandon("of the second");
        Assert.Throws<LeaseLostException>(() => lost.Abandon("of the first"));
        Assert.Throws<InvalidOperationException>(() => taken.Abandon("once more"));
        Assert.Equal(("of the second", 2), Letter(subscription, 0));
    }

    [Fact]
    public void Many_threads_give_back_with_reasons_and_each_letter_has_one_of_its_own()
    {
        const int Count = 200, Attempts = 5;
        using MappedQueue<Note> queue = Filled(Count);
        using Subscription<Note> subscription = Subscribe(queue, Attempts);
        Parallel.For(0, 4, _ =>
        {
            Note? note = null;
            while (subscription.TryReceive(out Lease<Note> lease))
            {
                lease.ReadInto(ref note);
                lease.Abandon($"{note.Id} at {lease.Attempt}");
            }
        });
        while (subscription.TryReceive(out Lease<Note> rest))
        {
            rest.Abandon($"{rest.Read().Id} at {rest.Attempt}");
        }
        DeadLetter<Note>? letter = null;
        for (int count = 0; count < Count; count++)
        {
            Assert.True(subscription.DeadLetters.TryTake(ref letter));
            Assert.Equal($"{letter!.Message.Id} at {Attempts}", letter.Reason);
        }
        Assert.False(subscription.DeadLetters.TryTake(ref letter));
    }

    private static Subscription<Note> Subscribe(MappedQueue<Note> queue, int maxAttempts) =>
        queue.Subscribe("default", new SubscriptionOptions { MaxAttempts = maxAttempts });

    // The message's attempts are used up: the next look makes it a letter.
    private static (string Reason, int Attempts) Letter(Subscription<Note> subscription, long id)
    {
        if (subscription.TryReceive(out Lease<Note> next))
        {
            Assert.NotEqual(id, next.Read().Id);
            next.Dispose();
        }
        DeadLetter<Note>? letter = null;
        Assert.True(subscription.DeadLetters.TryTake(ref letter));
        Assert.Equal(id, letter!.Message.Id);
        return (letter.Reason, letter.Attempts);
    }
}
