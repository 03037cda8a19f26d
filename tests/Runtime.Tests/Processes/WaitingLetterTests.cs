using BlitQueue.Log;
using Xunit;

namespace BlitQueue.Tests.Processes;

/// <summary>
/// Messages that wait for room for their dead letters, on a file system of 32 MiB that is full: lanes, transactions and handles with a
/// clock of their own go on.
/// </summary>
[Collection(ProcessCollection.Name)]
public sealed class WaitingLetterTests : IDisposable
{
    private static readonly TimeSpan Patience = TimeSpan.FromSeconds(20);
    private static readonly QueueOptions Small = new() { SegmentSize = 1 << 20 };
    private static readonly SubscriptionOptions LettersOfExpired = new() { OnExpired = ExpiredMode.DeadLetter, MaxAttempts = 1 };
    private static readonly MessageProperties Expired = new() { ExpiresAt = new DateTime(2020, 1, 1, 0, 0, 0, DateTimeKind.Utc) };

    private readonly Site _site = new();
    private readonly string _disk;
    private string? _mounted;
    private Parcel? _parcel;

    public WaitingLetterTests() => _disk = Directory.CreateDirectory(Path.Combine(_site.Root, "disk")).FullName;

    private string Queue => Path.Combine(_disk, "queue");

    [TmpfsFact]
    public async Task A_lane_whose_messages_wait_for_letters_stops_no_less_urgent_lane()
    {
        Mount();
        using var lanes = MappedLanes<Parcel>.Open(Queue, 2, Small);
        using LaneSubscription<Parcel> desk = lanes.Subscribe("default", LettersOfExpired);
        lanes.Enqueue(new Parcel().Fill(1, 0, 100), lane: 0, Expired);
        for (int number = 1; number <= 6; number++)
        {
            lanes.Enqueue(new Parcel().Fill(1, number, 100), lane: 1);
        }
        string filler = Site.FillDisk(_disk, leave: 0);
        Parcel? parcel = null;
        Assert.True(desk.TryDequeue(ref parcel));
        Assert.Equal(1, parcel.Number);
        Assert.True(desk.TryDequeue(ref parcel, new MessageProperties()));
        Assert.Equal(2, parcel.Number);
        using (Lease<Parcel> lease = desk.Receive(Patience)!.Value)
        {
            Assert.Equal(3, lease.Read().Number);
            lease.Commit();
        }
        Assert.Equal(4, (await desk.DequeueAsync()).Number);
        using var end = new CancellationTokenSource();
        List<long> handled = [];
        Task processing = desk.ProcessAsync(
            (one, _) =>
            {
                handled.Add(one.Number);
                if (handled.Count == 2)
                {
                    end.Cancel();
                }
                return ValueTask.CompletedTask;
            },
            cancellationToken: end.Token);
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => processing.WaitAsync(Patience));
        Assert.Equal([5, 6], handled);
        Assert.Throws<QueueFullException>(() => desk.TryDequeue(ref parcel));
        File.Delete(filler);
        AwaitLetters(desk[0], 1);
    }

    // Otherwise the exception would have it rolled back, and its messages would become letters, too, after some attempts.
    [TmpfsFact]
    public void A_transaction_commits_what_it_has_received_beside_messages_that_wait_for_letters()
    {
        Mount();
        using var store = MappedStore.Open(Path.Combine(_disk, "store"), Small);
        using MappedQueue<Parcel> from = store.OpenQueue<Parcel>("from");
        using Subscription<Parcel> subscription = from.Subscribe("default", LettersOfExpired);
        from.Enqueue(new Parcel().Fill(1, 1, 100));
        from.Enqueue(new Parcel().Fill(1, 2, 100), Expired);
        from.Enqueue(new Parcel().Fill(1, 3, 100));
        string filler = Site.FillDisk(_disk, leave: 0);
        Parcel? parcel = null;
        using (QueueTransaction transaction = store.Begin())
        {
            List<long> received = [];
            while (transaction.TryReceive(subscription, ref parcel))
            {
                received.Add(parcel.Number);
            }
            Assert.Equal([1, 3], received);
            Assert.Throws<QueueFullException>(() => transaction.Receive(subscription, ref parcel));
            transaction.Commit();
        }
        using (QueueTransaction transaction = store.Begin())
        {
            Assert.Throws<QueueFullException>(() => transaction.TryReceive(subscription, ref parcel));
        }
        File.Delete(filler);
        AwaitLetters(subscription, 1);
    }

    // What a transaction gives back may have had its last attempt: then it waits for its letter, and those behind it are received.
    [TmpfsTheory]
    [InlineData(false)]
    [InlineData(true)]
    public void A_transaction_is_rolled_back_on_a_full_disk_and_the_next_one_goes_on(bool disposes)
    {
        Mount();
        using var store = MappedStore.Open(Path.Combine(_disk, "store"), Small);
        using MappedQueue<Parcel> from = store.OpenQueue<Parcel>("from");
        using Subscription<Parcel> subscription = from.Subscribe("default", LettersOfExpired);
        for (int number = 1; number <= 3; number++)
        {
            from.Enqueue(new Parcel().Fill(1, number, 100));
        }
        string filler = Site.FillDisk(_disk, leave: 0);
        Parcel? parcel = null;
        QueueTransaction first = store.Begin();
        Assert.True(first.TryReceive(subscription, ref parcel) && first.TryReceive(subscription, ref parcel));
        if (disposes)
        {
            first.Dispose();
        }
        else
        {
            first.Rollback();
        }
        using (QueueTransaction second = store.Begin())
        {
            Assert.True(second.TryReceive(subscription, ref parcel));
            Assert.Equal(3, parcel.Number);
            Assert.False(second.TryReceive(subscription, ref parcel));
            second.Commit();
        }
        Assert.Throws<QueueFullException>(() => subscription.TryReceive(out _));
        File.Delete(filler);
        AwaitLetters(subscription, 2);
        Assert.Equal([1, 2], subscription.DeadLetters.Select(static letter => letter.Message.Number).Order());
        Assert.All(subscription.DeadLetters, static letter => Assert.Equal(1, letter.Attempts));
    }

    // Room comes by no clock.
    [TmpfsTheory]
    [InlineData(false)]
    [InlineData(true)]
    public void A_handle_whose_clock_stands_still_makes_the_letter_when_there_is_room(bool waits)
    {
        Mount();
        using var queue = MappedQueue<Parcel>.Open(Queue, Small with { TimeProvider = new StillClock() });
        using Subscription<Parcel> subscription = queue.Subscribe("default", LettersOfExpired);
        queue.Enqueue(new Parcel().Fill(1, 1, 100), Expired);
        string filler = Site.FillDisk(_disk, leave: 0);
        for (int look = 0; look < 3; look++)
        {
            Assert.Throws<QueueFullException>(() => subscription.TryReceive(out _));
        }
        if (waits)
        {
            Thread.Sleep(1200);
            Assert.Throws<QueueFullException>(() => subscription.TryReceive(out _));
        }
        File.Delete(filler);
        AwaitLetters(subscription, 1);
    }

    // Whether there is a letter already is not known before there is room to open the letters.
    [TmpfsTheory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task A_message_whose_letter_may_be_there_stops_none_behind_it_where_the_letters_cannot_be_opened(bool dequeues)
    {
        Mount(_site.Queue);
        using var queue = MappedQueue<Parcel>.Open(_site.Queue, Small);
        for (int number = 0; number < 4; number++)
        {
            queue.Enqueue(new Parcel().Fill(1, number, 100));
        }
        using (var dying = Peer.StartToDie(_site, ProtocolStep.LeaseDeadLettering, 2, "bury"))
        {
            dying.WaitForDeath();
        }
        string letters = _site.File(StoreFormat.DeadLettersName("default")), copy = letters + "-copy";
        Site.Copy(letters, copy, "--sparse=always");
        Directory.Delete(letters, recursive: true);
        Directory.Move(copy, letters);
        string filler = Site.FillDisk(_site.Queue, leave: 0);
        using Subscription<Parcel> subscription = queue.Subscribe("default");
        long[] taken = await Task.Run(() => new[] { Take(), Take() }).WaitAsync(Patience);
        Assert.Equal([2, 3], taken);
        await Assert.ThrowsAsync<QueueFullException>(() => Task.Run(() => Take()).WaitAsync(Patience));
        File.Delete(filler);
        Assert.True(SpinWait.SpinUntil(() => TryDequeue(subscription, ref _parcel), Patience));
        Assert.Equal(1, _parcel!.Number);
        Assert.Equal([0L], subscription.DeadLetters.Select(static letter => letter.Message.Number));

        long Take()
        {
            if (dequeues)
            {
                subscription.Dequeue(ref _parcel);
                return _parcel!.Number;
            }
            using Lease<Parcel> lease = subscription.Receive();
            long number = lease.Read().Number;
            lease.Commit();
            return number;
        }
    }

    // The large one is older, and tried first.
    [TmpfsFact]
    public void A_letter_that_is_larger_than_the_free_room_stops_no_smaller_one()
    {
        Mount();
        using var queue = MappedQueue<Parcel>.Open(Queue, Small);
        using Subscription<Parcel> subscription = queue.Subscribe("default", LettersOfExpired);
        queue.Enqueue(new Parcel().Fill(1, 1, 8 << 20), Expired);
        for (int number = 2; number <= 6; number++)
        {
            queue.Enqueue(new Parcel().Fill(1, number, number % 2 == 0 ? 1000 : 100), Expired);
        }
        queue.Enqueue(new Parcel().Fill(2, 1, 100));
        string filler = Site.FillDisk(_disk, leave: 3 << 20);
        Parcel? parcel = null;
        Assert.True(subscription.TryDequeue(ref parcel));
        Assert.Equal((2, 1), (parcel.Producer, parcel.Number));
        Assert.True(SpinWait.SpinUntil(() => !IsDrained(subscription) && subscription.DeadLetters.Count == 5, Patience));
        Assert.Equal([2, 3, 4, 5, 6], subscription.DeadLetters.Select(static letter => letter.Message.Number).Order());
        // The others are delivered beside it again and again.
        for (int look = 0; look < 3; look++)
        {
            queue.Enqueue(new Parcel().Fill(2, look, 100));
            Assert.True(subscription.TryDequeue(ref parcel));
            Assert.Equal((2, look), (parcel.Producer, parcel.Number));
            Assert.Throws<QueueFullException>(() => subscription.TryReceive(out _));
            Thread.Sleep(400);
        }
        File.Delete(filler);
        AwaitLetters(subscription, 6);
        Assert.All(subscription.DeadLetters, static letter => Assert.True(letter.Message.IsIntact()));
    }

    // What docs/subscriptions.md says of the most that can wait.
    [TmpfsFact]
    public void While_all_leases_are_of_waiting_messages_those_that_need_none_are_delivered()
    {
        Mount();
        using var queue = MappedQueue<Parcel>.Open(Queue, Small);
        using Subscription<Parcel> subscription = queue.Subscribe("default", LettersOfExpired);
        for (int number = 0; number < SubscriptionFormat.Cells; number++)
        {
            queue.Enqueue(new Parcel().Fill(1, number, 100), Expired);
        }
        queue.Enqueue(new Parcel().Fill(2, 1, 100));
        queue.Enqueue(new Parcel().Fill(2, 2, 100));
        queue.Enqueue(new Parcel().Fill(1, SubscriptionFormat.Cells, 100), Expired);
        queue.Enqueue(new Parcel().Fill(2, 3, 100));
        string filler = Site.FillDisk(_disk, leave: 0);
        Assert.Equal(QueueError.TooManyLeases, Assert.Throws<QueueException>(() => subscription.TryReceive(out _)).Reason);
        Parcel? parcel = null;
        for (int number = 1; number <= 2; number++)
        {
            Assert.True(subscription.TryDequeue(ref parcel));
            Assert.Equal((2, number), (parcel.Producer, parcel.Number));
        }
        Assert.Equal(QueueError.TooManyLeases, Assert.Throws<QueueException>(() => subscription.TryDequeue(ref parcel)).Reason);
        File.Delete(filler);
        Assert.True(SpinWait.SpinUntil(() => TryDequeue(subscription, ref parcel), Patience));
        Assert.Equal((2, 3), (parcel!.Producer, parcel.Number));
        AwaitLetters(subscription, SubscriptionFormat.Cells + 1);
    }

    // One message in each segment is to become a letter: so no segment is passed before there is a letter. Nobody makes room from outside.
    [TmpfsFact]
    public void A_queue_that_has_filled_the_disk_itself_is_drained_and_enqueued_into_again()
    {
        Mount();
        using var queue = MappedQueue<Parcel>.Open(Queue, Small);
        using Subscription<Parcel> subscription = queue.Subscribe("default", LettersOfExpired);
        (int sent, string refusal) = EnqueueUntilFull(queue);
        Assert.Contains("are left for dead letters", refusal, StringComparison.Ordinal);
        int expired = (sent + 19) / 20;
        Parcel? parcel = null;
        List<long> taken = [];
        Assert.True(SpinWait.SpinUntil(
            () =>
            {
                while (TryDequeue(subscription, ref parcel))
                {
                    taken.Add(parcel!.Number);
                }
                return subscription.DeadLetters.Count == expired;
            },
            Patience));
        Assert.Equal(Enumerable.Range(0, sent).Where(static number => number % 20 != 0).Select(static number => (long)number), taken);
        for (int number = 0; number < sent / 2; number++)
        {
            queue.Enqueue(new Parcel().Fill(2, number, 1000));
            Assert.True(subscription.TryDequeue(ref parcel));
        }
    }

    // The producer goes on, in segments that are used again, until the letters have taken the last space. Nobody takes letters.
    [TmpfsFact]
    public void Letters_get_the_room_of_segments_that_would_be_used_again()
    {
        Mount();
        using var queue = MappedQueue<Parcel>.Open(Queue, Small with { Capacity = 64 << 20 });
        using Subscription<Parcel> subscription = queue.Subscribe("default", LettersOfExpired);
        Parcel? parcel = null;
        int sent = 0, delivered = 0;
        bool areLettersRefused = false;
        for (int round = 0; round < 40 && !areLettersRefused; round++)
        {
            sent += EnqueueUntilFull(queue).Sent;
            while (TryDequeue(subscription, ref parcel))
            {
                delivered++;
            }
            areLettersRefused = !IsDrained(subscription);
        }
        Assert.True(areLettersRefused);
        Assert.True(SpinWait.SpinUntil(
            () =>
            {
                while (TryDequeue(subscription, ref parcel))
                {
                    delivered++;
                }
                return subscription.DeadLetters.Count + delivered == sent;
            },
            Patience));
    }

    [TmpfsFact]
    public void New_queues_leave_the_last_space_to_the_letters_of_those_that_are_there()
    {
        Mount();
        using var queue = MappedQueue<Parcel>.Open(Queue, Small);
        using Subscription<Parcel> subscription = queue.Subscribe("default", LettersOfExpired);
        (int sent, _) = EnqueueUntilFull(queue);
        QueueFullException refusal = Assert.Throws<QueueFullException>(() =>
        {
            for (int number = 0; number < 10; number++)
            {
                MappedQueue<Parcel>.Open(Path.Combine(_disk, $"new-{number}"), Small).Dispose();
            }
        });
        Assert.Contains("are left for dead letters", refusal.Message, StringComparison.Ordinal);
        Parcel? parcel = null;
        Assert.True(SpinWait.SpinUntil(
            () =>
            {
                while (TryDequeue(subscription, ref parcel))
                {
                }
                return IsDrained(subscription);
            },
            Patience));
        AwaitLetters(subscription, (sent + 19) / 20);
    }

    // A tmpfs without a bound tells of 0 bytes, and one of 2^63 bytes of a number that does not fit, like a full XFS.
    [TmpfsTheory]
    [InlineData("size=0")]
    [InlineData("size=8E")]
    public void A_queue_grows_where_the_system_does_not_tell_how_much_is_free(string options)
    {
        Mount(options: options);
        using var queue = MappedQueue<Parcel>.Open(Queue, Small);
        using Subscription<Parcel> subscription = queue.Subscribe("default", LettersOfExpired);
        const int messages = 4000;
        for (int number = 0; number < messages; number++)
        {
            queue.Enqueue(new Parcel().Fill(1, number, 1000));
        }
        Parcel? parcel = null;
        for (int number = 0; number < messages; number++)
        {
            Assert.True(subscription.TryDequeue(ref parcel));
            Assert.Equal(number, parcel.Number);
        }
    }

    private static (int Sent, string Refusal) EnqueueUntilFull(MappedQueue<Parcel> queue)
    {
        for (int sent = 0; ; sent++)
        {
            try
            {
                queue.Enqueue(new Parcel().Fill(1, sent, 1000), sent % 20 == 0 ? Expired : new MessageProperties());
            }
            catch (QueueFullException full)
            {
                return (sent, full.Message);
            }
        }
    }

    private static bool TryDequeue(Subscription<Parcel> subscription, ref Parcel? parcel)
    {
        try
        {
            return subscription.TryDequeue(ref parcel);
        }
        catch (QueueException waiting) when (waiting.Reason is QueueError.TooManyLeases or QueueError.DiskFull)
        {
            return false;
        }
    }

    private static void AwaitLetters(Subscription<Parcel> subscription, int letters)
    {
        Assert.True(SpinWait.SpinUntil(() => IsDrained(subscription) && subscription.DeadLetters.Count == letters, Patience));
    }

    private static bool IsDrained(Subscription<Parcel> subscription)
    {
        try
        {
            return !subscription.TryReceive(out _);
        }
        catch (QueueFullException)
        {
            return false;
        }
    }

    private void Mount(string? directory = null, string options = "size=32m")
    {
        string at = Directory.CreateDirectory(directory ?? _disk).FullName;
        TmpfsFactAttribute.Mount(at, options);
        _mounted = at;
    }

    public void Dispose()
    {
        if (_mounted is not null)
        {
            TmpfsFactAttribute.Unmount(_mounted);
        }
        _site.Dispose();
    }

    private sealed class StillClock : TimeProvider
    {
        private static readonly DateTimeOffset Now = DateTimeOffset.UtcNow;

        public override DateTimeOffset GetUtcNow() => Now;

        public override long GetTimestamp() => 1;
    }
}
