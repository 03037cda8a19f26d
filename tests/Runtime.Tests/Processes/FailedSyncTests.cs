using System.Buffers.Binary;
using BlitQueue.Log;
using Xunit;

namespace BlitQueue.Tests.Processes;

/// <summary>
/// The disk refuses a process's sync: the queue is closed to appends in every process, until nobody has it open any more.
/// </summary>
[Collection(ProcessCollection.Name)]
public sealed class FailedSyncTests : IDisposable
{
    private static readonly QueueOptions Small = new() { SegmentSize = 1 << 16, UseChecksums = true };
    private static readonly QueueOptions Committing = Small with { Durability = Durability.Commit };

    private readonly Site _site = new();

    [Fact]
    public async Task After_a_failed_sync_no_process_appends_and_all_may_consume()
    {
        using (MappedQueue<Parcel> queue = Open(Small))
        {
            FailAt(4, death: null);
            QueueFailedException refused = Assert.Throws<QueueFailedException>(() => queue.Enqueue(new Parcel().Fill(2, 0, 10)));
            Assert.Contains(_site.File(StoreFormat.SegmentName(0)), refused.Message, StringComparison.Ordinal);
            Assert.Contains("error 5", refused.Message, StringComparison.Ordinal);
            Assert.Contains("Nothing was enqueued", refused.Message, StringComparison.Ordinal);
            Assert.True(queue.GetStatus().IsFailed);
            Assert.Throws<QueueFailedException>(() => queue.TryEnqueue(new Parcel().Fill(2, 0, 10)));
            Assert.Throws<QueueFailedException>(() => queue.EnqueueBatch([new Parcel().Fill(2, 0, 10)]));
            await Assert.ThrowsAsync<QueueFailedException>(() => queue.EnqueueAsync(new Parcel().Fill(2, 0, 10)).AsTask());
            using var late = Peer.Start(_site, "produce", "count=1");
            Assert.Equal(3, late.WaitForExit());
            Assert.Contains(nameof(QueueFailedException), late.Output, StringComparison.Ordinal);
            AssertContains(queue, 0, 3);
        }
        AssertGoesOn(consumed: 3, count: 4);
    }

    [Fact]
    public void Nothing_is_called_durable_after_a_failed_sync_until_the_queue_is_opened_anew()
    {
        using (MappedQueue<Parcel> queue = Open(Committing))
        {
            FailAt(4, death: null);
            long durable = queue.Sync.Log.Durable;
            Assert.Throws<QueueFailedException>(queue.Sync.Wait);
            Assert.Equal(durable, queue.Sync.Log.Durable);
            Assert.NotEqual(durable, queue.Sync.Log.Published);
        }
        AssertGoesOn(consumed: 0, count: 4);
    }

    [Theory]
    [InlineData(nameof(ProtocolStep.FailureMarked))]
    [InlineData(nameof(ProtocolStep.FailureLockAcquired))]
    [InlineData(nameof(ProtocolStep.FailureClosed))]
    public void A_process_killed_while_it_closes_the_queue_leaves_it_to_whoever_syncs_next(string stepName)
    {
        using (MappedQueue<Parcel> queue = Open(Small))
        {
            FailAt(4, Enum.Parse<ProtocolStep>(stepName));
            if (stepName == nameof(ProtocolStep.FailureClosed))
            {
                Assert.Throws<QueueFailedException>(() => queue.Enqueue(new Parcel().Fill(1, 4, 10)));
            }
            else
            {
                // Nobody has closed it yet, and nobody has asked for anything durable.
                queue.Enqueue(new Parcel().Fill(1, 4, 10));
                Assert.Throws<QueueFailedException>(queue.Sync.Wait);
            }
            QueueFailedException refused = Assert.Throws<QueueFailedException>(() => queue.Enqueue(new Parcel().Fill(2, 0, 10)));
            Assert.Contains("Nothing was enqueued", refused.Message, StringComparison.Ordinal);
        }
        AssertGoesOn(consumed: 0, count: stepName == nameof(ProtocolStep.FailureClosed) ? 4 : 5);
    }

    [Fact]
    public void A_recovery_from_a_failed_sync_that_is_killed_is_repeated()
    {
        FailAt(4, death: null);
        using var peer = Peer.StartToDie(_site, ProtocolStep.RecoveryWordsSet, 1, "produce");
        peer.WaitForDeath();
        AssertGoesOn(consumed: 0, count: 4);
    }

    [Fact]
    public async Task Everybody_who_waits_for_a_sync_that_fails_is_told()
    {
        using MappedQueue<Parcel> queue = Open(Committing);
        queue.Enqueue(new Parcel().Fill(1, 0, 10));
        MarkFailed();
        Task[] waiting = [.. Enumerable.Range(1, 100).Select(number => queue.EnqueueAsync(new Parcel().Fill(1, number, 10)).AsTask())];
        foreach (Task wait in waiting)
        {
            await Assert.ThrowsAsync<QueueFailedException>(() => wait.WaitAsync(Peer.Patience));
        }
        Assert.Throws<QueueFailedException>(() => queue.Enqueue(new Parcel().Fill(2, 0, 10)));
    }

