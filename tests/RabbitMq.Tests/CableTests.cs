using System.Diagnostics;

namespace BlitQueue.RabbitMq.Tests;

/// <summary>Both ends are on a machine whose cable to the broker is pulled: no end of a connection is told.</summary>
public sealed class CableTests(Broker broker) : BridgeFixture(broker)
{
    // How often the ends' connections say that they are there, seconds; a silence of twice as long is the end of one.
    private const int Heartbeat = 2;

    /// <summary>First for so short that the connections outlast it, then until both sides have given them up.</summary>
    [NetworkFact]
    public async Task A_cable_that_is_pulled_loses_and_doubles_nothing()
    {
        await DeclareAsync(("x-queue-type", "quorum"), ("x-single-active-consumer", true));
        using var cable = new Cable(Broker.Port);
        Process[] ends = [StartSite("forward", cable), StartSite("receive", cable)];
        try
        {
            Send(0, 1_000);
            await UntilAsync(() => Outbox.GetStatus().MessageCount == 0);
            TimeSpan[] cuts = [TimeSpan.FromSeconds(1), TimeSpan.FromSeconds(6 * Heartbeat)];
            for (int cut = 0; cut < cuts.Length; cut++)
            {
                cable.Pull();
                Send((cut + 1) * 1_000, 1_000);
                await Task.Delay(cuts[cut]);
                Assert.Equal(1_000, Outbox.GetStatus().MessageCount);
                cable.Plug();
                await UntilAsync(() => Outbox.GetStatus().MessageCount == 0);
            }
            await TakeAllInOrderAsync(3_000);
            Assert.All(ends, static end => Assert.False(end.HasExited));
        }
        finally
        {
            foreach (Process end in ends)
            {
                end.Kill();
                end.WaitForExit();
                end.Dispose();
            }
        }
    }

    private Process StartSite(string end, Cable cable) => Process.Start(
        cable.On(Dotnet, SiteArguments(end, end == "forward" ? Outbox.Path : StorePath, cable.Host, [$"{Heartbeat}"])))!;
}
