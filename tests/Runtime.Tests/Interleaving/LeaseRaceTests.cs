using BlitQueue.Log;
using BlitQueue.Memory;
using BlitQueue.Tests.Processes;
using BlitQueue.Tests.Queue;

namespace BlitQueue.Tests.Interleaving;

/// <summary>
/// Leases that are overdue, taken over by others while their holder ends them: one is stopped in front of each of its writes, the other in
/// front of each of its own, and both go on.
/// </summary>
public sealed partial class LeaseRaceTests : IDisposable
{
    private const int MostWrites = 40;

    private static readonly TimeSpan Limit = TimeSpan.FromMilliseconds(20);

    private readonly List<IDisposable> _open = [];

    public void Dispose()
    {
        for (int i = _open.Count - 1; i >= 0; i--)
        {
            _open[i].Dispose();
        }
        _open.Clear();
    }

    [Fact]
    public void A_commit_and_a_take_over_do_not_both_succeed() => Each((first, second) =>
    {
        (Handle x, Handle a) = Two(messages: 1);
        LeaseToken held = x.TakeOverdue();
        bool committed = false, taken = false;
        LeaseToken other = default;
        var holder = HaltedThread.Begin(first, x.Work(() => committed = x.Leases.TryCommit(held)));
        var taker = HaltedThread.Begin(second, a.Work(() => taken = a.Leases.TryTake(out other)));
        holder.Finish();
        taker.Finish();

        Assert.True(committed != taken, $"committed {committed}, handed to another {taken}");
        if (taken)
        {
            Assert.True(a.Call(() => a.Leases.IsHeld(other)));
            Assert.True(a.Call(() => a.Leases.TryCommit(other)));
        }
        Assert.False(x.Call(() => x.Leases.TryCommit(held)));
        AssertEmpty(a);
        return (holder.WasHalted, taker.WasHalted);
    });

    [Fact]
    public void Two_threads_of_one_handle_never_hold_the_same_lease() => Each((first, second) =>
    {
        (Handle x, Handle a) = Two(messages: 1);
        x.TakeOverdue();
        bool got1 = false, got2 = false;
        LeaseToken lease1 = default, lease2 = default;
        var one = HaltedThread.Begin(first, a.Work(() => got1 = a.Leases.TryTake(out lease1)));
        var two = HaltedThread.Begin(second, a.Work(() => got2 = a.Leases.TryTake(out lease2)));
        one.Finish();
        two.Finish();

        Assert.True(got1 || got2);
        Assert.False(got1 && got2 && a.Call(() => a.Leases.IsHeld(lease1) && a.Leases.IsHeld(lease2)), $"two threads hold {lease1}");
        bool commit1 = got1 && a.Call(() => a.Leases.TryCommit(lease1)), commit2 = got2 && a.Call(() => a.Leases.TryCommit(lease2));
        Assert.True(commit1 != commit2);
        AssertEmpty(a);
        return (one.WasHalted, two.WasHalted);
    });

    [Fact]
    public void What_a_transaction_consumes_is_not_taken_over() => Each((first, second) =>
    {
        (Handle x, Handle a) = Two(messages: 1);
        LeaseToken held = x.TakeOverdue();
        bool marked = false, taken = false;
        LeaseToken other = default;
        var holder = HaltedThread.Begin(first, x.Work(() => marked = x.Leases.TryMarkCommitting(held)));
        var taker = HaltedThread.Begin(second, a.Work(() => taken = a.Leases.TryTake(out other)));
        holder.Finish();
        taker.Finish();

        Assert.True(marked != taken, $"marked {marked}, handed to another {taken}");
        if (marked)
        {
            x.Call(() => x.File.End<HaltingMemory>(x.Leases.EntryOf("q", x.Store.Meta.Id, held)));
            AssertEmpty(a);
        }
        else
        {
            Assert.True(a.Call(() => a.Leases.TryCommit(other)));
        }
        return (holder.WasHalted, taker.WasHalted);
    });

