using System.Diagnostics;
using BlitQueue.Log;
using Xunit;
using Xunit.Abstractions;

namespace BlitQueue.Tests.Processes;

[Collection(ProcessCollection.Name)]
public sealed class IdleTests(ITestOutputHelper output)
{
    [Theory]
    [InlineData("consume")]
    [InlineData("lease")]
    public void A_consumer_that_waits_costs_less_than_a_twentieth_of_a_processor(string command)
    {
        using var site = new Site();
        using Peer peer = Peer.Start(site, command, "segment=65536").WaitFor("ready");
        double share = ShareOf(peer);
        Assert.True(share < 0.05, $"A waiting consumer took {share:P1} of a processor.");
        peer.Finish();
    }

    // The figure for the reader is that of the output: below 0.02 where the machine has nothing else to do.
    [Theory]
    [InlineData("wait-threads")]
    [InlineData("wait-async")]
    public void A_hundred_consumers_that_wait_cost_less_than_a_twentieth_of_a_processor(string command)
    {
        using var site = new Site();
        using Peer peer = Peer.Start(site, command, "segment=65536").WaitFor("waiting");
        double share = ShareOf(peer);
        Assert.True(share < 0.05, $"A hundred waiting consumers took {share:P1} of a processor.");
        peer.Finish();
    }

    [Theory]
    [InlineData(1, 50)]
    [InlineData(4, 50)]
    [InlineData(8, 100)]
    [InlineData(80, 1000)]
    [InlineData(1000, 1000)]
    public void The_more_threads_of_a_process_sleep_the_longer_each_does(int sleeping, int milliseconds) =>
        Assert.Equal(milliseconds, EventCount.LongestAmong(sleeping).TotalMilliseconds);

    private double ShareOf(Peer peer)
    {
        // Its start is not what is measured.
        Thread.Sleep(1500);
        TimeSpan before = peer.ProcessorTime;
        long started = Stopwatch.GetTimestamp();
        Thread.Sleep(2000);
        double share = (peer.ProcessorTime - before) / Stopwatch.GetElapsedTime(started);
        output.WriteLine($"{share:P1} of a processor.");
        return share;
    }
}
