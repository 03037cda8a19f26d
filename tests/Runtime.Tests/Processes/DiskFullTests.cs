using BlitQueue.Log;
using Xunit;

namespace BlitQueue.Tests.Processes;

/// <summary>On a file system of 2 MiB.</summary>
[Collection(ProcessCollection.Name)]
public sealed class DiskFullTests : IDisposable
{
    private static readonly TimeSpan Patience = TimeSpan.FromSeconds(20);

    private readonly Site _site = new();
    private readonly string _disk;
    private readonly string _queue;
    private bool _mounted;

    public DiskFullTests()
    {
        _disk = Directory.CreateDirectory(Path.Combine(_site.Root, "disk")).FullName;
        _queue = Path.Combine(_disk, "queue");
    }

    [TmpfsFact]
    public void A_queue_whose_first_segment_finds_no_room_leaves_nothing_behind()
    {
        Mount("size=1m");
        QueueFullException full = Assert.Throws<QueueFullException>(() => MappedQueue<Parcel>.Open(_queue));
        Assert.Contains(_queue, full.Message, StringComparison.Ordinal);
        Assert.Contains("SegmentSize", full.Message, StringComparison.Ordinal);
        Assert.Empty(Directory.EnumerateFileSystemEntries(_disk));

        Directory.CreateDirectory(_queue);
        Assert.Throws<QueueFullException>(() => MappedQueue<Parcel>.Open(_queue));
        Assert.Empty(Directory.EnumerateFileSystemEntries(_queue));

        // The disk itself was not used up.
        using var queue = MappedQueue<Parcel>.Open(_queue, new QueueOptions { SegmentSize = 1 << 16 });
        queue.Enqueue(new Parcel().Fill(1, 0, 100));
    }

    /// <summary>Campaign disk, seed 1, memory disk 2: the number of files was used up when a queue was to be made.</summary>
    [TmpfsFact]
    public void A_queue_or_store_whose_directory_finds_no_room_says_that_the_disk_is_full()
    {
        Mount("size=2m,nr_inodes=2");
        File.WriteAllBytes(Path.Combine(_disk, "last"), []);
        QueueFullException full = Assert.Throws<QueueFullException>(() => MappedQueue<Parcel>.Open(_queue));
        Assert.Contains(_queue, full.Message, StringComparison.Ordinal);
        Assert.Throws<QueueFullException>(() => MappedStore.Open(_queue));
        Assert.False(Directory.Exists(_queue));
    }

    // What was delivered often enough, and cannot become a letter for want of room, is not left with a lease that nobody has.
    [TmpfsFact]
    public void A_message_for_which_there_is_no_letter_becomes_one_when_there_is_room()
    {
        const int count = 5;
        Mount("size=32m");
        using var queue = MappedQueue<Parcel>.Open(_queue, new QueueOptions { SegmentSize = 1 << 20 });
        using Subscription<Parcel> subscription = queue.Subscribe("default", new SubscriptionOptions { MaxAttempts = 1 });
        queue.Enqueue(new Parcel().Fill(1, 0, 100));
        subscription.Receive().DeadLetter("bad");
        for (int number = 1; number <= count; number++)
        {
            queue.Enqueue(new Parcel().Fill(1, number, 300_000));
        }
        Lease<Parcel>[] leases = [.. Enumerable.Range(0, count).Select(_ => subscription.Receive())];
        Array.ForEach(leases, static lease => lease.Abandon());
        string filler = Site.FillDisk(_disk, leave: 0);
        for (int look = 0; look < 3; look++)
        {
            Assert.Throws<QueueFullException>(() => subscription.TryReceive(out _));
        }
        Assert.InRange(subscription.DeadLetters.Count, 1, count);
        File.Delete(filler);
        Assert.True(SpinWait.SpinUntil(() => IsDrained(subscription) && subscription.DeadLetters.Count == count + 1, Patience));
        Assert.Equal(Enumerable.Range(0, count + 1), subscription.DeadLetters.Select(static letter => (int)letter.Message.Number));
        Assert.All(subscription.DeadLetters, static letter => Assert.Equal(1, letter.Attempts));
    }

