using Xunit;

namespace BlitQueue.Tests.Queue;

public sealed class LeaseTests : QueueFixture, IDisposable
{
    private readonly MappedQueue<Note> _queue;
    private readonly Subscription<Note> _subscription;

    public LeaseTests()
    {
        _queue = Open();
        _subscription = _queue.Subscribe("default");
        for (int id = 0; id < 5; id++)
        {
            _queue.Enqueue(Of(id));
        }
    }

    [Fact]
    public void A_committed_message_does_not_come_again()
    {
        using (Lease<Note> lease = Receive(0, attempt: 1))
        {
            lease.Commit();
        }
        Receive(1, attempt: 1).Commit();
        Assert.Equal([2, 3, 4], Drain(_queue));
        Assert.False(_subscription.TryReceive(out _));
    }

    [Fact]
    public void A_message_given_back_comes_before_later_ones_and_counts_the_attempt()
    {
        Lease<Note> first = Receive(0, attempt: 1), second = Receive(1, attempt: 1);
        second.Abandon();
        first.Abandon();
        Lease<Note> again = Receive(0, attempt: 2);
        Assert.Equal(first.Position, again.Position);
        again.Abandon();
        Receive(0, attempt: 3).Commit();
        Receive(1, attempt: 2).Commit();
        Receive(2, attempt: 1).Commit();
    }

    [Fact]
    public void A_message_given_back_comes_before_later_ones_to_who_dequeues_too()
    {
        Receive(0, attempt: 1).Abandon();
        Assert.Equal([0, 1, 2, 3, 4], Drain(_queue));
    }

    [Fact]
    public void A_disposed_lease_is_given_back()
    {
        using (Receive(0, attempt: 1))
        {
        }
        Receive(0, attempt: 2).Commit();
    }

    [Fact]
    public void A_lease_that_has_ended_can_do_nothing_more()
    {
        Lease<Note> lease = Receive(0, attempt: 1), copy = lease;
        lease.Commit();
        Note? note = null;
        Assert.Throws<InvalidOperationException>(() => lease.Commit());
        Assert.Throws<InvalidOperationException>(() => copy.Commit());
        Assert.Throws<InvalidOperationException>(() => copy.Abandon());
        Assert.Throws<InvalidOperationException>(() => copy.ReadInto(ref note));
        copy.Dispose();
        Receive(1, attempt: 1).Abandon();
        Assert.Throws<InvalidOperationException>(() => default(Lease<Note>).Commit());
        default(Lease<Note>).Dispose();
    }

    [Fact]
    public void An_ended_lease_does_not_end_a_later_one_in_its_cell()
    {
        Lease<Note> old = Receive(0, attempt: 1);
        old.Abandon();
        Lease<Note> current = Receive(0, attempt: 2);
        Assert.Throws<InvalidOperationException>(() => old.Commit());
        Assert.Throws<InvalidOperationException>(() => old.Abandon());
        old.Dispose();
        current.Commit();
        Assert.Equal([1, 2, 3, 4], Drain(_queue));
    }

    [Fact]
    public void Many_leases_are_open_at_once_and_end_in_any_order()
    {
        for (int id = 5; id < 1000; id++)
        {
            _queue.Enqueue(Of(id));
        }
        Lease<Note>[] leases = [.. Enumerable.Range(0, 1000).Select(id => Receive(id, attempt: 1))];
        new Random(3).Shuffle(leases);
        for (int i = 0; i < leases.Length; i++)
        {
            if (i % 3 == 0)
            {
                leases[i].Abandon();
            }
            else
            {
                leases[i].Commit();
            }
        }
        long[] again = Drain(_queue);
        Assert.Equal(334, again.Length);
        Assert.Equal(again.Order(), again);
    }

