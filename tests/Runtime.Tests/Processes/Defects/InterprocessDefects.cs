using System.Buffers.Binary;
using System.Runtime.CompilerServices;
using BlitQueue.Checker;
using BlitQueue.Log;
using Xunit;

namespace BlitQueue.Tests.Processes;

/// <summary>What went wrong in Cloudtoid.Interprocess 2 (the behaviour is quoted at each test) must not go wrong here.</summary>
[Collection(ProcessCollection.Name)]
public sealed class InterprocessDefects : IDisposable
{
    private static readonly QueueOptions Small = new() { SegmentSize = 1 << 16, UseChecksums = true };

    private readonly Site _site = new(inMemory: true);

    /// <summary>
    /// "Dead publisher: 10 s blocked in the non-blocking TryDequeue, then all committed messages of everyone dropped: 0 of 50."
    /// </summary>
    [Theory]
    [InlineData(nameof(ProtocolStep.AppendLockAcquired))]
    [InlineData(nameof(ProtocolStep.AppendPacked))]
    [InlineData(nameof(ProtocolStep.AppendPublished))]
    public void D11_a_publisher_killed_while_it_appends_costs_nobody_a_message(string step)
    {
        using Survivor survivor = new Survivor(_site).WarmUp();
        using var other = Peer.Start(_site, "produce", "producer=2", "count=50");
        Assert.Equal(0, other.WaitForExit());
        using var dead = Peer.StartToDie(_site, Enum.Parse<ProtocolStep>(step), 10, "produce", "producer=1");
        dead.WaitForDeath();
        Parcel? parcel = null;
        for (int taken = 0; taken < 50; taken++)
        {
            Assert.True(survivor.Queue.TryDequeue(ref parcel) && parcel!.Producer == 2 && parcel.Number == taken);
            survivor.History.Enqueued(2, taken);
            survivor.History.Dequeued("survivor", 2, taken);
        }
        survivor.GoOn();
        survivor.Drain();
        survivor.History.ReadLog(dead.LogPath).KilledProducer(1, 1);
        survivor.AssertNoFaults();
    }

    /// <summary>"A dead reader leaves State = 1: 20.0 s, and the whole queue is lost."</summary>
    [Theory]
    [InlineData("consume", nameof(ProtocolStep.DequeueFound))]
    [InlineData("consume", nameof(ProtocolStep.DequeueUnpacked))]
    [InlineData("lease", nameof(ProtocolStep.LeaseClaimed))]
    [InlineData("lease", nameof(ProtocolStep.LeaseTaken))]
    public void D12_a_reader_killed_while_it_reads_loses_nothing(string command, string step)
    {
        using var survivor = new Survivor(_site);
        for (int i = 0; i < 50; i++)
        {
            survivor.Enqueue();
        }
        using var dead = Peer.StartToDie(_site, Enum.Parse<ProtocolStep>(step), 5, command);
        dead.WaitForDeath();
        survivor.History.ReadLog(dead.LogPath).KilledConsumer(dead.LogPath);
        survivor.Drain();
        survivor.AssertNoFaults();
    }

    /// <summary>"The skipped region is not cleared: the old body is delivered from a slot nobody has written."</summary>
    [Fact]
    public void D13_what_a_dead_publisher_left_behind_the_end_is_never_delivered()
    {
        using MappedQueue<Parcel> queue = Open();
        using (var dead = Peer.StartToDie(_site, ProtocolStep.AppendBatchWritten, 1, "batch", "producer=1", "size=1500", "batch=5"))
        {
            dead.WaitForDeath();
        }
        Parcel? parcel = null;
        Assert.False(queue.TryDequeue(ref parcel));
        for (int number = 0; number < 20; number++)
        {
            queue.Enqueue(new Parcel().Fill(2, number, number * 50));
            Assert.True(queue.TryDequeue(ref parcel) && parcel!.Producer == 2 && parcel.Number == number && parcel.IsIntact());
            Assert.False(queue.TryDequeue(ref parcel));
        }
    }

    /// <summary>"Wall-clock lease: a paused live reader loses its lock, resumes, and moves ReadOffset back."</summary>
    [Fact]
    public void D14_a_paused_reader_still_has_what_it_holds_and_moves_nothing_back_when_it_goes_on()
    {
        using var survivor = new Survivor(_site);
        for (int i = 0; i < 10; i++)
        {
            survivor.Enqueue();
        }
        using Peer paused = Peer.StartToStop(_site, ProtocolStep.LeaseTaken, 3, "lease").WaitForStop();
        for (int i = 0; i < 10; i++)
        {
            survivor.Enqueue();
        }
        survivor.Drain();
        Assert.Equal(1, survivor.Queue.GetStatus().MessageCount);
        paused.Continue();
        survivor.Enqueue();
        Assert.True(SpinWait.SpinUntil(() => survivor.Queue.GetStatus().MessageCount == 0, Peer.Patience));
        paused.Finish();
        survivor.History.ReadLog(paused.LogPath);
        survivor.AssertNoFaults();
    }

