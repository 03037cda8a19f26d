using System.Diagnostics;
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
        // Its start is not what is measured.
        Thread.Sleep(500);
        TimeSpan before = peer.ProcessorTime;
        long started = Stopwatch.GetTimestamp();
        Thread.Sleep(2000);
        double share = (peer.ProcessorTime - before) / Stopwatch.GetElapsedTime(started);
        output.WriteLine($"{share:P1} of a processor.");
        Assert.True(share < 0.05, $"A waiting consumer took {share:P1} of a processor.");
        peer.Finish();
    }
}
