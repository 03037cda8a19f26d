using BlitQueue.Memory;
using Xunit;

namespace BlitQueue.Tests.Memory;

public sealed class PermitsTests
{
    private static readonly TimeSpan Patience = TimeSpan.FromSeconds(60);

    private static readonly TimeSpan Moment = TimeSpan.FromMilliseconds(20);

    [Fact]
    public async Task There_are_so_many_and_a_caller_beyond_them_waits_for_its_time_or_its_token()
    {
        var permits = new Permits(2);
        Assert.True(permits.TryTake());
        Assert.True(permits.TryTake(TimeSpan.Zero, CancellationToken.None));
        Assert.False(permits.TryTake());
        Assert.False(permits.TryTake(Moment, CancellationToken.None));
        Assert.False(await permits.TryTakeAsync(Moment, CancellationToken.None));
        using var cancelled = new CancellationTokenSource(Moment);
        Assert.ThrowsAny<OperationCanceledException>(() => permits.TryTake(Timeout.InfiniteTimeSpan, cancelled.Token));
        await Assert.ThrowsAnyAsync<OperationCanceledException>(
            async () => await permits.TryTakeAsync(Timeout.InfiniteTimeSpan, cancelled.Token));
        permits.Give(2);
        Assert.True(permits.TryTake() && permits.TryTake());
        Assert.False(permits.TryTake());
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task A_permit_that_is_given_back_wakes_a_caller_that_waits(bool onThread)
    {
        var permits = new Permits(0);
        Task<bool>[] waiting = [.. Enumerable.Range(0, 3).Select(_ => Take(permits, onThread))];
        for (int given = 1; given <= waiting.Length; given++)
        {
            await Task.Delay(Moment);
            permits.Give(1);
            Assert.True(SpinWait.SpinUntil(() => waiting.Count(static one => one.IsCompleted) == given, Patience));
        }
        Assert.All(waiting, static one => Assert.True(one.Result));
        Assert.False(permits.TryTake());
    }

    private static Task<bool> Take(Permits permits, bool onThread) => onThread
        ? Task.Factory.StartNew(() => permits.TryTake(Timeout.InfiniteTimeSpan, CancellationToken.None), TaskCreationOptions.LongRunning)
        : permits.TryTakeAsync(Timeout.InfiniteTimeSpan, CancellationToken.None).AsTask();

    [Fact]
    public async Task At_the_end_every_caller_that_waits_or_comes_later_gets_one()
    {
        var permits = new Permits(0);
        Task<bool>[] waiting = [.. Enumerable.Range(0, 6).Select(number => Take(permits, onThread: number % 2 == 0))];
        await Task.Delay(Moment);
        permits.GiveAll();
        Assert.All(await Task.WhenAll(waiting).WaitAsync(Patience), Assert.True);
        permits.Give(1);
        Assert.True(await Take(permits, onThread: false).WaitAsync(Patience));
    }

    /// <summary>Some callers wait with a time, some with a token, some on a thread; most find permits that are just given back.</summary>
    [Fact]
    public async Task Under_contention_no_permit_is_lost_or_made_and_no_caller_waits_for_ever()
    {
        const int count = 3, callers = 8, rounds = 20_000;
        var permits = new Permits(count);
        int taken = 0, most = 0;
        Task[] working =
            [.. Enumerable.Range(0, callers).Select(caller => Task.Factory.StartNew(() => Work(caller), TaskCreationOptions.LongRunning))];
        await Task.WhenAll(working).WaitAsync(Patience);
        Assert.InRange(most, 1, count);
        Assert.Equal(0, taken);
        for (int left = 0; left < count; left++)
        {
            Assert.True(permits.TryTake());
        }
        Assert.False(permits.TryTake());

        void Work(int caller)
        {
            var random = new Random(caller);
            for (int round = 0; round < rounds; round++)
            {
                if (!TryTake(random))
                {
                    continue;
                }
                int now = Interlocked.Increment(ref taken);
                InterlockedMax(ref most, now);
                Interlocked.Decrement(ref taken);
                permits.Give(1);
            }
        }

        bool TryTake(Random random)
        {
            switch (random.Next(8))
            {
                case 0:
                    return permits.TryTake();
                case 1:
                    return permits.TryTake(TimeSpan.FromMilliseconds(random.Next(2)), CancellationToken.None);
                case 2:
                    using (var cancelled = new CancellationTokenSource(TimeSpan.FromMilliseconds(random.Next(2))))
                    {
                        try
                        {
                            return permits.TryTake(Timeout.InfiniteTimeSpan, cancelled.Token);
                        }
                        catch (OperationCanceledException)
                        {
                            return false;
                        }
                    }
                case 3:
                    return permits.TryTakeAsync(Timeout.InfiniteTimeSpan, CancellationToken.None).AsTask().GetAwaiter().GetResult();
                default:
                    return permits.TryTake(Timeout.InfiniteTimeSpan, CancellationToken.None);
            }
        }
    }

    /// <summary>The callers do nothing else, so that many find the count as another thread is about to change it.</summary>
    [Fact]
    public async Task Takes_and_gives_at_once_lose_and_make_no_permit()
    {
        const int callers = 4, rounds = 300_000;
        var permits = new Permits(2);
        Task[] working = [.. Enumerable.Range(0, callers).Select(_ => Task.Factory.StartNew(Work, TaskCreationOptions.LongRunning))];
        await Task.WhenAll(working).WaitAsync(Patience);
        Assert.True(permits.TryTake() && permits.TryTake());
        Assert.False(permits.TryTake());

        void Work()
        {
            for (int round = 0; round < rounds; round++)
            {
                if (permits.TryTake())
                {
                    permits.Give(1);
                }
            }
        }
    }

    private static void InterlockedMax(ref int highest, int value)
    {
        for (int now = Volatile.Read(ref highest); now < value;)
        {
            int found = Interlocked.CompareExchange(ref highest, value, now);
            now = found == now ? value : found;
        }
    }
}