    private static bool TryDeadLetter(Lease<Parcel> lease)
    {
        try
        {
            lease.DeadLetter("bad");
            return true;
        }
        catch (QueueFullException)
        {
            return false;
        }
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

    // Consumers drain also where the disk is full: it is what they consume that makes room.
    [TmpfsTheory]
    [InlineData(nameof(Subscription<>.Receive), false)]
    [InlineData(nameof(Subscription<>.Dequeue), false)]
    [InlineData(nameof(Subscription<>.TryDequeue), false)]
    [InlineData(nameof(Subscription<>.Receive), true)]
    [InlineData(nameof(Subscription<>.Dequeue), true)]
    [InlineData(nameof(Subscription<>.TryDequeue), true)]
    public void A_message_for_which_there_is_no_letter_lets_those_behind_it_be_delivered(string call, bool isExpired)
    {
        Mount("size=32m");
        using var queue = MappedQueue<Parcel>.Open(_queue, new QueueOptions { SegmentSize = 1 << 20 });
        using Subscription<Parcel> subscription = queue.Subscribe(
            "default", new SubscriptionOptions { MaxAttempts = 1, OnExpired = ExpiredMode.DeadLetter });
        // Who consumes nothing keeps the segments, so that what is consumed makes no room.
        using Subscription<Parcel> keeper = queue.Subscribe("keeper");
        Lease<Parcel>[] others = EnqueueAndReceive(queue, subscription);
        queue.Enqueue(
            new Parcel().Fill(1, 1, 900_000),
            isExpired ? new MessageProperties { ExpiresAt = DateTime.UtcNow.AddDays(-1) } : new MessageProperties());
        queue.Enqueue(new Parcel().Fill(1, 2, 100));
        queue.Enqueue(new Parcel().Fill(1, 3, 100));
        if (!isExpired)
        {
            subscription.Receive().Abandon();
        }
        string filler = Site.FillDisk(_disk, leave: 0);
        int letters = FillLetters(others);
        Assert.Equal(2, Take(subscription, call));
        // It comes first again, now that its time has come; and once more it does not stop those behind it.
        Thread.Sleep(1200);
        Assert.Equal(3, Take(subscription, call));
        Assert.Throws<QueueFullException>(() => Take(subscription, call));
        File.Delete(filler);
        Assert.True(SpinWait.SpinUntil(() => IsDrained(subscription) && subscription.DeadLetters.Count == letters + 1, Patience));
        Assert.Equal(1, subscription.DeadLetters.Last().Message.Number);
    }

    // A message that waits for its letter has a lease, and there are no more.
    [TmpfsFact]
    public void More_messages_wait_for_letters_than_there_are_leases()
    {
        const int expired = SubscriptionFormat.Cells + 50;
        using MappedQueue<Parcel> queue = OpenOnSmallDisk();
        using Subscription<Parcel> subscription = queue.Subscribe("default", LettersOfExpired);
        using Subscription<Parcel> keeper = queue.Subscribe("keeper");
        Lease<Parcel>[] others = EnqueueAndReceive(queue, subscription);
        EnqueueExpired(queue, expired);
        queue.Enqueue(new Parcel().Fill(2, 1, 100));
        string filler = Site.FillDisk(_disk, leave: 0);
        int letters = FillLetters(others);
        Parcel? parcel = null;
        QueueException full = Assert.Throws<QueueException>(() => subscription.TryDequeue(ref parcel));
        Assert.Equal(QueueError.TooManyLeases, full.Reason);
        Assert.Contains(
            $"{SubscriptionFormat.Cells} of them are of messages that wait for a retry, or for room", full.Message,
            StringComparison.Ordinal);
        File.Delete(filler);
        Assert.True(SpinWait.SpinUntil(() => TryDequeueWhereLeased(subscription, ref parcel), Patience));
        Assert.Equal(2, parcel!.Producer);
        Assert.True(SpinWait.SpinUntil(() => IsDrained(subscription) && subscription.DeadLetters.Count == letters + expired, Patience));
        Assert.Equal(
            Enumerable.Range(1, expired),
            subscription.DeadLetters.Skip(letters).Select(static letter => (int)letter.Message.Number).Order());
    }

    private static bool TryDequeueWhereLeased(Subscription<Parcel> subscription, ref Parcel? parcel)
    {
        try
        {
            return subscription.TryDequeue(ref parcel);
        }
        catch (QueueException full) when (full.Reason is QueueError.TooManyLeases or QueueError.DiskFull)
        {
            return false;
        }
    }

    private static SubscriptionOptions LettersOfExpired => new() { OnExpired = ExpiredMode.DeadLetter };

    private MappedQueue<Parcel> OpenOnSmallDisk()
    {
        Mount("size=32m");
        return MappedQueue<Parcel>.Open(_queue, new QueueOptions { SegmentSize = 1 << 20 });
    }

    private static void EnqueueExpired(MappedQueue<Parcel> queue, int count)
    {
        var past = new MessageProperties { ExpiresAt = DateTime.UtcNow.AddDays(-1) };
        for (int number = 1; number <= count; number++)
        {
            queue.Enqueue(new Parcel().Fill(1, number, 200), past);
        }
    }

    // More letters wait than leases could be tried in one moment.
    [TmpfsFact]
    public async Task A_thousand_messages_for_which_there_are_no_letters_let_those_behind_them_be_processed()
    {
        const int expired = 1000;
        using MappedQueue<Parcel> queue = OpenOnSmallDisk();
        using Subscription<Parcel> subscription = queue.Subscribe("default", LettersOfExpired);
        using Subscription<Parcel> keeper = queue.Subscribe("keeper");
        Lease<Parcel>[] others = EnqueueAndReceive(queue, subscription);
        EnqueueExpired(queue, expired);
        queue.Enqueue(new Parcel().Fill(2, 1, 100));
        string filler = Site.FillDisk(_disk, leave: 0);
        int letters = FillLetters(others);
        var handled = new SemaphoreSlim(0);
        using var end = new CancellationTokenSource();
        Task processing = subscription.ProcessAsync(
            (parcel, _) =>
            {
                Assert.Equal(2, parcel.Producer);
                handled.Release();
                return ValueTask.CompletedTask;
            },
            cancellationToken: end.Token);
        Assert.True(await handled.WaitAsync(Patience));
        // With nothing else left it goes on, too.
        await Task.Delay(300);
        queue.Enqueue(new Parcel().Fill(2, 2, 100));
        Assert.True(await handled.WaitAsync(Patience));
        File.Delete(filler);
        Assert.True(SpinWait.SpinUntil(() => subscription.DeadLetters.Count == letters + expired, Patience));
        Assert.False(processing.IsCompleted);
        await end.CancelAsync();
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => processing);
    }

