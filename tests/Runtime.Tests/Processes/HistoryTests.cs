using BlitQueue.Checker;
using Xunit;

namespace BlitQueue.Tests.Processes;

/// <summary>The checker itself: it must see what it is there to see, or every green kill test means nothing.</summary>
public sealed class HistoryTests
{
    private readonly History _history = new();

    public HistoryTests()
    {
        for (long number = 0; number < 4; number++)
        {
            _history.Enqueued(1, number);
        }
    }

    [Fact]
    public void A_history_without_faults_has_none()
    {
        Dequeue(0, 1, 2, 3);
        Assert.Empty(_history.Faults());
    }

    [Fact]
    public void A_loss_is_seen()
    {
        Dequeue(0, 1, 3);
        Fault("1/2 was acknowledged and never delivered");
    }

    [Fact]
    public void Only_as_many_losses_as_consumers_were_killed_are_tolerated()
    {
        Dequeue(0, 3);
        _history.MayLack = 2;
        Assert.Empty(_history.Faults());
        _history.MayLack = 1;
        Assert.NotEmpty(_history.Faults());
    }

    [Fact]
    public void A_message_that_is_consumed_twice_is_seen()
    {
        Dequeue(0, 1, 2, 3);
        _history.Dequeued("another", 1, 3);
        Fault("1/3 was consumed more than once");
    }

    [Fact]
    public void A_message_out_of_order_is_seen()
    {
        Dequeue(0, 2, 1, 3);
        Fault("given message 1/1 after 1/2");
    }

    // The logs are read one after the other: whether the lease's is read first must not matter.
    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public void A_message_that_another_had_leased_and_gave_back_may_come_late(bool isLeaseReadFirst)
    {
        if (isLeaseReadFirst)
        {
            GiveBack();
        }
        Dequeue(0, 2, 1, 3);
        if (!isLeaseReadFirst)
        {
            GiveBack();
        }
        Assert.Empty(_history.Faults());

        void GiveBack()
        {
            _history.Leased("another", 1, 1, attempt: 1);
            _history.Abandoned(1, 1, attempt: 1);
        }
    }

    [Fact]
    public void Behind_a_message_that_came_late_the_order_counts_all_the_same()
    {
        Dequeue(0, 3, 1, 2);
        Assert.Equal(2, _history.Faults().Count(static fault => fault.Contains("after 1/3", StringComparison.Ordinal)));
    }

    [Fact]
    public void A_torn_message_is_seen()
    {
        Dequeue(0, 1, 2, 3);
        _history.Torn("consumer", 1, 3);
        Fault("torn message 1/3");
    }

    [Fact]
    public void A_message_that_nobody_enqueued_is_seen()
    {
        Dequeue(0, 1, 2, 3, 4);
        Fault("cannot be the one operation");
    }

    [Fact]
    public void The_operation_that_a_kill_interrupted_may_have_happened()
    {
        Dequeue(0, 1, 2, 3, 4, 5, 6);
        _history.KilledProducer(1, 1, 3);
        Assert.Empty(_history.Faults());
    }

    [Fact]
    public void Part_of_the_operation_that_a_kill_interrupted_is_seen()
    {
        Dequeue(0, 1, 2, 3, 4, 5);
        _history.KilledProducer(1, 1, 3);
        Fault("1/4,5 arrived");
    }

    [Fact]
    public void Part_of_a_batch_is_seen()
    {
        _history.Batches(1, 3);
        _history.KilledProducer(1, 3);
        Dequeue(0, 1, 2, 3);
        Fault("batch 1 of producer 1 arrived in part");
    }

    [Fact]
    public void A_lease_that_goes_on_after_its_holder_died_is_no_fault()
    {
        Dequeue(0, 1, 2);
        _history.Leased("dead", 1, 3, 1);
        _history.KilledConsumer("dead");
        _history.Leased("heir", 1, 3, 2);
        _history.Committed(1, 3, 2);
        Assert.Empty(_history.Faults());
    }

    [Fact]
    public void A_lease_taken_from_the_living_is_seen()
    {
        Dequeue(0, 1, 2);
        _history.Leased("living", 1, 3, 1);
        _history.Leased("robber", 1, 3, 2);
        Fault("taken from living");
    }

    [Fact]
    public void A_redelivery_that_calls_itself_the_first_is_seen()
    {
        Dequeue(0, 1, 2);
        _history.Leased("dead", 1, 3, 1);
        _history.KilledConsumer("dead");
        _history.Leased("heir", 1, 3, 1);
        Fault("leased twice with the same attempt");
    }

    [Fact]
    public void A_delivery_after_a_commit_is_seen()
    {
        Dequeue(0, 1, 2);
        _history.Leased("dead", 1, 3, 1);
        _history.Committed(1, 3, 1);
        _history.KilledConsumer("dead");
        _history.Leased("heir", 1, 3, 2);
        Fault("delivered again after its lease was committed");
    }

    [Theory]
    [InlineData(100, false)]
    [InlineData(40, true)]
    public void A_lease_may_be_taken_from_the_living_when_its_time_is_over_and_not_before(int milliseconds, bool isFault)
    {
        _history.TimeOut = Times.OfMilliseconds(100);
        Dequeue(0, 1, 2);
        _history.Leased("slow", 1, 3, 1, new Times(1, 2));
        _history.Leased("heir", 1, 3, 2, new Times(2, 1 + Times.OfMilliseconds(milliseconds)));
        _history.Committed(1, 3, 2);
        Assert.Equal(
            isFault ? ["message 1/3 was taken from slow 40.0 ms after it was leased, and the time-out is 100 ms"] : [], _history.Faults());
    }

    [Fact]
    public void Where_every_message_must_have_an_end_one_that_was_only_leased_is_missing()
    {
        _history.IsExact = true;
        Dequeue(0, 1, 2);
        _history.Leased("consumer", 1, 3, 1);
        Fault("1/3 was acknowledged and never consumed");
    }

    [Fact]
    public void What_was_enqueued_after_a_purge_must_come()
    {
        _history.Enqueued(2, 0, new Times(10, 11));
        _history.Enqueued(2, 1, new Times(20, 21));
        _history.MayBeGoneBefore = 15;
        Dequeue(0, 1, 2, 3);
        Assert.Equal("message 2/1 was acknowledged and never delivered", Assert.Single(_history.Faults()));
    }

    private void Dequeue(params long[] numbers)
    {
        foreach (long number in numbers)
        {
            _history.Dequeued("consumer", 1, number);
        }
    }

    private void Fault(string part) => Assert.Contains(_history.Faults(), fault => fault.Contains(part, StringComparison.Ordinal));
}