    [Fact]
    public void More_leases_than_there_are_cells_is_a_clear_refusal()
    {
        for (int id = 5; id < 2100; id++)
        {
            _queue.Enqueue(Of(id));
        }
        for (int id = 0; id < 2047; id++)
        {
            Receive(id, attempt: 1);
        }
        Assert.Contains("2047", Assert.Throws<QueueException>(() => _subscription.TryReceive(out _)).Message, StringComparison.Ordinal);
    }

    [Fact]
    public void As_many_leases_as_there_are_cells_and_no_message_is_none()
    {
        for (int id = 5; id < 2047; id++)
        {
            _queue.Enqueue(Of(id));
        }
        for (int id = 0; id < 2047; id++)
        {
            Receive(id, attempt: 1);
        }
        Assert.False(_subscription.TryReceive(out _));
    }

    [Fact]
    public void A_lease_that_was_lost_says_so_and_one_that_was_ended_says_that()
    {
        using MappedQueue<Note> other = Open();
        using Subscription<Note> hasty = other.Subscribe(
            "default", new SubscriptionOptions { VisibilityTimeout = TimeSpan.FromMilliseconds(1) });
        Lease<Note> lost = Receive(0, attempt: 1), ended = Receive(1, attempt: 1);
        ended.Commit();
        Thread.Sleep(20);
        Lease<Note> taken = hasty.Receive();
        Assert.Equal(lost.Position, taken.Position);
        AssertLost(lost);
        taken.Commit();
        AssertLost(lost);
        // Their cells serve others.
        for (int id = 2; id < 5; id++)
        {
            Receive(id, attempt: 1).Commit();
        }
        AssertLost(lost);
        Assert.Contains("committed", Assert.Throws<InvalidOperationException>(ended.Commit).Message, StringComparison.Ordinal);
        Assert.Throws<InvalidOperationException>(ended.Abandon);
        Lease<Note>[] both = [lost];
        Assert.Contains("lease 0", Assert.Throws<LeaseLostException>(() => _subscription.Commit(both)).Message, StringComparison.Ordinal);
        lost.Dispose();

        static void AssertLost(Lease<Note> lease)
        {
            Note? note = null;
            Assert.Contains("visibility", Assert.Throws<LeaseLostException>(lease.Commit).Message, StringComparison.Ordinal);
            Assert.Throws<LeaseLostException>(lease.Abandon);
            Assert.Throws<LeaseLostException>(() => lease.DeadLetter("late"));
            Assert.Throws<LeaseLostException>(() => lease.ReadInto(ref note));
        }
    }

    [Fact]
    public void An_ended_lease_is_not_called_lost_however_many_came_after()
    {
        Lease<Note> committed = Receive(0, attempt: 1), abandoned = Receive(1, attempt: 1), disposed = Receive(2, attempt: 1);
        committed.Commit();
        abandoned.Abandon();
        disposed.Dispose();
        // Each cell serves another one.
        for (int id = 5; id < 2200; id++)
        {
            _queue.Enqueue(Of(id));
        }
        while (_subscription.TryReceive(out Lease<Note> lease))
        {
            lease.Commit();
        }
        Assert.All([committed, abandoned, disposed], static lease =>
        {
            Assert.Throws<InvalidOperationException>(lease.Commit);
            Assert.Throws<InvalidOperationException>(lease.Abandon);
        });
    }

    // The message is leased again, in another cell and for the first time there as it was in the first one, and committed.
    [Fact]
    public void A_lost_lease_says_so_though_the_message_was_committed_after_a_seek_back()
    {
        using MappedQueue<Note> other = Open();
        using Subscription<Note> hasty = other.Subscribe(
            "default", new SubscriptionOptions { VisibilityTimeout = TimeSpan.FromMilliseconds(1) });
        Lease<Note> lost = Receive(0, attempt: 1);
        Thread.Sleep(20);
        hasty.Receive().Commit();
        _subscription.Seek(QueuePosition.Oldest);
        Lease<Note> again = Receive(0, attempt: 1);
        Assert.Equal(lost.Held.Message, again.Held.Message);
        again.Commit();
        Assert.Throws<LeaseLostException>(lost.Commit);
        Assert.Throws<InvalidOperationException>(again.Commit);
        Assert.Throws<LeaseLostException>(lost.Abandon);
    }

