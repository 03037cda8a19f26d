using Xunit;

namespace BlitQueue.Tests.Queue;

public sealed class ExclusiveTests : QueueFixture
{
    private static readonly SubscriptionOptions Alone = new() { Exclusive = true };

    [Fact]
    public void Messages_come_strictly_one_after_the_other()
    {
        using MappedQueue<Note> queue = Filled(4);
        using Subscription<Note> subscription = queue.Subscribe("default", Alone);
        Lease<Note> lease = Receive(subscription, 0, 1);
        Note? note = null;
        Assert.Contains(
            "Commit or abandon it first", Assert.Throws<InvalidOperationException>(() => subscription.TryReceive(out _)).Message);
        Assert.Throws<InvalidOperationException>(() => subscription.TryDequeue(ref note));
        Assert.Throws<InvalidOperationException>(() => subscription.TryDequeue(new Note?[2]));
        Assert.Throws<InvalidOperationException>(() => subscription.Receive());
        lease.Abandon();
        lease = Receive(subscription, 0, 2);
        lease.Commit();
        var leases = new Lease<Note>[3];
        Assert.Equal(1, subscription.TryReceive(leases));
        leases[0].Abandon();
        var notes = new Note?[10];
        Assert.Equal(3, subscription.TryDequeue(notes));
        Assert.Equal([1L, 2, 3], notes.Take(3).Select(static one => one!.Id));
        Assert.False(subscription.TryReceive(out _));
    }

    [Fact]
    public void No_other_consumer_comes_in_beside_it()
    {
        using MappedQueue<Note> queue = Filled(3), other = Open();
        using Subscription<Note> shared = other.Subscribe("default");
        using (Subscription<Note> subscription = queue.Subscribe("default", Alone))
        {
            Note? note = null;
            AssertRefused(() => other.Subscribe("default", Alone), "exclusively");
            AssertRefused(() => queue.Subscribe("default", Alone), "same handle");
            AssertRefused(() => shared.TryReceive(out _), $"process {Environment.ProcessId}");
            AssertRefused(() => shared.TryDequeue(ref note), "exclusively");
            AssertRefused(() => shared.Receive(), "exclusively");
            AssertRefused(() => queue.TryDequeue(ref note), "same handle");
            Assert.True(subscription.TryDequeue(ref note));
            subscription.TryReceive(out Lease<Note> lease);
            lease.Abandon();
            AssertRefused(() => shared.TryReceive(out _), "exclusively");
            AssertRefused(() => shared.TryDequeue(new Note?[2]), "exclusively");
        }
        Note? next = null;
        Assert.True(shared.TryDequeue(ref next));
        Assert.Equal(1, next!.Id);
    }

    [Fact]
    public void It_does_not_come_in_beside_others()
    {
        using MappedQueue<Note> queue = Filled(3), other = Open();
        Note? note = null;
        Subscription<Note> shared = other.Subscribe("default");
        Assert.True(shared.TryReceive(out Lease<Note> lease));
        AssertRefused(() => queue.Subscribe("default", Alone), $"process {Environment.ProcessId}");
        shared.Dispose();
        AssertRefused(() => queue.Subscribe("default", Alone), "leased");
        lease.Abandon();
        using Subscription<Note> subscription = queue.Subscribe("default", Alone);
        Assert.True(subscription.TryDequeue(ref note));
        Assert.Equal(0, note!.Id);
    }

    [Fact]
    public void Its_end_gives_the_open_message_to_the_next_one()
    {
        using MappedQueue<Note> queue = Filled(3), other = Open();
        Lease<Note> lease;
        using (Subscription<Note> subscription = queue.Subscribe("default", Alone))
        {
            lease = Receive(subscription, 0, 1);
        }
        using Subscription<Note> next = other.Subscribe("default", Alone);
        Receive(next, 0, 2).Commit();
        Assert.Throws<InvalidOperationException>(() => lease.Commit());
        Receive(next, 1, 1);
        other.Dispose();
        using Subscription<Note> last = queue.Subscribe("default", Alone);
        Receive(last, 1, 2).Commit();
        Receive(last, 2, 1).Commit();
    }

