using BlitQueue.Platform;
using Xunit;
using Xunit.Abstractions;

namespace BlitQueue.Tests.Processes;

[Collection(ProcessCollection.Name)]
public sealed class SleepTests(ITestOutputHelper output)
{
    // A wake-up that is lost costs 50 ms, and on a system that polls each trip costs milliseconds: the figures are for the reader.
    [Fact]
    public void Two_processes_that_sleep_wake_each_other()
    {
        using var site = new Site();
        using Peer answering = Peer.Start(site, "sleep-answer", "count=200").WaitFor("ready");
        using var asking = Peer.Start(site, "sleep-ask", "count=200");
        Assert.Equal((0, 0), (asking.WaitForExit(), answering.WaitForExit()));
        Assert.Matches("queues: [0-9.]+ us for a round trip", asking.Output);
        output.WriteLine(asking.Output);
    }

    // Wakers rely on it. A process that only fenced itself said "fenced" all the same.
    [Fact]
    public void A_process_that_has_woken_nobody_yet_takes_part_in_heavy_fences_when_it_sleeps()
    {
        using var site = new Site();
        using var peer = Peer.Start(site, "sleep-first");
        Assert.Equal(0, peer.WaitForExit());
        Assert.Contains($"came False, fences others {CurrentPlatform.Instance.JoinHeavyFence()}", peer.Output);
    }
}
