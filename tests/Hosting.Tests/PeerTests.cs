using System.Diagnostics;

namespace BlitQueue.Hosting.Tests;

/// <summary>Hosts as processes of their own, which are stopped and killed.</summary>
public sealed class PeerTests : PeerFixture
{
    [Fact]
    public async Task A_host_that_is_killed_loses_nothing()
    {
        const int Count = 300;
        Fill(Count);
        for (int kills = 0; kills < 3; kills++)
        {
            int seen = Ended().Count;
            using Process peer = Start(milliseconds: 20, "hears", seconds: 30);
            try
            {
                // A peer that is much faster than this test may be done.
                await UntilAsync(() => Ended().Count >= seen + 20 || Status().MessageCount == 0);
            }
            finally
            {
                peer.Kill();
            }
            await peer.WaitForExitAsync();
        }
        using (Process last = Start(milliseconds: 1, "hears", seconds: 30))
        {
            // Something for this host too: where the others left nothing, it would be told to stop before it runs.
            Fill(1);
            await UntilAsync(() => Status().MessageCount == 0);
            await StopAsync(last);
        }
        Assert.Equal(Enumerable.Range(0, Count), Ended().Distinct().Order());
        Assert.Equal(0, Status().Subscriptions[0].DeadLetters);
    }

    [Fact]
    public async Task A_host_that_is_told_to_stop_finishes_what_it_has_begun()
    {
        const int Count = 40;
        Fill(Count);
        using Process peer = Start(milliseconds: 200, "hears", seconds: 60);
        await UntilAsync(() => Ended().Count >= 4);
        await StopAsync(peer);
        List<int> ended = Ended();
        Assert.Equal(Begun().Order(), ended.Order());
        Assert.Equal(Enumerable.Range(0, Count).Except(ended), Left().Select(static one => one.Id));
    }

    [Fact]
    public async Task A_host_whose_handlers_hang_stops_in_its_time_and_gives_their_messages_back()
    {
        Fill(6);
        using Process peer = Start(milliseconds: int.MaxValue, "deaf", seconds: 2);
        await UntilAsync(() => Begun().Count == 4);
        await StopAsync(peer);
        Assert.Equal([(0, 1), (1, 1), (2, 1), (3, 1), (4, 1), (5, 1)], Left().Order());
    }

    private List<(int Id, int Attempt)> Left()
    {
        using var queue = MappedQueue<Job>.Open(QueuePath);
        using Subscription<Job> subscription = queue.Subscribe("default");
        List<(int, int)> left = [];
        while (subscription.TryReceive(out Lease<Job> lease))
        {
            left.Add((lease.Read().Id, lease.Attempt));
            lease.Commit();
        }
        return left;
    }
}