    // Long ones, then shorter ones: those that still find room where a longer one does not.
    private static Lease<Parcel>[] EnqueueAndReceive(MappedQueue<Parcel> queue, Subscription<Parcel> subscription) =>
        [.. Enumerable.Repeat(300_000, 8).Concat(Enumerable.Repeat(3000, 110)).Concat(Enumerable.Repeat(100, 40)).Select(length =>
        {
            queue.Enqueue(new Parcel().Fill(1, 0, length));
            return subscription.Receive();
        })];

    // Uses up what was reserved for letters before the disk was full.
    private static int FillLetters(Lease<Parcel>[] leases)
    {
        int letters = 0;
        foreach (Lease<Parcel> lease in leases)
        {
            if (TryDeadLetter(lease))
            {
                letters++;
            }
            else
            {
                lease.Commit();
            }
        }
        return letters;
    }

    private static long Take(Subscription<Parcel> subscription, string call)
    {
        using var ended = new CancellationTokenSource(Patience);
        Parcel? parcel = null;
        if (call == nameof(Subscription<>.Receive))
        {
            using Lease<Parcel> lease = subscription.Receive(ended.Token);
            lease.ReadInto(ref parcel);
            lease.Commit();
        }
        else if (call == nameof(Subscription<>.Dequeue))
        {
            subscription.Dequeue(ref parcel, ended.Token);
        }
        else
        {
            var batch = new Parcel?[1];
            Assert.Equal(1, subscription.TryDequeue(batch));
            parcel = batch[0];
        }
        return parcel!.Number;
    }