    [Fact]
    public void Who_lost_a_lease_does_not_free_the_cell_of_the_next_message() => Each((first, second) =>
    {
        for (int third = 1; third < MostWrites; third++)
        {
            (Handle x, Handle a) = Two(messages: 2);
            LeaseToken held = x.TakeOverdue();
            bool committed = false, taken = false, got = false;
            LeaseToken other = default, next = default;
            var taker = HaltedThread.Begin(second, a.Work(() => taken = a.Leases.TryTakeEarlier(out other)));
            var holder = HaltedThread.Begin(first, x.Work(() => committed = x.Leases.TryCommit(held)));
            taker.Finish();
            var again = HaltedThread.Begin(third, x.Work(() => got = x.Leases.TryTake(out next)));
            holder.Finish();
            again.Finish();

            Assert.True(committed != taken);
            Assert.True(got);
            Assert.True(x.Call(() => x.Leases.IsHeld(next)), $"{next} was handed out, and is nobody's");
            Assert.True(x.Call(() => x.Leases.TryCommit(next)));
            if (taken)
            {
                Assert.True(a.Call(() => a.Leases.TryCommit(other)));
            }
            AssertEmpty(a);
            if (!again.WasHalted)
            {
                return (holder.WasHalted, taker.WasHalted);
            }
        }
        return default;
    });

    [Fact]
    public void A_delay_of_who_lost_the_lease_does_not_count() => Each((first, second) =>
    {
        (Handle x, Handle a) = Two(messages: 1);
        LeaseToken held = x.TakeOverdue();
        bool returned = false, taken = false;
        LeaseToken other = default;
        var holder = HaltedThread.Begin(first, x.Work(() => returned = x.Leases.TryAbandon(held, due: HaltingMemory.Clock + 100_000)));
        var taker = HaltedThread.Begin(second, a.Work(() => taken = a.Leases.TryTake(out other)));
        taker.Finish();
        holder.Finish();

        Assert.True(returned != taken, $"given back {returned}, handed to another {taken}");
        HaltingMemory.Clock += returned ? 100_001 : 1000;
        Assert.True(x.Call(() => x.Leases.TryTake(out other)), "a lease that was taken over is never overdue");
        Assert.Equal(taken ? 3 : 2, other.Attempt);
        return (holder.WasHalted, taker.WasHalted);
    });

    [Fact]
    public void What_was_given_back_is_seen_by_who_sleeps_whenever_its_holder_dies()
    {
        for (int before = 1; before < 40; before++)
        {
            (Handle x, Handle a) = Two(messages: 1);
            Assert.False(a.Call(a.Leases.HasOrphan));
            bool died = HaltedThread.Kill(before, x.Work(() =>
            {
                x.Leases.TryTake(out LeaseToken held);
                x.Leases.TryAbandon(held);
                // Another look, which finds it and gives it back once more.
                x.Leases.TryTake(out held);
                x.Leases.TryAbandon(held);
            }));
            x.Close();
            HaltingMemory.Clock += 2000;
            bool seen = a.Call(() => a.Leases.HasReturned || a.Cursor.TryFind(out _) || a.Leases.HasOrphan());
            Assert.True(seen, $"killed before write {before}: who sleeps does not see the message");
            Assert.True(a.Call(() => a.Leases.TryTake(out LeaseToken lease) && a.Leases.TryCommit(lease)));
            AssertEmpty(a);
            if (!died)
            {
                return;
            }
        }
        Assert.Fail("there is no end to the writes");
    }

    [Fact]
    public void Who_dies_while_it_drops_a_message_leaves_it_to_the_only_consumer()
    {
        for (int before = 1; before < MostWrites; before++)
        {
            (Handle x, Handle a) = Two(messages: 2);
            LeaseToken held = default;
            for (int i = 0; i < 2; i++)
            {
                Assert.True(x.Call(() => x.Leases.TryTakeInOrder(out held) && x.Leases.TryAbandon(held)));
            }
            bool died = HaltedThread.Kill(before, a.Work(() =>
            {
                using var dropper = new OldestDropper<HaltingMemory>(a.Store);
                dropper.DropBefore(held.Position + 8);
            }));
            a.Close();
            Assert.True(x.Call(() => x.Leases.TryTakeInOrder(out held)), $"killed before write {before}: the only consumer finds nothing");
            bool isDropped = held.Attempt == 1;
            Assert.True(isDropped || died);
            Assert.True(x.Call(() => x.Leases.TryCommit(held)));
            Assert.Equal(!isDropped, x.Call(() => x.Leases.TryTakeInOrder(out held) && x.Leases.TryCommit(held)));
            AssertEmpty(x);
            if (!died)
            {
                return;
            }
        }
        Assert.Fail("there is no end to the writes");
    }

