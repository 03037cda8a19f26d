using System.Diagnostics;
using BlitQueue.Log;
using BlitQueue.Memory;
using BlitQueue.Tests.Queue;
using Xunit;

namespace BlitQueue.Tests.Segments;

public sealed class AppendLockWaitTests : QueueFixture
{
    private static readonly TimeSpan HeldFor = TimeSpan.FromMilliseconds(600);

    // As on a machine with more to do than processors: the holder lives and runs, and does not get to its end for a while.
    // So is one of which the system does not tell whether it runs, as of one in another container.
    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public async Task A_holder_whose_process_may_run_is_waited_for_longer_than_the_patience(bool isKnown)
    {
        using MappedQueue<Note> queue = Open(new QueueOptions
        {
            SegmentSize = 1 << 16,
            StallTimeout = TimeSpan.FromMilliseconds(40)
        }), holder = Open();
        queue.Enqueue(Of(0));
        if (!isKnown)
        {
            holder.Store.Control.ProcessId(ControlFormat.ParticipantIndex(holder.Store.Self.OwnerWord)) = int.MaxValue;
        }
        await WhileHeldAsync(queue, holder, getsOn: false, () =>
        {
            queue.Enqueue(Of(1));
            Assert.Equal(0, MachineMemory.Load(ref queue.Store.Control.LockOwner));
        });
        Assert.Equal([0, 1], Drain(queue));
    }

    // Whether the holder gets on or stands still: false is said of a full queue and of nothing else, and nobody is called stalled.
    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task Who_does_not_wait_for_room_waits_for_a_holder_that_runs(bool getsOn)
    {
        using MappedQueue<Note> queue = Open(), holder = Open();
        queue.Enqueue(Of(0));
        await WhileHeldAsync(queue, holder, getsOn, () => Assert.True(queue.TryEnqueue(Of(1))));
        Assert.Equal([0, 1], Drain(queue));
    }

    // In a crowd the looks of each are so far apart that others have appended between two of them; then one dies with the lock.
    [Fact]
    public async Task A_dead_holder_is_found_although_the_log_has_moved_since_the_last_look()
    {
        using MappedQueue<Note> queue = Open();
        long dead;
        using (MappedQueue<Note> holder = Open())
        {
            dead = holder.Store.Self.OwnerWord;
        }
        MachineMemory.Store(ref queue.Store.Control.LockOwner, dead);
        using var isOver = new CancellationTokenSource();
        using var giveUp = new CancellationTokenSource(TimeSpan.FromSeconds(60));
        Task moving = Task.Factory.StartNew(
            () =>
            {
                while (!isOver.IsCancellationRequested)
                {
                    MachineMemory.Increment(ref queue.Store.Control.Progress);
                }
            },
            CancellationToken.None, TaskCreationOptions.LongRunning, TaskScheduler.Default);
        try
        {
            queue.Enqueue(Of(0), giveUp.Token);
        }
        finally
        {
            isOver.Cancel();
            await moving;
        }
        Assert.Equal([0], Drain(queue));
    }

    // On a thread of its own: one of the pool may begin seconds later, and until then no thread of the process would run.
    private static async Task WhileHeldAsync(MappedQueue<Note> queue, MappedQueue<Note> holder, bool getsOn, Action act)
    {
        MachineMemory.Store(ref queue.Store.Control.LockOwner, holder.Store.Self.OwnerWord);
        Task holding = Task.Factory.StartNew(
            () => Hold(queue, getsOn), CancellationToken.None, TaskCreationOptions.LongRunning, TaskScheduler.Default);
        try
        {
            act();
        }
        finally
        {
            // The queue is mapped until then.
            await holding;
        }
    }

    private static void Hold(MappedQueue<Note> queue, bool getsOn)
    {
        for (long started = Stopwatch.GetTimestamp(); Stopwatch.GetElapsedTime(started) < HeldFor; Thread.SpinWait(100))
        {
            if (getsOn)
            {
                MachineMemory.Increment(ref queue.Store.Control.Progress);
            }
        }
        MachineMemory.Store(ref queue.Store.Control.LockOwner, 0);
    }
}