    // A store into a hole would end the process.
    [TmpfsFact]
    public void A_copy_with_holes_is_refused_on_a_full_disk_and_opens_when_there_is_room()
    {
        Mount("size=8m");
        string original = Path.Combine(_disk, "original");
        using (var queue = MappedQueue<Parcel>.Open(original, new QueueOptions { SegmentSize = 1 << 16 }))
        {
            for (int number = 0; number < 100; number++)
            {
                queue.Enqueue(new Parcel().Fill(1, number, 1000));
            }
        }
        Site.Copy(original, _queue, "--sparse=always");
        string filler = Site.FillDisk(_disk, leave: 0);
        QueueFullException full = Assert.Throws<QueueFullException>(() => MappedQueue<Parcel>.Open(_queue));
        Assert.Contains(_queue, full.Message, StringComparison.Ordinal);
        Assert.Contains("holes", full.Message, StringComparison.Ordinal);
        File.Delete(filler);
        using var copy = MappedQueue<Parcel>.Open(_queue);
        long dequeued = 0;
        Drain(copy, ref dequeued, upTo: 100);
    }

    [TmpfsFact]
    public void A_full_disk_is_an_exception_and_what_was_consumed_makes_room()
    {
        Mount();
        using var queue = MappedQueue<Parcel>.Open(_queue, new QueueOptions { SegmentSize = 1 << 16, UseChecksums = true });
        var parcel = new Parcel();
        long enqueued = 0, dequeued = 0;
        for (int cycle = 0; cycle < 3; cycle++)
        {
            QueueFullException full = Assert.Throws<QueueFullException>(() =>
            {
                while (enqueued < long.MaxValue)
                {
                    queue.Enqueue(parcel.Fill(1, enqueued, 1000));
                    enqueued++;
                }
            });
            Assert.Contains(_queue, full.Message, StringComparison.Ordinal);
            // What is left of the last segment may still hold the shorter message; then it is full for that too.
            while (queue.TryEnqueue(parcel.Fill(1, enqueued, 1000)))
            {
                enqueued++;
            }
            Assert.Throws<QueueFullException>(() => queue.EnqueueBatch([new Parcel().Fill(2, 0, 1000), new Parcel().Fill(2, 1, 100_000)]));
            Assert.True(enqueued - dequeued > 1000, $"The disk was full after {enqueued - dequeued} messages.");
            Drain(queue, ref dequeued, upTo: enqueued);
        }
        Assert.Equal(enqueued, dequeued);
    }

    [TmpfsFact]
    public void After_a_restart_what_there_is_can_be_consumed_though_the_disk_is_full()
    {
        Mount();
        var parcel = new Parcel();
        long enqueued = 0, dequeued = 0;
        using (var queue = MappedQueue<Parcel>.Open(_queue, new QueueOptions { SegmentSize = 1 << 16, UseChecksums = true }))
        {
            while (queue.TryEnqueue(parcel.Fill(1, enqueued, 1000)))
            {
                enqueued++;
            }
        }
        using (FileStream control = File.OpenWrite(Path.Combine(_queue, StoreFormat.ControlName)))
        {
            control.Position = ControlFormat.BootOffset;
            control.Write("another boot of this machine        "u8);
        }
        using var recovered = MappedQueue<Parcel>.Open(_queue);
        Assert.False(recovered.TryEnqueue(parcel));
        Drain(recovered, ref dequeued, upTo: enqueued);
        Assert.True(recovered.TryEnqueue(parcel.Fill(1, enqueued, 1000)));
        Drain(recovered, ref dequeued, upTo: enqueued + 1);
    }

    [TmpfsFact]
    public void Consuming_a_part_makes_room_for_as_much()
    {
        Mount();
        using var queue = MappedQueue<Parcel>.Open(_queue, new QueueOptions { SegmentSize = 1 << 16 });
        var parcel = new Parcel();
        long enqueued = 0, dequeued = 0;
        while (queue.TryEnqueue(parcel.Fill(1, enqueued, 1000)))
        {
            enqueued++;
        }
        Drain(queue, ref dequeued, upTo: enqueued / 2);
        long before = enqueued;
        while (queue.TryEnqueue(parcel.Fill(1, enqueued, 1000)))
        {
            enqueued++;
        }
        Assert.True(enqueued - before > before / 3, $"Only {enqueued - before} fitted after {before / 2} were consumed.");
        Drain(queue, ref dequeued, upTo: enqueued);
    }

