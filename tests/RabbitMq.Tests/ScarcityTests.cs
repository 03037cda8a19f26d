using System.Text;

namespace BlitQueue.RabbitMq.Tests;

/// <summary>A broker without memory, a queue that is not on the disk or damaged: messages wait, and nothing is lost.</summary>
public sealed class ScarcityTests(Broker broker) : BridgeFixture(broker)
{
    [BrokerFact]
    public Task A_broker_without_memory_is_told_and_gets_everything_later() => MeetAlarmAsync(
        ["set_vm_memory_high_watermark", "0"], ["set_vm_memory_high_watermark", "0.4"], "low on memory");

    [BrokerFact]
    public Task A_broker_without_disk_is_told_and_gets_everything_later() => MeetAlarmAsync(
        ["set_disk_free_limit", "1000000GB"], ["set_disk_free_limit", "1MB"], "low on disk");

    [BrokerFact]
    public async Task Only_what_is_on_the_disk_is_forwarded_where_asked()
    {
        ForwarderOptions options = ForwarderOptions;
        options.DurableOnly = true;
        Run(ReceiverOptions);
        Forwarder<Parcel> forwarder = Run(options);
        await UntilAsync(() => forwarder.GetState().Connected);
        Send(0, 100);
        Outbox.Flush();
        await TakeAllInOrderAsync(100);
        // Not flushed: it waits, though the broker is there.
        Send(100, 1);
        await Task.Delay(TimeSpan.FromSeconds(1));
        Assert.Equal((100L, 1L), (forwarder.GetState().Messages, forwarder.GetState().Lag));
        Outbox.Flush();
        Assert.Equal([100L], await TakeAsync(1));
    }

    [BrokerFact]
    public async Task A_damaged_message_is_told_and_those_behind_it_wait()
    {
        Send(0, 10);
        Damage("parcel 5");
        Run(ReceiverOptions);
        Forwarder<Parcel> forwarder = Run(ForwarderOptions);
        Assert.Equal([0L, 1, 2, 3, 4], await TakeAsync(5));
        await UntilAsync(forwarder, BridgeProblem.DamagedMessage);
        Assert.Contains("SkipCorrupt", forwarder.GetState().LastError, StringComparison.Ordinal);
        using Subscription<Parcel> subscription = Outbox.Subscribe("default");
        subscription.SkipCorrupt();
        Assert.Equal([6L, 7, 8, 9], await TakeAsync(4));
        await UntilAsync(() => forwarder.GetState() is { Lag: 0, Problem: BridgeProblem.None });
    }

    private async Task MeetAlarmAsync(string[] raise, string[] end, string reason)
    {
        Run(ReceiverOptions);
        Forwarder<Parcel> forwarder = Run(ForwarderOptions);
        Send(0, 10);
        int sent = 10;
        await UntilAsync(() => forwarder.GetState().Messages == 10);
        long connections = forwarder.GetState().Connections;
        await Broker.ControlAsync(raise);
        try
        {
            await UntilAsync(() =>
            {
                Send(sent++, 1);
                return forwarder.GetState().Problem == BridgeProblem.Blocked;
            });
            Assert.Contains(reason, forwarder.GetState().LastError, StringComparison.Ordinal);
            Send(sent, 100);
            sent += 100;
            // Longer than a broker may be silent that is not blocked.
            await Task.Delay(TimeSpan.FromSeconds(17));
            Assert.True(forwarder.GetState() is { Lag: >= 100, Problem: BridgeProblem.Blocked });
        }
        finally
        {
            await Broker.ControlAsync(end);
        }
        await TakeAllInOrderAsync(sent);
        Assert.Equal((BridgeProblem.None, connections), (forwarder.GetState().Problem, forwarder.GetState().Connections));
    }

    // In the file, which other processes have mapped.
    private void Damage(string text)
    {
        foreach (string path in Directory.EnumerateFiles(Outbox.Path, "*", SearchOption.AllDirectories))
        {
            using var file = new FileStream(path, FileMode.Open, FileAccess.ReadWrite, FileShare.ReadWrite);
            byte[] bytes = new byte[file.Length];
            file.ReadExactly(bytes);
            if (bytes.AsSpan().IndexOf(Encoding.UTF8.GetBytes(text)) is >= 0 and var at)
            {
                file.Position = at;
                file.Write("PARCEL"u8);
                return;
            }
        }
        Assert.Fail($"no file has '{text}'");
    }
}
