using BlitQueue.Memory;
using BlitQueue.Platform;

namespace BlitQueue.Log;

/// <summary>Lets a thread sleep until something is enqueued to any of several open queues.</summary>
/// <remarks>
/// SYNC POINT sleeper/waker, as in <see cref="EventCount"/>: marks on all words, one fence, one look at all queues, then the sleep. The
/// thread is inside no gate while it sleeps: if an address is unmapped, the kernel ends the sleep.
/// </remarks>
internal static class MultiQueueWait
{
    /// <summary>Sleeps, unless there is something already; afterwards the caller looks again.</summary>
    /// <param name="stores">The queues, no more than <see cref="LanesMeta.Most"/>.</param>
    /// <param name="look">Whether there is something.</param>
    /// <param name="atMost">The longest sleep.</param>
    /// <exception cref="ObjectDisposedException">One of the queues was disposed.</exception>
    /// <exception cref="QueueException">The directory of one of them was deleted or replaced.</exception>
    public static void Wait(ReadOnlySpan<QueueStore> stores, Func<bool> look, TimeSpan atMost)
    {
        int begun = 0;
        try
        {
            for (; begun < stores.Length; begun++)
            {
                stores[begun].Watch.BeginWait();
            }
            Sleep(stores, look, atMost);
        }
        finally
        {
            for (int i = 0; i < begun; i++)
            {
                stores[i].Watch.EndWait();
            }
        }
    }

    private static void Sleep(ReadOnlySpan<QueueStore> stores, Func<bool> look, TimeSpan atMost)
    {
        Span<ExpectedWord> words = stackalloc ExpectedWord[stores.Length];
        bool needsFence = false;
        for (int i = 0; i < stores.Length; i++)
        {
            using CallGate.Call call = stores[i].Gate.Enter();
            EventCount word = stores[i].Control.Data;
            words[i] = word.Expecting(word.Mark<MachineMemory>(out bool isFenced));
            needsFence |= !isFenced;
        }
        if (needsFence)
        {
            Fence(stores, words);
        }
        if (!look())
        {
            try
            {
                CurrentPlatform.Instance.WaitAny(words, EventCount.BeginSleep(atMost));
            }
            finally
            {
                EventCount.EndSleep();
            }
        }
    }

    private static void Fence(ReadOnlySpan<QueueStore> stores, ReadOnlySpan<ExpectedWord> words)
    {
        if (!MachineMemory.SleeperFence())
        {
            return;
        }
        for (int i = 0; i < stores.Length; i++)
        {
            using CallGate.Call call = stores[i].Gate.Enter();
            stores[i].Control.Data.NoteFence<MachineMemory>(words[i].Value);
        }
    }
}