    /// <summary>What large pages take is reserved before it is touched: touching what there is no room for would end the process.</summary>
    [TmpfsFact]
    public void A_full_disk_is_an_exception_where_segments_are_of_large_pages_too()
    {
        Mount("size=11m");
        using var queue = MappedQueue<Parcel>.Open(_queue, new QueueOptions { SegmentSize = 4 << 20 });
        var parcel = new Parcel();
        long enqueued = 0, dequeued = 0;
        for (int cycle = 0; cycle < 2; cycle++)
        {
            Assert.Throws<QueueFullException>(() =>
            {
                while (enqueued < long.MaxValue)
                {
                    queue.Enqueue(parcel.Fill(1, enqueued, 10_000));
                    enqueued++;
                }
            });
            Assert.True(enqueued - dequeued > 400, $"The disk was full after {enqueued - dequeued} messages.");
            // Not while a pool thread makes the same attempt.
            Assert.True(SpinWait.SpinUntil(() => Directory.GetFiles(_queue, "*.new") is [], TimeSpan.FromSeconds(30)));
            Drain(queue, ref dequeued, upTo: enqueued);
        }
    }

    [TmpfsFact]
    public void A_transaction_that_finds_no_room_on_the_disk_has_done_nothing_in_any_queue()
    {
        Mount();
        using var store = MappedStore.Open(Path.Combine(_disk, "store"), new QueueOptions { SegmentSize = 1 << 16 });
        MappedQueue<Parcel> left = store.OpenQueue<Parcel>("left"), right = store.OpenQueue<Parcel>("right"),
            from = store.OpenQueue<Parcel>("from");
        from.Enqueue(new Parcel().Fill(2, 0, 1000));
        long enqueued = 0, dequeued = 0;
        while (left.TryEnqueue(new Parcel().Fill(1, enqueued, 1000)))
        {
            enqueued++;
        }
        Parcel? parcel = null;
        using QueueTransaction transaction = store.Begin();
        Assert.True(transaction.TryReceive(from, ref parcel));
        for (int number = 0; number < 50; number++)
        {
            transaction.EnqueueToAll(new Parcel().Fill(3, number, 2000), right, left);
        }
        Assert.Throws<QueueFullException>(() => transaction.Commit());
        Assert.Throws<QueueFullException>(() => transaction.TryCommit());
        Assert.Equal(0, right.GetStatus().MessageCount);
        Assert.Equal(1, from.GetStatus().Subscriptions[0].InFlight);
        Drain(left, ref dequeued, upTo: enqueued);
        CommitWhenThereIsRoom(transaction);
        Assert.Equal(50, left.GetStatus().MessageCount);
        Assert.Equal(50, right.GetStatus().MessageCount);
        Assert.Equal(0, from.GetStatus().MessageCount);
    }

    // A queue takes room of its own segments at once; what another queue's consumers have passed is deleted by a thread of the pool.
    private static void CommitWhenThereIsRoom(QueueTransaction transaction) => Assert.True(SpinWait.SpinUntil(
        () =>
        {
            try
            {
                transaction.Commit();
                return true;
            }
            catch (QueueFullException)
            {
                return false;
            }
        },
        TimeSpan.FromSeconds(30)));

    private static void Drain(MappedQueue<Parcel> queue, ref long number, long upTo)
    {
        Parcel? parcel = null;
        for (; number < upTo; number++)
        {
            Assert.True(queue.TryDequeue(ref parcel), $"Message {number} of {upTo} is not there.");
            Assert.True(parcel!.Number == number && parcel.Producer == 1 && parcel.IsIntact());
        }
    }

    private void Mount(string options = "size=2m")
    {
        TmpfsFactAttribute.Mount(_disk, options);
        _mounted = true;
    }

    public void Dispose()
    {
        if (_mounted)
        {
            TmpfsFactAttribute.Unmount(_disk);
        }
        _site.Dispose();
    }
}