    [Fact]
    public void What_others_gave_back_before_comes_first()
    {
        using MappedQueue<Note> queue = Filled(6), other = Open();
        using (Subscription<Note> shared = other.Subscribe("default"))
        {
            var leases = new Lease<Note>[5];
            Assert.Equal(5, shared.TryReceive(leases));
            leases[1].Commit();
            leases[3].Abandon();
            // The others are the dead handle's.
        }
        other.Dispose();
        using Subscription<Note> subscription = queue.Subscribe("default", Alone);
        foreach (long id in (long[])[0, 2, 3, 4])
        {
            Receive(subscription, id, 2).Commit();
        }
        Receive(subscription, 5, 1).Commit();
    }

    [Fact]
    public void A_message_given_back_for_later_delays_those_behind_it()
    {
        using MappedQueue<Note> queue = Filled(3);
        using Subscription<Note> subscription = queue.Subscribe("default", Alone);
        Receive(subscription, 0, 1).Abandon(TimeSpan.FromMilliseconds(300));
        long abandoned = Environment.TickCount64;
        Note? note = null;
        Assert.False(subscription.TryReceive(out _));
        Assert.False(subscription.TryDequeue(ref note));
        Assert.Equal(0, subscription.TryDequeue(new Note?[3]));
        Assert.False(subscription.TryPeek(ref note));
        using Lease<Note> again = subscription.Receive();
        Assert.True(Environment.TickCount64 - abandoned >= 300);
        again.ReadInto(ref note);
        Assert.Equal((0, 2), (note!.Id, again.Attempt));
        again.Commit();
        Receive(subscription, 1, 1).Commit();
    }

    [Fact]
    public void Threads_of_one_subscription_get_one_message_at_a_time_in_order()
    {
        using MappedQueue<Note> queue = Filled(500);
        using Subscription<Note> subscription = queue.Subscribe("default", Alone);
        var seen = new List<(long Id, int Attempt)>();
        int open = 0;
        Thread[] threads = [.. Enumerable.Range(0, 4).Select(seed => new Thread(() => Work(seed)))];
        Array.ForEach(threads, static thread => thread.Start());
        Array.ForEach(threads, static thread => thread.Join());
        Assert.Equal(
            Enumerable.Range(0, 500).Select(static id => (long)id), seen.Where(static one => one.Attempt > 0).Select(static one => one.Id));
        for (int i = 1; i < seen.Count; i++)
        {
            Assert.True(seen[i].Id == seen[i - 1].Id + (seen[i - 1].Attempt > 0 ? 1 : 0), $"{seen[i]} after {seen[i - 1]}");
        }

        void Work(int seed)
        {
            var random = new Random(seed);
            Note? note = null;
            while (queue.GetStatus().MessageCount > 0)
            {
                try
                {
                    if (!subscription.TryReceive(out Lease<Note> lease))
                    {
                        continue;
                    }
                    Assert.Equal(1, Interlocked.Increment(ref open));
                    lease.ReadInto(ref note);
                    bool commit = random.Next(4) > 0 || lease.Attempt > 5;
                    seen.Add((note!.Id, commit ? 1 : 0));
                    Interlocked.Decrement(ref open);
                    if (commit)
                    {
                        lease.Commit();
                    }
                    else
                    {
                        lease.Abandon();
                    }
                }
                catch (InvalidOperationException)
                {
                    // Another thread has the open message.
                }
            }
        }
    }

    [Fact]
    public void Options_that_contradict_it_are_refused()
    {
        using MappedQueue<Note> queue = Open();
        string message = Assert.Throws<ArgumentException>(
            () => queue.Subscribe("default", Alone with { VisibilityTimeout = TimeSpan.FromSeconds(1) })).Message;
        Assert.Contains("Exclusive", message);
        Assert.Contains("VisibilityTimeout", message);
    }

    private static void AssertRefused(Action act, string text) => Assert.Contains(text, Assert.Throws<QueueException>(act).Message);
}
