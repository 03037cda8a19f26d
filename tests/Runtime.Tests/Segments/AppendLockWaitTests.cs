using System.Diagnostics;
using BlitQueue.Memory;
using BlitQueue.Tests.Queue;
using Xunit;

namespace BlitQueue.Tests.Segments;

public sealed class AppendLockWaitTests : QueueFixture
{
    private static readonly TimeSpan HeldFor = TimeSpan.FromMilliseconds(600);

    // As on a machine with more to do than processors: the holder lives and runs, and does not get to its end for a while.
    [Fact]
    public async Task A_holder_whose_process_runs_is_waited_for_longer_than_the_patience()
    {
        using MappedQueue<Note> queue = Open(new QueueOptions
        {
            SegmentSize = 1 << 16,
            StallTimeout = TimeSpan.FromMilliseconds(40)
        }), holder = Open();
        queue.Enqueue(Of(0));
        Task passing = Hold(queue, holder);
        queue.Enqueue(Of(1));
        Assert.True(passing.IsCompleted || MachineMemory.Load(ref queue.Store.Control.LockOwner) == 0);
        await passing;
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
        Task passing = Hold(queue, holder, getsOn);
        Assert.True(queue.TryEnqueue(Of(1)));
        await passing;
        Assert.Equal([0, 1], Drain(queue));
    }

    private static Task Hold(MappedQueue<Note> queue, MappedQueue<Note> holder, bool getsOn = false)
    {
        MachineMemory.Store(ref queue.Store.Control.LockOwner, holder.Store.Self.OwnerWord);
        return Task.Run(() =>
        {
            for (long started = Stopwatch.GetTimestamp(); Stopwatch.GetElapsedTime(started) < HeldFor; Thread.SpinWait(100))
            {
                if (getsOn)
                {
                    MachineMemory.Increment(ref queue.Store.Control.Progress);
                }
            }
            MachineMemory.Store(ref queue.Store.Control.LockOwner, 0);
        });
    }
}