    [Fact]
    public void Whose_letter_is_taken_is_not_delivered_again_by_who_takes_it_over_from_the_dead() => Each((first, second) =>
    {
        (Handle x, Handle a) = Two(messages: 1);
        LeaseToken held = default, other = default;
        Assert.True(x.Call(() => x.Leases.TryTake(out held) && x.Leases.TryBeginDeadLetter(held)));
        x.Close();
        HaltingMemory.Clock += 2000;
        bool taken = false;
        var next = HaltedThread.Begin(first, a.Work(() => taken = a.Leases.TryTake(out other)));
        var letter = HaltedThread.Begin(second, a.Work(() => a.File.EndDeadLetter<HaltingMemory>(held.Position, a.Store.Control)));
        next.Finish();
        letter.Finish();
        // Who finds no letter any more tries just that.
        bool cancelled = taken && a.Call(() => a.Leases.TryCancelDeadLetter(other));

        Assert.False(cancelled, "a message is delivered again though its letter was taken");
        AssertEmpty(a);
        return (next.WasHalted, letter.WasHalted);
    });

    // Another message was seen to be next, behind a lease that was committed then; who seeks back, and takes the
    // message before into the same cell, dies.
    [Theory]
    [InlineData("consume", false)]
    [InlineData("consume", true)]
    [InlineData("lease", false)]
    [InlineData("lease", true)]
    [InlineData("pad", false)]
    [InlineData("pad", true)]
    public void Who_saw_next_before_a_seek_back_neither_makes_a_claim_a_lease_nor_passes_it(string way, bool isClaimedBefore)
        => Each((first, second) =>
    {
        (Handle x, Handle a) = Two(messages: 2);
        LeaseToken before = default;
        RecordRef found = default;
        Assert.True(x.Call(() => x.Leases.TryTake(out before) && a.Cursor.TryFind(out found) && x.Leases.TryCommit(before)));
        bool passed = false, died = false;
        LeaseToken held = default;
        if (isClaimedBefore)
        {
            SeekAndDie();
        }
        var late = HaltedThread.Begin(first, a.Work(() =>
        {
            switch (way)
            {
                case "consume":
                    passed = a.Cursor.TryConsume(found);
                    break;
                case "lease":
                    passed = a.Leases.TryTake(found, out held);
                    break;
                default:
                    a.Cursor.StepOverPadding(found.NextWord, found.Position);
                    break;
            }
        }));
        if (!isClaimedBefore)
        {
            SeekAndDie();
        }
        // So far as it had come, it counts; then others go on.
        late.Finish();
        List<long> left = passed ? [found.Position] : [];
        while (a.Call(() => a.Cursor.TryFind(out found) && a.Cursor.TryConsume(found)))
        {
            left.Add(found.Position);
        }
        x.Close();
        HaltingMemory.Clock += 2000;
        while (a.Call(() => a.Leases.TryTakeOrphan(out held) && a.Leases.TryCommit(held)))
        {
            left.Add(held.Position);
            HaltingMemory.Clock += 2000;
        }
        Assert.Equal(1, left.Count(position => position == before.Position));
        return (late.WasHalted, died);

        void SeekAndDie()
        {
            x.Call(() => x.Cursor.MoveTo(before.Position));
            died = HaltedThread.Kill(second, x.Work(() => x.Leases.TryTake(out _)));
        }
    });

    [Fact]
    public void Who_finds_nothing_asks_once_whether_the_holder_of_all_leases_lives()
    {
        (Handle x, Handle a) = Two(messages: 0);
        x.Queue.EnqueueBatch([.. Enumerable.Range(0, 2000).Select(static _ => new Tick())]);
        for (int i = 0; i < 2000; i++)
        {
            Assert.True(x.Call(() => x.Leases.TryTake(out _)));
        }
        HaltingMemory.Questions = 0;
        // Of all looks of one moment only the first asks.
        for (int look = 0; look < 100; look++)
        {
            Assert.False(a.Call(() => a.Leases.TryTake(out _)));
            Assert.InRange(HaltingMemory.Questions, 1, 2);
        }
        HaltingMemory.Clock++;
        Assert.False(a.Call(() => a.Leases.TryTake(out _)));
        Assert.InRange(HaltingMemory.Questions, 2, 4);
    }