    // Its append is not taken from it; as soon as it has passed the append lock nobody gets it any more.
    [Fact]
    public void A_stopped_holder_of_the_append_lock_is_waited_for()
    {
        using MappedQueue<Parcel> queue = Open(Committing);
        queue.Enqueue(new Parcel().Fill(1, 0, 10));
        using MappedQueue<Parcel> other = Open(Small);
        other.Enqueue(new Parcel().Fill(1, 1, 10));
        using Peer holder = Peer.StartToStop(_site, ProtocolStep.AppendLockAcquired, 1, "produce", "count=1").WaitForStop();
        MarkFailed();
        Assert.Throws<QueueFailedException>(queue.Sync.Wait);
        Assert.Throws<QueueStalledException>(() => other.TryEnqueue(new Parcel().Fill(2, 0, 10)));
        holder.Continue();
        Assert.Equal(0, holder.WaitForExit());
        Assert.True(SpinWait.SpinUntil(() => IsClosed(other), Peer.Patience), "The queue is not closed.");
    }

    // Its allocator has died before it took the file away: a power loss would find it, with pages that never
    // reached the disk, and end the log there.
    [Fact]
    public void What_everybody_has_passed_is_synced_as_long_as_its_file_is_there()
    {
        using MappedQueue<Parcel> queue = Open(Small);
        for (int number = 0; number < 3; number++)
        {
            queue.Enqueue(new Parcel().Fill(1, number, 30_000));
        }
        // Else the next process makes it, and may be stopped while nobody else can make one.
        queue.Store.Allocator.Ensure(2, Peer.Patience);
        using Peer committer = Peer.StartToStopInFailingSync(_site, "produce", "producer=2", "count=1", "durability=Commit").WaitForStop();
        AssertContains(queue, 0, 3);
        using var allocator = Peer.StartToDie(_site, ProtocolStep.SegmentsRetired, 1, "produce", "producer=3", "count=100", "size=30000");
        allocator.WaitForDeath();
        Assert.True(File.Exists(_site.File(StoreFormat.SegmentName(0))));
        committer.Continue();
        Assert.Equal(3, committer.WaitForExit());
        Assert.Contains(
            $"{nameof(QueueFailedException)}: {_site.File(StoreFormat.SegmentName(0))}", committer.Output, StringComparison.Ordinal);
    }

    private static bool IsClosed(MappedQueue<Parcel> queue)
    {
        try
        {
            queue.Enqueue(new Parcel().Fill(2, 0, 10));
            return false;
        }
        catch (QueueFailedException)
        {
            return true;
        }
    }

    private MappedQueue<Parcel> Open(QueueOptions options) => MappedQueue<Parcel>.Open(_site.Queue, options);

    // Another process commits parcels 0 to time - 1 of producer 1, is told that the last one is not durable, and ends.
    private void FailAt(int time, ProtocolStep? death)
    {
        using var peer = Peer.StartToFailSync(_site, time, death, "produce", "producer=1", "durability=Commit", "segment=65536");
        if (death is not null)
        {
            peer.WaitForDeath();
        }
        else
        {
            Assert.Equal(3, peer.WaitForExit());
            Assert.Contains(
                $"{nameof(QueueFailedException)}: {_site.File(StoreFormat.SegmentName(0))}", peer.Output, StringComparison.Ordinal);
        }
        Assert.Equal(time - 1, File.ReadLines(peer.LogPath).Count());
    }

    private void AssertGoesOn(int consumed, int count)
    {
        using MappedQueue<Parcel> queue = Open(Committing);
        Assert.Equal(queue.Sync.Log.Published, queue.Sync.Log.Durable);
        queue.Enqueue(new Parcel().Fill(1, count, 10));
        Assert.Equal(queue.Sync.Log.Published, queue.Sync.Log.Durable);
        AssertContains(queue, consumed, count + 1);
        Assert.Equal(0, queue.GetStatus().MessageCount);
    }

    private static void AssertContains(MappedQueue<Parcel> queue, int from, int to)
    {
        Parcel? parcel = null;
        for (int number = from; number < to; number++)
        {
            Assert.True(queue.TryDequeue(ref parcel), $"Parcel {number} is lost.");
            Assert.True(parcel!.Number == number && parcel.Producer == 1 && parcel.IsIntact());
        }
    }

    // As a process does whose disk has refused, before anything else.
    private void MarkFailed()
    {
        using FileStream control = File.Open(
            _site.File(StoreFormat.ControlName), FileMode.Open, FileAccess.ReadWrite, FileShare.ReadWrite | FileShare.Delete);
        byte[] word = new byte[8];
        BinaryPrimitives.WriteInt64LittleEndian(word, ControlFormat.FailedWord(5, Environment.ProcessId));
        control.Position = ControlFormat.FailedOffset;
        control.Write(word);
    }

    public void Dispose() => _site.Dispose();
}
