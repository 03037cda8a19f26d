using BlitQueue.Checker;
using BlitQueue.Log;
using BlitQueue.Platform;
using BlitQueue.Tests.Queue;
using Xunit;

namespace BlitQueue.Tests.Processes;

/// <summary>A <c>queue.lock</c> that somebody deletes under those who have the queue open costs no message that was acknowledged.</summary>
public sealed class LostLockFileTests : QueueFixture
{
    private string LockFile => Site.File(StoreFormat.LockName);

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void Who_had_the_queue_open_enqueues_no_more_once_another_has_opened_it(bool isReplaced)
    {
        using MappedQueue<Note> first = Open();
        Enqueue(first, 0, 100);
        Lose(isReplaced);
        Enqueue(first, 100, 200);
        using MappedQueue<Note> second = Open();
        QueueFailedException refused = Assert.Throws<QueueFailedException>(() => first.Enqueue(Of(999, 80)));
        Assert.Equal(FailureOutcome.NothingDone, refused.Outcome);
        Assert.Contains("lock file was deleted or replaced", refused.Message, StringComparison.Ordinal);
        Assert.Contains($"process {Environment.ProcessId}", refused.Message, StringComparison.Ordinal);
        Enqueue(second, 200, 300);
        Assert.Throws<QueueFailedException>(() => first.EnqueueBatch([Of(998, 80), Of(997, 80)]));
        // What it had enqueued can still be brought to the disk.
        first.Flush();
        using MappedQueue<Note> third = Open();
        Enqueue(third, 300, 400);
        Assert.Equal(Enumerable.Range(0, 400).Select(static id => (long)id), Drain(second));
    }

    [Fact]
    public void A_lock_file_that_comes_back_does_not_bring_back_those_who_used_it()
    {
        using MappedQueue<Note> first = Open();
        Enqueue(first, 0, 100);
        string away = LockFile + ".away";
        File.Move(LockFile, away);
        using MappedQueue<Note> second = Open();
        Enqueue(second, 100, 200);
        // Windows moves no file over one that is open.
        LoseLockFile();
        File.Move(away, LockFile);
        using MappedQueue<Note> third = Open();
        Enqueue(third, 200, 300);
        Assert.Throws<QueueFailedException>(() => first.Enqueue(Of(999, 80)));
        Assert.Throws<QueueFailedException>(() => second.Enqueue(Of(998, 80)));
        using MappedQueue<Note> fourth = Open();
        Enqueue(fourth, 300, 400);
        Enqueue(third, 400, 500);
        Assert.Equal(Enumerable.Range(0, 500).Select(static id => (long)id), Drain(third));
    }

    // The opener that waits for a stopped producer runs: those behind it in the queue for the opening lock wait for it.
    [Fact]
    public void Who_waits_behind_an_opener_that_closes_the_append_lock_is_told_of_the_producer_that_is_stopped()
    {
        using Peer producer = Peer.StartToStop(Site, ProtocolStep.AppendPacked, 1, "produce", "producer=1").WaitForStop();
        Lose(isReplaced: false);
        using var opener = Peer.Start(Site, "produce", "producer=2", "stall=4000");
        Assert.True(SpinWait.SpinUntil(() => File.Exists(LockFile), Peer.Patience));
        QueueStalledException refused = Assert.Throws<QueueStalledException>(
            () => MappedQueue<Parcel>.Open(Site.Queue, new QueueOptions { StallTimeout = TimeSpan.FromMilliseconds(500) }));
        Assert.Equal(producer.Id, refused.ProcessId);
        Assert.NotEqual(0, opener.WaitForExit());
    }

    [Fact]
    public void What_is_retained_and_where_subscriptions_are_stays()
    {
        MappedQueue<Note> first = Open(new QueueOptions { SegmentSize = 1 << 16, RetainFor = TimeSpan.FromHours(1) });
        Enqueue(first, 0, 100);
        Note? note = null;
        for (int i = 0; i < 40; i++)
        {
            Assert.True(first.TryDequeue(ref note));
        }
        Lose(isReplaced: false);
        using MappedQueue<Note> second = Open();
        Assert.Equal(
            TimeSpan.FromHours(1).Ticks,
            BitConverter.ToInt64(Site.Read(Site.File(StoreFormat.ControlName)), ControlFormat.RetainTicksOffset));
        Assert.Equal(Enumerable.Range(40, 60).Select(static id => (long)id), Drain(second));
    }