    /// <summary>"Offsets repeat every two capacities, check and exchange are not tied: unread data is overwritten."</summary>
    [Fact]
    public void D15_a_reader_that_slept_through_many_rounds_of_the_ring_takes_nothing_twice()
    {
        using var survivor = new Survivor(_site);
        survivor.Enqueue();
        using Peer late = Peer.StartToStop(_site, ProtocolStep.DequeueUnpacked, 1, "consume").WaitForStop();
        for (int round = 0; round < 5; round++)
        {
            survivor.FillAndDrainSegments();
        }
        late.Continue();
        survivor.Enqueue();
        Assert.True(SpinWait.SpinUntil(() => survivor.Queue.GetStatus().MessageCount == 0, Peer.Patience));
        late.Finish();
        survivor.History.ReadLog(late.LogPath);
        survivor.AssertNoFaults();
    }

    /// <summary>
    /// "No release between body and Ready on ARM64." What this processor orders by itself it cannot show; the bodies it can.
    /// </summary>
    [Fact]
    public void D16_a_message_that_is_seen_is_whole()
    {
        using var queue = MappedQueue<Parcel>.Open(_site.Queue, Small with { UseChecksums = false, Capacity = 100_000 });
        using var producer = Peer.Start(_site, "produce", "producer=1", "count=20000", "size=300", "buffered=1", "capacity=100000");
        Parcel? parcel = null;
        using var tooLong = new CancellationTokenSource(Peer.Patience);
        for (int number = 0; number < 20_000; number++)
        {
            queue.Dequeue(ref parcel, tooLong.Token);
            Assert.True(parcel!.Number == number && parcel.IsIntact());
        }
        Assert.Equal(0, producer.WaitForExit());
    }

    /// <summary>"One permit per message, never consumed by TryDequeue: 100,000 stale permits on an empty queue."</summary>
    [Fact]
    public async Task D17_messages_nobody_waited_for_leave_no_wake_ups_behind()
    {
        using MappedQueue<Parcel> queue = Open();
        int before = EventCount();
        Parcel? parcel = null;
        for (int number = 0; number < 100_000; number++)
        {
            queue.Enqueue(new Parcel { Number = number });
            Assert.True(queue.TryDequeue(ref parcel));
        }
        Assert.Equal(before, EventCount());
        Task<Parcel> waiting = queue.DequeueAsync().AsTask();
        await Task.Delay(50);
        Assert.False(waiting.IsCompleted);
        queue.Enqueue(new Parcel().Fill(1, 7, 10));
        Assert.Equal(7, (await waiting.WaitAsync(Peer.Patience)).Number);
    }

    /// <summary>"Check, then open or delete: another opener truncates the mapped file; of 3 processes 2 died."</summary>
    [Fact]
    public void D18_processes_that_open_and_close_all_the_time_harm_nobody()
    {
        var history = new History();
        for (int round = 0; round < 6; round++)
        {
            Peer[] peers = [.. Enumerable.Range(1, 3)
                .Select(number => Peer.Start(_site, "produce", $"producer={(round * 3) + number}", "count=20"))];
            for (int i = 0; i < 20; i++)
            {
                MappedQueue<Parcel>.Open(_site.Queue).Dispose();
            }
            foreach (Peer peer in peers)
            {
                Assert.Equal(0, peer.WaitForExit());
                history.ReadLog(peer.LogPath);
                peer.Dispose();
            }
        }
        using var survivor = new Survivor(_site, new QueueOptions());
        survivor.Drain();
        Assert.Equal(18 * 20, survivor.History.Deliveries);
    }

    /// <summary>"A capacity mismatch extends a live file, with a different modulus: first corrupt byte at 120 of 180."</summary>
    [Fact]
    public void D19_handles_of_different_capacities_share_one_queue()
    {
        using var small = MappedQueue<Parcel>.Open(_site.Queue, Small with { Capacity = 5000, FullMode = FullMode.Fail });
        int number = 0;
        for (; small.TryEnqueue(new Parcel().Fill(1, number, 1000)); number++)
        {
        }
        Assert.InRange(number, 3, 4);
        Assert.Throws<QueueFullException>(() => small.Enqueue(new Parcel().Fill(1, number, 1000)));
        // The capacity is the queue's: this sets it for both.
        using var large = MappedQueue<Parcel>.Open(_site.Queue, Small with { Capacity = 500_000 });
        for (; number < 99; number++)
        {
            large.Enqueue(new Parcel().Fill(1, number, 1000));
        }
        small.Enqueue(new Parcel().Fill(1, 99, 1000));
        Parcel? parcel = null;
        for (int expected = 0; expected < 100; expected++)
        {
            Assert.True(small.TryDequeue(ref parcel) && parcel!.Number == expected && parcel.IsIntact());
        }
        small.Enqueue(new Parcel().Fill(1, 100, 1000));
        Assert.True(large.TryDequeue(ref parcel) && parcel!.Number == 100 && parcel.IsIntact());
        Assert.Throws<ArgumentException>(() => MappedQueue<Parcel>.Open(_site.Queue, new QueueOptions { SegmentSize = 1 << 17 }));
    }