    // Two messages wait, one thread looks for them or takes one: whenever the other thread of the handle
    // looks, in the same moment, it finds one.
    [Theory]
    [InlineData("dead")]
    [InlineData("overdue")]
    [InlineData("given back")]
    public void While_one_thread_takes_a_message_another_of_the_handle_finds_the_next(string left)
    {
        bool isHalted = true;
        for (int write = 1; isHalted; write++)
        {
            (Handle x, Handle a) = Two(messages: 2);
            LeaseToken first = default, second = default;
            Assert.True(x.Call(() => x.Leases.TryTake(out first) && x.Leases.TryTake(out second)));
            HaltingMemory.Clock += left == "overdue" ? 60 : 5;
            Assert.True(left == "overdue" || !a.Call(() => a.Leases.TryTake(out _)));
            if (left == "dead")
            {
                x.Close();
                HaltingMemory.Clock++;
            }
            else if (left == "given back")
            {
                Assert.True(x.Call(() => x.Leases.TryAbandon(first) && x.Leases.TryAbandon(second)));
            }
            bool isTaken = false;
            var one = HaltedThread.Begin(
                write, a.Work(() => isTaken = a.Leases.TryTake(out LeaseToken lease) && a.Leases.TryCommit(lease)));
            Assert.True(
                a.Call(() => a.Leases.TryTake(out LeaseToken lease) && a.Leases.TryCommit(lease)), $"write {write}: nothing was found");
            one.Finish();
            Assert.True(isTaken, $"write {write}: the first thread found nothing");
            AssertEmpty(a);
            isHalted = one.WasHalted;
            Assert.True(write < MostWrites, "there is no end to the writes");
        }
    }

    // It is ended on two threads at once, and its message is another's before the second comes to it.
    [Fact]
    public void Who_ends_a_lease_that_another_thread_has_just_ended_is_not_told_that_it_was_lost()
    {
        bool isHalted = true;
        for (int write = 1; isHalted; write++)
        {
            (Handle x, Handle a) = Two(messages: 1);
            LeaseToken held = default;
            Assert.True(x.Call(() => x.Leases.TryTake(out held)));
            var late = HaltedThread.Begin(write, x.Work(() => x.Leases.TryCommit(held)));
            bool isEndedFirst = x.Call(() => x.Leases.TryAbandon(held));
            Assert.Equal(isEndedFirst, a.Call(() => a.Leases.TryTake(out _)));
            late.Finish();
            AssertEnded<InvalidOperationException>(x, held);
            isHalted = late.WasHalted;
        }
    }

    // A lease that was to be set aside, or to be consumed by a transaction, and was not.
    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void What_was_held_again_and_then_lost_was_lost(bool isMarked)
    {
        (Handle x, Handle a) = Two(messages: 2);
        LeaseToken held = default, next = default;
        Assert.True(
            x.Call(() => x.Leases.TryTake(out held) && (isMarked ? x.Leases.TryMarkCommitting(held) : x.Leases.TryBeginDeadLetter(held))));
        x.Call(() =>
        {
            if (isMarked)
            {
                x.Leases.Unmark(held);
                return;
            }
            Assert.True(x.Leases.TryCancelDeadLetter(held));
        });
        Assert.True(x.Call(() => x.Leases.IsHeld(held)));
        HaltingMemory.Clock += 60;
        Assert.True(a.Call(() => a.Leases.TryTake(out next) && a.Leases.TryCommit(next)));
        AssertEnded<LeaseLostException>(x, held);
        AssertEnded<InvalidOperationException>(a, next);
    }

    private static void AssertEnded<TException>(Handle handle, LeaseToken lease)
        where TException : Exception
    {
        Assert.False(handle.Call(() => handle.Leases.TryCommit(lease)));
        Assert.Throws<TException>(() => handle.Call(() => handle.Leases.Require(false, lease)));
    }