    [Fact]
    public void A_lock_file_that_was_deleted_while_nobody_had_the_queue_open_is_made_anew()
    {
        using (MappedQueue<Note> queue = Open())
        {
            Enqueue(queue, 0, 100);
        }
        LoseLockFile();
        for (int i = 0; i < 2; i++)
        {
            using MappedQueue<Note> queue = Open();
            Enqueue(queue, 100 + i, 101 + i);
        }
        Assert.Equal(Enumerable.Range(0, 102).Select(static id => (long)id), Drain(Open()));
    }

    [Fact]
    public void A_repair_refuses_those_who_cannot_see_it()
    {
        using MappedQueue<Note> first = Open();
        Enqueue(first, 0, 100);
        Lose(isReplaced: false);
        MappedQueue.Repair(Site.Queue);
        Assert.Throws<QueueFailedException>(() => first.Enqueue(Of(999, 80)));
        Assert.Equal(Enumerable.Range(0, 100).Select(static id => (long)id), Drain(Open()));
    }

    [Fact]
    public void An_append_that_a_process_has_begun_is_waited_for()
    {
        using MappedQueue<Note> first = Open();
        Enqueue(first, 0, 10);
        Site.Overwrite(StoreFormat.ControlName, ControlFormat.LockOwnerOffset, BitConverter.GetBytes(ControlFormat.OwnerWord(0, 1)));
        Lose(isReplaced: false);
        QueueStalledException stalled = Assert.Throws<QueueStalledException>(
            () => Open(new QueueOptions { StallTimeout = TimeSpan.FromMilliseconds(100) }));
        Assert.Contains(StoreFormat.LockName, stalled.Message, StringComparison.Ordinal);
        Site.Overwrite(StoreFormat.ControlName, ControlFormat.LockOwnerOffset, BitConverter.GetBytes(0L));
        Assert.Equal(Enumerable.Range(0, 10).Select(static id => (long)id), Drain(Open()));
    }

    [Fact]
    public void A_busy_producer_in_another_process_loses_nothing_that_it_was_told_is_there()
    {
        using var peer = Peer.Start(Site, "produce", "producer=1", "count=1000000000", "size=100");
        using var tooLong = new CancellationTokenSource(Peer.Patience);
        var history = new History();
        using (var waiting = MappedQueue<Parcel>.Open(Site.Queue))
        {
            Parcel? first = null;
            waiting.Dequeue(ref first, tooLong.Token);
            history.Dequeued("test", first!.Producer, first.Number);
        }
        LoseLockFile();
        using var queue = MappedQueue<Parcel>.Open(Site.Queue);
        queue.Enqueue(new Parcel().Fill(2, 0, 100));
        history.Enqueued(2, 0);
        Assert.Equal(3, peer.WaitForExit());
        // The latter where it needed a segment before the other had opened the queue.
        Assert.True(
            peer.Said.Contains(nameof(QueueFailedException), StringComparison.Ordinal)
                || peer.Said.Contains("deleted, moved away or replaced", StringComparison.Ordinal),
            peer.Said);
        history.ReadLog(peer.LogPath);
        Parcel? parcel = null;
        while (queue.TryDequeue(ref parcel))
        {
            Assert.True(parcel!.IsIntact());
            history.Dequeued("test", parcel.Producer, parcel.Number);
        }
        Assert.Empty(history.Faults());
    }

    // A process that makes the queue stops; meanwhile its lock file is deleted, and another opens the queue.
    [Theory]
    [InlineData(nameof(ProtocolStep.StoreControlMade))]
    [InlineData(nameof(ProtocolStep.SegmentCreated))]
    [InlineData(nameof(ProtocolStep.SegmentWritten))]
    [InlineData(nameof(ProtocolStep.SegmentRenamed))]
    [InlineData(nameof(ProtocolStep.StoreSubscriptionMade))]
    [InlineData(nameof(ProtocolStep.StoreMetaWritten))]
    public Task A_maker_that_has_lost_its_lock_file_is_waited_for(string step) =>
        IsWaitedFor(Enum.Parse<ProtocolStep>(step));

    [Theory]
    [InlineData(nameof(ProtocolStep.RecoveryLogRead))]
    [InlineData(nameof(ProtocolStep.RecoveryWordsSet))]
    public Task A_process_that_recovers_and_has_lost_its_lock_file_is_waited_for(string step)
    {
        using (var queue = MappedQueue<Parcel>.Open(Site.Queue))
        {
        }
        Site.Overwrite(StoreFormat.ControlName, ControlFormat.BootOffset, "another boot"u8.ToArray());
        return IsWaitedFor(Enum.Parse<ProtocolStep>(step));
    }