    /// <summary>"TryDequeue is false though messages wait, because another reader holds the lock: 3.6 M false empties in 1.5 s."</summary>
    [Fact]
    public void D20_empty_means_empty_beside_another_reader()
    {
        const int Count = 50_000;
        using MappedQueue<Parcel> queue = Open();
        for (int number = 0; number < Count; number++)
        {
            queue.Enqueue(new Parcel { Number = number });
        }
        int taken = 0;
        Thread[] readers = [.. Enumerable.Range(0, 3).Select(_ => new Thread(() =>
        {
            Parcel? parcel = null;
            // Nothing is enqueued meanwhile, so the first refusal says that all is taken.
            while (queue.TryDequeue(ref parcel))
            {
                Interlocked.Increment(ref taken);
            }
        }))];
        Array.ForEach(readers, static thread => thread.Start());
        Array.ForEach(readers, static thread => thread.Join());
        Assert.Equal(Count, taken);
    }

    /// <summary>"The semaphore's name ignores the path, is never unlinked, and event handlers root every queue."</summary>
    [Fact]
    public void D21_queues_of_one_name_share_nothing_and_leave_nothing_behind()
    {
        string[] before = Semaphores();
        using (var left = MappedQueue<Parcel>.Open(Path.Combine(_site.Root, "left", "orders"), Small))
        using (var right = MappedQueue<Parcel>.Open(Path.Combine(_site.Root, "right", "orders"), Small))
        {
            left.Enqueue(new Parcel());
            Parcel? parcel = null;
            Assert.False(right.TryDequeue(ref parcel));
            Assert.True(left.TryDequeue(ref parcel));
        }
        WeakReference disposed = OpenAndDispose();
        for (int i = 0; i < 10 && disposed.IsAlive; i++)
        {
            GC.Collect();
            GC.WaitForPendingFinalizers();
        }
        Assert.False(disposed.IsAlive, "Something holds a queue that was disposed.");
        Assert.Empty(Semaphores().Except(before));
    }

    // Linux shows them as files.
    private static string[] Semaphores() => OperatingSystem.IsLinux() ? Directory.GetFiles("/dev/shm", "sem.*") : [];

    /// <summary>"The publisher enqueues and exits before a subscriber attaches: 5 messages lost."</summary>
    [Fact]
    public void D22_messages_outlast_their_publisher()
    {
        using (var publisher = Peer.Start(_site, "produce", "count=5"))
        {
            Assert.Equal(0, publisher.WaitForExit());
        }
        using var queue = MappedQueue<Parcel>.Open(_site.Queue);
        Parcel? parcel = null;
        for (int number = 0; number < 5; number++)
        {
            Assert.True(queue.TryDequeue(ref parcel) && parcel!.Number == number && parcel.IsIntact());
        }
    }

    /// <summary>"A short buffer truncates and consumes: 10 of 100 bytes, the rest gone."</summary>
    [Fact]
    public void D23_an_instance_with_less_room_gets_the_whole_message()
    {
        using MappedQueue<Parcel> queue = Open();
        queue.Enqueue(new Parcel().Fill(1, 0, 100));
        Parcel? parcel = new Parcel().Fill(9, 9, 10);
        Assert.True(queue.TryDequeue(ref parcel) && parcel!.Body.Length == 100 && parcel.IsIntact());
        using var raw = MappedQueue<RawMessage>.Open(Path.Combine(_site.Root, "raw"), Small);
        raw.Enqueue(new byte[1000]);
        RawMessage? message = new("0123456789"u8);
        Assert.True(raw.TryDequeue(ref message));
        Assert.Equal(1000, message!.Bytes.Length);
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private WeakReference OpenAndDispose()
    {
        using MappedQueue<Parcel> queue = Open();
        queue.Enqueue(new Parcel());
        return new WeakReference(queue);
    }

    // Read as a file: what it says is a matter of the format.
    private int EventCount()
    {
        using FileStream control = File.Open(_site.File(StoreFormat.ControlName), FileMode.Open, FileAccess.Read, FileShare.ReadWrite);
        byte[] word = new byte[4];
        control.Position = ControlFormat.DataWakeOffset + 4;
        control.ReadExactly(word);
        return BinaryPrimitives.ReadInt32LittleEndian(word);
    }

    private MappedQueue<Parcel> Open() => MappedQueue<Parcel>.Open(_site.Queue, Small);

    public void Dispose() => _site.Dispose();
}