    // In the same cell, by the same object.
    [Fact]
    public void A_lease_that_its_own_subscription_took_over_is_lost_and_the_next_one_is_not()
    {
        using Subscription<Note> hasty = _queue.Subscribe(
            "default", new SubscriptionOptions { VisibilityTimeout = TimeSpan.FromMilliseconds(1) });
        Lease<Note> first = hasty.Receive();
        // Those that find something look for what others have held for too long now and then.
        Thread.Sleep(100);
        Lease<Note> second = hasty.Receive();
        Assert.Equal((first.Held.Cell, first.Position), (second.Held.Cell, second.Position));
        Assert.Throws<LeaseLostException>(first.Commit);
        second.Commit();
        Assert.Throws<InvalidOperationException>(second.Commit);
        Assert.Throws<LeaseLostException>(first.Commit);
    }

    [Fact]
    public void A_sync_that_began_before_eight_seeks_back_is_told_from_one_that_began_after()
    {
        Receive(0, attempt: 1);
        long before = DurableLeasesUpTo();
        for (int seek = 0; seek < 8; seek++)
        {
            _subscription.Seek(QueuePosition.Newest);
            _subscription.Seek(QueuePosition.Oldest);
        }
        Assert.NotEqual(before, DurableLeasesUpTo());

        long DurableLeasesUpTo() => BitConverter.ToInt64(Processes.Site.Read(Site.File("subscription-default")), 168);
    }

    [Fact]
    public void A_lease_of_a_deleted_subscription_says_that_it_was_deleted()
    {
        Lease<Note> lease = Receive(0, attempt: 1);
        _queue.DeleteSubscription("default");
        Assert.Contains("deleted", Assert.Throws<QueueException>(lease.Abandon).Message, StringComparison.Ordinal);
        Assert.Contains("deleted", Assert.Throws<QueueException>(lease.Commit).Message, StringComparison.Ordinal);
    }

    [Fact]
    public void The_leases_of_a_disposed_handle_go_to_another()
    {
        using MappedQueue<Note> other = Open();
        Receive(0, attempt: 1);
        Receive(1, attempt: 1).Commit();
        Receive(2, attempt: 1);
        _queue.Dispose();
        using Subscription<Note> subscription = other.Subscribe("default");
        Assert.Equal((0, 2), Take(subscription));
        Assert.Equal((2, 2), Take(subscription));
        Assert.Equal((3, 1), Take(subscription));
    }

    [Fact]
    public void A_reopened_handle_is_not_taken_for_the_one_before()
    {
        Receive(0, attempt: 1);
        _queue.Dispose();
        using MappedQueue<Note> again = Open();
        using Subscription<Note> subscription = again.Subscribe("default");
        Assert.Equal((0, 2), Take(subscription));
        Assert.Equal((1, 1), Take(subscription));
    }

    [Fact]
    public void There_is_no_subscription_of_another_name() =>
        Assert.Contains("'a/b'", Assert.Throws<ArgumentException>(() => _queue.Subscribe("a/b")).Message, StringComparison.Ordinal);

    private Lease<Note> Receive(long id, int attempt)
    {
        Assert.True(_subscription.TryReceive(out Lease<Note> lease), $"Message {id} is not there.");
        Note? note = null;
        lease.ReadInto(ref note);
        Assert.Equal((id, attempt), (note!.Id, lease.Attempt));
        return lease;
    }

    private static (long Id, int Attempt) Take(Subscription<Note> subscription)
    {
        Lease<Note> lease = subscription.Receive(new CancellationTokenSource(TimeSpan.FromSeconds(60)).Token);
        Note? note = null;
        lease.ReadInto(ref note);
        lease.Commit();
        return (note!.Id, lease.Attempt);
    }
}