    private async Task IsWaitedFor(ProtocolStep step)
    {
        using var opener = Peer.StartToStop(Site, step, 1, "produce", "producer=1", "count=10", "size=100");
        opener.WaitForStop();
        if (OperatingSystem.IsWindows())
        {
            // No lock of the directory is needed, because the file cannot be lost.
            Assert.Throws<IOException>(LoseLockFile);
            opener.Continue();
            Assert.Equal(0, opener.WaitForExit());
            return;
        }
        LoseLockFile();
        QueueException refused = Assert.Throws<QueueException>(
            () => MappedQueue<Parcel>.Open(Site.Queue, new QueueOptions { StallTimeout = TimeSpan.FromMilliseconds(100) }));
        Assert.Equal(QueueError.Stalled, refused.Reason);
        Assert.Contains($"{StoreFormat.LockName} was deleted or replaced meanwhile", refused.Message, StringComparison.Ordinal);
        Assert.Empty(Site.OpenFiles());
        Task<MappedQueue<Parcel>> waiting = Task.Run(() => MappedQueue<Parcel>.Open(Site.Queue));
        opener.Continue();
        var history = new History();
        using (MappedQueue<Parcel> queue = await waiting.WaitAsync(Peer.Patience))
        {
            for (int number = 0; number < 10; number++)
            {
                queue.Enqueue(new Parcel().Fill(2, number, 100));
                history.Enqueued(2, number);
            }
            // Its appends are refused from the moment that the other has opened the queue.
            Assert.True(opener.WaitForExit() is 0 or 3);
        }
        history.ReadLog(opener.LogPath);
        AssertAllThere(history);
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void Openings_lose_nothing_while_the_lock_file_is_deleted_again_and_again(bool isMadeBefore)
    {
        const int openers = 4, openings = 50, messages = 5;
        if (isMadeBefore)
        {
            MappedQueue<Parcel>.Open(Site.Queue).Dispose();
        }
        var history = new History();
        bool isOver = false;
        var deleter = new Thread(() =>
        {
            // Often enough for those who join; a maker must have the chance to finish between two of them.
            var random = new Random(1);
            for (; !Volatile.Read(ref isOver); Thread.Sleep(isMadeBefore ? 3 : random.Next(40)))
            {
                try
                {
                    LoseLockFile();
                }
                catch (IOException exception) when (exception is DirectoryNotFoundException || OperatingSystem.IsWindows())
                {
                    // Not made yet; or Windows does not delete it during an opening.
                }
            }
        });
        deleter.Start();
        Parallel.For(0, openers, new ParallelOptions { MaxDegreeOfParallelism = openers }, opener =>
        {
            int number = 0;
            for (int opening = 0; opening < openings; opening++)
            {
                try
                {
                    using var queue = MappedQueue<Parcel>.Open(Site.Queue);
                    for (int message = 0; message < messages; message++, number++)
                    {
                        queue.Enqueue(new Parcel().Fill(opener, number, 100));
                        lock (history)
                        {
                            history.Enqueued(opener, number);
                        }
                    }
                }
                catch (QueueException refused) when (refused is QueueFailedException { Outcome: FailureOutcome.NothingDone }
                    || refused.Reason == QueueError.DirectoryReplaced)
                {
                    number++;
                }
            }
        });
        Volatile.Write(ref isOver, true);
        deleter.Join();
        AssertAllThere(history);
    }

    private void AssertAllThere(History history)
    {
        using var queue = MappedQueue<Parcel>.Open(Site.Queue);
        Parcel? parcel = null;
        while (queue.TryDequeue(ref parcel))
        {
            Assert.True(parcel!.IsIntact());
            history.Dequeued("test", parcel.Producer, parcel.Number);
        }
        Assert.Empty(history.Faults());
    }

    // Wine deletes an open file when its last handle is closed, and refuses to make another of that name until then.
    private void LoseLockFile() => CurrentPlatform.Instance.Delete(LockFile, Site.File(StoreFormat.AsideName()));

    private void Lose(bool isReplaced)
    {
        byte[] before = Site.Read(LockFile);
        LoseLockFile();
        if (isReplaced)
        {
            File.WriteAllBytes(LockFile, before);
        }
    }

    private static void Enqueue(MappedQueue<Note> queue, int from, int to)
    {
        for (int id = from; id < to; id++)
        {
            queue.Enqueue(Of(id, 80));
        }
    }
}