    // Each question may wait for the queue's append lock.
    [Fact]
    public void A_look_asks_about_one_marked_letter_if_the_queue_does_not_tell()
    {
        (Handle x, Handle a) = Two(messages: 5);
        for (int i = 0; i < 5; i++)
        {
            Assert.True(x.Call(() => x.Leases.TryTake(out LeaseToken lease) && x.Leases.TryMarkRequeueing(lease, target: 4096)));
        }
        x.Close();
        int asked = 0;
        var leases = new LeaseTable<HaltingMemory>(
            a.File, a.Cursor, a.Store.Control, a.Store.Self, a.Store.Transactions, isRequeued: (in _, _) =>
            {
                asked++;
                return null;
            });
        Assert.False(a.Call(() => leases.TryTake(out _)));
        Assert.Equal(1, asked);
        Assert.False(a.Call(() => leases.TryPeekOldest(includeDead: true, dueOnly: false, out _)));
        Assert.Equal(2, asked);
    }

    // Each stands in front of each of its writes, until one has fewer.
    private static void Each(Func<int, int, (bool First, bool Second)> race)
    {
        bool isFirstHalted = true;
        for (int first = 1; isFirstHalted; first++)
        {
            bool isSecondHalted = true;
            for (int second = 1; isSecondHalted; second++)
            {
                (isFirstHalted, isSecondHalted) = race(first, second);
                Assert.True(first < MostWrites && second < MostWrites, "there is no end to the writes");
            }
        }
    }

    // Nothing is left: neither for who looks, nor in a cell that keeps segments from being freed.
    private static void AssertEmpty(Handle handle)
    {
        HaltingMemory.Clock += 2000;
        Assert.False(
            handle.Call(() => handle.Leases.TryTake(out LeaseToken lease) || handle.Leases.TryTake(out lease)), "a message came again");
        Assert.Equal(SubscriptionFormat.Position(handle.File.Next), handle.File.OldestNeeded());
        Assert.Equal(0, handle.Queue.GetStatus().Subscriptions[0].InFlight);
    }

    private (Handle X, Handle A) Two(int messages)
    {
        Dispose();
        var site = new Site(inMemory: true);
        _open.Add(site);
        string path = site.Queue;
        var queue = MappedQueue<Tick>.Open(path, new QueueOptions { SegmentSize = 65536 });
        _open.Add(queue);
        for (int i = 0; i < messages; i++)
        {
            queue.Enqueue(new Tick { Id = i });
        }
        Handle x = new(path, queue), a = new(path, queue);
        _open.Add(x);
        _open.Add(a);
        return (x, a);
    }

    private sealed class Handle : IDisposable
    {
        private bool _closed;

        public Handle(string path, MappedQueue<Tick> queue)
        {
            Queue = queue;
            Store = QueueStore.Open(path, new StoreOptions
            {
                SegmentSize = 65536, FileMode = UnixFileMode.UserRead | UnixFileMode.UserWrite, Patience = TimeSpan.FromSeconds(2),
                Schema = null,
            });
            File = Store.Subscriptions.Find("default")!;
            Cursor = Store.CursorOf<HaltingMemory>(File);
            Leases = new LeaseTable<HaltingMemory>(File, Cursor, Store.Control, Store.Self, Store.Transactions, Limit);
        }

        public MappedQueue<Tick> Queue { get; }

        public QueueStore Store { get; }

        public SubscriptionFile File { get; }

        public Cursor<HaltingMemory> Cursor { get; }

        public LeaseTable<HaltingMemory> Leases { get; }

        public LeaseToken TakeOverdue()
        {
            LeaseToken held = default;
            Assert.True(Call(() => Leases.TryTake(out held)));
            HaltingMemory.Clock += 60;
            return held;
        }

        public Action Work(Action work) => () =>
        {
            using CallGate.Call call = Store.Gate.Enter();
            work();
        };

        public void Call(Action work) => Work(work)();

        public bool Call(Func<bool> work)
        {
            using CallGate.Call call = Store.Gate.Enter();
            return work();
        }

        public void Close()
        {
            _closed = true;
            Store.Dispose();
        }

        public void Dispose()
        {
            if (!_closed)
            {
                Close();
            }
        }
    }
}
