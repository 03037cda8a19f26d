using System.Diagnostics;
using BlitQueue.Log;
using BlitQueue.Memory;
using BlitQueue.Tests.Queue;
using Xunit;

namespace BlitQueue.Tests.Segments;

public sealed class SlottedBackoffTests : QueueFixture
{
    // Far longer than any sleep of these tests.
    private static readonly TimeSpan Patience = TimeSpan.FromMinutes(1);

    // Where this thread gets no processor for so long that the last slot has passed, the next begins with the present.
    [Theory]
    [InlineData(40, SlottedBackoff.CrowdSlot)]
    [InlineData(3, SlottedBackoff.Slot)]
    public void Each_waiter_has_the_slot_behind_the_last_one(int milliseconds, int slot)
    {
        using MappedQueue<Note> queue = Open(new QueueOptions());
        Hold(queue);
        ref long word = ref WordOf(queue);
        int last = GiveOut(ref word, milliseconds);
        queue.Store.Control.AppendBackoff.Rest(Patience, default);
        int next = SlotOf(MachineMemory.Load(ref word));
        Assert.True(next == last + slot || last < Now, $"{next - last} us behind the one before");
        Release(queue);
    }

    // A slot that stays without a look would only keep the others waiting.
    [Fact]
    public void Who_cannot_wait_for_a_slot_takes_none()
    {
        using MappedQueue<Note> queue = Open(new QueueOptions());
        Hold(queue);
        ref long word = ref WordOf(queue);
        int last = GiveOut(ref word, 400);
        queue.Store.Control.AppendBackoff.Rest(TimeSpan.FromMilliseconds(1), default);
        Assert.Equal(last, SlotOf(MachineMemory.Load(ref word)));
        Release(queue);
    }

    [Fact]
    public void Who_is_cancelled_does_not_sleep_until_its_slot()
    {
        using MappedQueue<Note> queue = Open(new QueueOptions());
        Hold(queue);
        ref long word = ref WordOf(queue);
        int last = GiveOut(ref word, 400);
        queue.Store.Control.AppendBackoff.Rest(Patience, new CancellationToken(canceled: true));
        Assert.Equal(last + SlottedBackoff.CrowdSlot, SlotOf(MachineMemory.Load(ref word)));
        Assert.True(Now < last, "It has slept until its slot.");
        Release(queue);
    }

    [Fact]
    public void Four_who_wait_are_a_crowd()
    {
        using MappedQueue<Note> queue = Open(new QueueOptions());
        SlottedBackoff backoff = queue.Store.Control.AppendBackoff;
        Assert.False(backoff.IsCrowded);
        GiveOut(ref WordOf(queue), SlottedBackoff.Crowd - 1);
        Assert.False(backoff.IsCrowded);
        bool isCrowded;
        int given;
        do
        {
            // Seen within a millisecond, or once more.
            given = GiveOut(ref WordOf(queue), SlottedBackoff.Crowd + 1);
            isCrowded = backoff.IsCrowded;
        }
        while (given - Now < SlottedBackoff.Crowd * SlottedBackoff.Slot);
        Assert.True(isCrowded);
    }

    // As left by a damaged file, or by a clock that has begun anew: who believed it might sleep for half an hour.
    [Theory]
    [InlineData(SlottedBackoff.Longest + 1_000_000)]
    [InlineData(int.MaxValue)]
    [InlineData(int.MinValue)]
    [InlineData(-1)]
    public void A_time_that_cannot_be_right_counts_as_none(int ahead)
    {
        using MappedQueue<Note> queue = Open(new QueueOptions());
        Hold(queue);
        ref long word = ref WordOf(queue);
        int wrong = Now + ahead;
        MachineMemory.Store(ref word, (uint)SlotOf(wrong));
        Assert.False(queue.Store.Control.AppendBackoff.IsCrowded);
        int before = Now;
        queue.Store.Control.AppendBackoff.Rest(Patience, default);
        int taken = SlotOf(MachineMemory.Load(ref word));
        Assert.InRange(taken - before, SlottedBackoff.Slot - 3, Now - before + SlottedBackoff.Slot);
        Release(queue);
    }

    // A crowd that has sent what it had is no crowd any more: who sleeps is not to wait for its slot. One slot says nothing: the one who
    // works may have lost its processor.
    [Fact]
    public void Slots_in_a_row_that_find_the_lock_idle_wake_the_others()
    {
        using MappedQueue<Note> queue = Open(new QueueOptions());
        ref long word = ref WordOf(queue);
        GiveOut(ref word, 400);
        RestOften(queue, SlottedBackoff.IdleSlots - 1);
        Assert.Equal(0, TicketOf(word));
        RestOften(queue, 1);
        Assert.Equal(1, TicketOf(word));
        Assert.False(queue.Store.Control.AppendBackoff.IsCrowded);
    }

    [Fact]
    public void A_slot_that_finds_the_lock_taken_begins_the_row_anew()
    {
        using MappedQueue<Note> queue = Open(new QueueOptions());
        ref long word = ref WordOf(queue);
        GiveOut(ref word, 400);
        RestOften(queue, SlottedBackoff.IdleSlots - 1);
        Hold(queue);
        RestOften(queue, SlottedBackoff.IdleSlots);
        Release(queue);
        RestOften(queue, SlottedBackoff.IdleSlots - 1);
        Assert.Equal(0, TicketOf(word));
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

    private static int SlotOf(long word) => (int)word & ~3;

    private static int TicketOf(long word) => (int)(word >> 32);

    private static void RestOften(MappedQueue<Note> queue, int count)
    {
        for (int i = 0; i < count; i++)
        {
            queue.Store.Control.AppendBackoff.Rest(TimeSpan.FromMicroseconds(1), default);
        }
    }

    // As if the last slot were so far away.
    private static int GiveOut(ref long word, int milliseconds)
    {
        int last = SlotOf(Now + (milliseconds * 1000));
        MachineMemory.Store(ref word, (uint)last);
        return last;
    }

    private static void Hold(MappedQueue<Note> queue) =>
        MachineMemory.Store(ref queue.Store.Control.LockOwner, queue.Store.Self.OwnerWord);

    private static void Release(MappedQueue<Note> queue) => MachineMemory.Store(ref queue.Store.Control.LockOwner, 0);

    private static ref long WordOf(MappedQueue<Note> queue) => ref queue.Store.Control.AppendBackoffWord;
}
