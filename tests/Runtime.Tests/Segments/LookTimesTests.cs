using System.Diagnostics;
using BlitQueue.Log;
using BlitQueue.Memory;
using BlitQueue.Tests.Queue;
using Xunit;

namespace BlitQueue.Tests.Segments;

public sealed class LookTimesTests : QueueFixture
{
    // Far longer than any sleep of these tests.
    private static readonly TimeSpan Patience = TimeSpan.FromMinutes(1);

    // Where this thread gets no processor for so long that the last time has passed, the next begins with the present.
    [Fact]
    public void Each_waiter_looks_a_millisecond_after_the_one_before()
    {
        using MappedQueue<Note> queue = Open(new QueueOptions());
        Hold(queue);
        ref long word = ref WordOf(queue);
        int last = GiveOut(ref word, 200);
        for (int waiter = 0; waiter < 5; waiter++)
        {
            queue.Store.Control.AppendLooks.Rest(TimeSpan.Zero);
            int next = (int)MachineMemory.Load(ref word);
            Assert.True(next == last + LookTimes.Interval || last < Now, $"{next - last} us behind the one before");
            last = next;
        }
        Release(queue);
    }

    [Fact]
    public void Four_who_wait_are_a_crowd()
    {
        using MappedQueue<Note> queue = Open(new QueueOptions());
        Assert.False(queue.Store.Control.AppendLooks.IsCrowded);
        GiveOut(ref WordOf(queue), 200);
        Assert.True(queue.Store.Control.AppendLooks.IsCrowded);
    }

    // As left by a damaged file, or by a clock that has begun anew: who believed it might sleep for half an hour.
    [Theory]
    [InlineData(LookTimes.Longest + 1_000_000)]
    [InlineData(int.MaxValue)]
    [InlineData(int.MinValue)]
    [InlineData(-1)]
    public void A_time_that_cannot_be_right_counts_as_none(int ahead)
    {
        using MappedQueue<Note> queue = Open(new QueueOptions());
        Hold(queue);
        ref long word = ref WordOf(queue);
        int wrong = Now + ahead;
        MachineMemory.Store(ref word, (uint)wrong);
        Assert.False(queue.Store.Control.AppendLooks.IsCrowded);
        int before = Now;
        queue.Store.Control.AppendLooks.Rest(Patience);
        int taken = (int)MachineMemory.Load(ref word);
        Assert.InRange(taken - before, LookTimes.Interval, Now - before + LookTimes.Interval);
        Release(queue);
    }

    // A crowd that has sent what it had is no crowd any more: who sleeps is not to wait for its time.
    [Fact]
    public void Who_finds_the_lock_idle_wakes_the_others()
    {
        using MappedQueue<Note> queue = Open(new QueueOptions());
        ref long word = ref WordOf(queue);
        GiveOut(ref word, 200);
        queue.Store.Control.AppendLooks.Rest(TimeSpan.Zero);
        Assert.Equal(1, (int)(MachineMemory.Load(ref word) >> 32));
        Assert.False(queue.Store.Control.AppendLooks.IsCrowded);
    }

    // As the one above, but somebody has the lock: the others would find nothing.
    [Fact]
    public void Who_finds_the_lock_taken_wakes_nobody()
    {
        using MappedQueue<Note> queue = Open(new QueueOptions());
        Hold(queue);
        ref long word = ref WordOf(queue);
        GiveOut(ref word, 200);
        queue.Store.Control.AppendLooks.Rest(TimeSpan.Zero);
        Assert.Equal(0, (int)(MachineMemory.Load(ref word) >> 32));
        Release(queue);
    }

    [Fact]
    public void A_crowd_loses_and_doubles_nothing()
    {
        const int senders = 40, each = 300;
        using MappedQueue<Note> queue = Open(new QueueOptions());
        Thread[] threads = [.. Enumerable.Range(0, senders).Select(sender => new Thread(() =>
        {
            for (int i = 0; i < each; i++)
            {
                queue.Enqueue(Of((sender * each) + i));
            }
        }))];
        Array.ForEach(threads, static thread => thread.Start());
        Array.ForEach(threads, static thread => thread.Join());
        List<long> all = [.. Drain(queue)];
        Assert.Equal(Enumerable.Range(0, senders * each).Select(static number => (long)number), all.Order());
        Assert.All(all.GroupBy(static number => number / each), static one => Assert.Equal(one.Order(), one));
    }

    private static int Now => (int)(Stopwatch.GetElapsedTime(0).Ticks / TimeSpan.TicksPerMicrosecond);

    private static int GiveOut(ref long word, int milliseconds)
    {
        int last = Now + (milliseconds * LookTimes.Interval);
        MachineMemory.Store(ref word, (uint)last);
        return last;
    }

    private static void Hold(MappedQueue<Note> queue) =>
        MachineMemory.Store(ref queue.Store.Control.LockOwner, queue.Store.Self.OwnerWord);

    private static void Release(MappedQueue<Note> queue) => MachineMemory.Store(ref queue.Store.Control.LockOwner, 0);

    private static ref long WordOf(MappedQueue<Note> queue) => ref queue.Store.Control.AppendLooksWord;
}
