using System.Collections.Concurrent;
using System.Diagnostics;
using RabbitMQ.Client;

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
        var said = new ConcurrentQueue<string>();
        Process[] ends = [StartSite("forward", cable, said), StartSite("receive", cable, said)];
        try
        {
            Send(0, 1_000);
            await UntilAsync(() => Outbox.GetStatus().MessageCount == 0);
            TimeSpan[] cuts = [TimeSpan.FromSeconds(1), TimeSpan.FromSeconds(6 * Heartbeat)];
            for (int cut = 0; cut < cuts.Length; cut++)
            {
                Note(said, $"cut {cut}");
                cable.Pull();
                Send((cut + 1) * 1_000, 1_000);
                await Task.Delay(cuts[cut]);
                Assert.Equal(1_000, Outbox.GetStatus().MessageCount);
                cable.Plug();
                Note(said, "plugged");
                await UntilAsync(() => Outbox.GetStatus().MessageCount == 0);
            }
            await TakeAllInOrderAsync(3_000);
            Assert.All(ends, static end => Assert.False(end.HasExited));
        }
        catch (Exception exception)
        {
            throw new InvalidOperationException(
                $"{exception.Message}\n{await QueueAsync()}\nThe ends said:\n{string.Join('\n', said)}", exception);
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

    private Process StartSite(string end, Cable cable, ConcurrentQueue<string> said)
    {
        ProcessStartInfo start = cable.On(
            Dotnet, SiteArguments(end, end == "forward" ? Outbox.Path : StorePath, cable.Host, [$"{Heartbeat}"]));
        start.RedirectStandardError = true;
        Process site = Process.Start(start)!;
        site.ErrorDataReceived += (_, line) => Note(said, $"{end}: {line.Data}");
        site.BeginErrorReadLine();
        return site;
    }

    private static void Note(ConcurrentQueue<string> said, string text) => said.Enqueue($"{DateTime.UtcNow:HH:mm:ss.fff} {text}");

    // As the broker sees it.
    private async Task<string> QueueAsync()
    {
        await using IConnection connection = await Broker.ConnectAsync();
        await using IChannel channel = await connection.CreateChannelAsync();
        QueueDeclareOk queue = await channel.QueueDeclarePassiveAsync(Name);
        return $"The queue has {queue.MessageCount} messages ready, and {queue.ConsumerCount} consumers.";
    }
}
