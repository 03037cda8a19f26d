using BlitQueue.Log;
using BlitQueue.Memory;
using Xunit;

namespace BlitQueue.Tests.Queue;

/// <summary>
/// Calls that wait for the same are not all ended where there may be one message alone, and each is once there are enough.
/// </summary>
public sealed class HerdTests : QueueFixture
{
    private const int Calls = 1000, Few = 100;

    private static readonly TimeSpan Patience = TimeSpan.FromSeconds(60);

    [Fact]
    public async Task What_a_look_has_found_once_ends_a_few_of_a_thousand_calls_that_have_waited_longest()
    {
        using MappedQueue<Note> queue = Open();
        AsyncWaitQueue waits = queue.Store.DataWaits;
        int found = 0;
        Func<bool, bool> look = _ => Interlocked.Exchange(ref found, 0) == 1;
        Task[] calls = [.. Enumerable.Range(0, Calls).Select(_ => waits.WaitAsync(look, default).AsTask())];
        Volatile.Write(ref found, 1);
        waits.LookAgain();
        await calls[0].WaitAsync(Patience);
        // The same look ends others; all of them have ended before the next one runs.
        while (Volatile.Read(ref found) != 0)
        {
            await Task.Delay(1);
        }
        waits.Close();
        int served = calls.Count(static call => call.IsCompletedSuccessfully);
        Assert.InRange(served, 1, Few);
        Assert.All(calls[..served], static call => Assert.True(call.IsCompletedSuccessfully));
    }

    // The thread read the mark and cleared it in two steps: a look that was asked for in between was forgotten.
    [Fact]
    public async Task A_look_that_is_asked_for_while_the_thread_begins_a_round_is_had()
    {
        using var region = new MappedRegion(Environment.SystemPageSize);
        var waits = new AsyncWaitQueue(new CallGate(static () => { }), new EventCount(region, 0));
        long looks = 0, rounds = 0;
        bool isOver = false;
        ValueTask call;
        // The test's own thread takes the place of that of the process, which would share a round with it otherwise.
        lock (WaitThread.Sync)
        {
            call = waits.WaitAsync(
                _ =>
                {
                    Volatile.Write(ref looks, looks + 1);
                    return false;
                },
                default);
            WaitThread.Leave(waits);
        }
        var thread = new Thread(() =>
        {
            while (!Volatile.Read(ref isOver))
            {
                waits.TryAnnounce(out _);
                waits.Look(thorough: false);
                // With a fence: otherwise the next round may read the mark before this one is seen to be over.
                Interlocked.Increment(ref rounds);
            }
        });
        thread.Start();
        int forgotten = 0;
        for (int asked = 0; asked < 20_000; asked++)
        {
            long before = Volatile.Read(ref looks);
            waits.LookAgain();
            long from = Volatile.Read(ref rounds);
            SpinWait.SpinUntil(() => Volatile.Read(ref rounds) >= from + 2);
            forgotten += Volatile.Read(ref looks) == before ? 1 : 0;
        }
        Volatile.Write(ref isOver, true);
        thread.Join();
        Assert.Equal(0, forgotten);
        waits.Close();
        await Assert.ThrowsAsync<ObjectDisposedException>(call.AsTask);
    }

    [Fact]
    public async Task What_looks_go_on_to_find_ends_all()
    {
        using MappedQueue<Note> queue = Open();
        AsyncWaitQueue waits = queue.Store.DataWaits;
        bool found = false;
        Func<bool, bool> look = _ => Volatile.Read(ref found);
        Task[] calls = [.. Enumerable.Range(0, Calls).Select(_ => waits.WaitAsync(look, default).AsTask())];
        Volatile.Write(ref found, true);
        waits.LookAgain();
        await Task.WhenAll(calls).WaitAsync(Patience);
    }
}
