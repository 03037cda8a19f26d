using System.Text;

namespace BlitQueue.RabbitMq.Tests;

/// <summary>A broker without memory, a queue that is not on the disk or damaged: messages wait, and nothing is lost.</summary>
public sealed class ScarcityTests(Broker broker) : BridgeFixture(broker)
{
    [BrokerFact]
    public async Task A_broker_without_memory_is_told_and_gets_everything_later()
    {
        Run(ReceiverOptions);
        Forwarder<Parcel> forwarder = Run(ForwarderOptions);
        Send(0, 10);
        await UntilAsync(() => forwarder.GetState().Messages == 10);
        await Broker.ControlAsync("set_vm_memory_high_watermark", "0");
        try
        {
            await UntilAsync(() =>
            {
                Send(_sent++, 1);
                return forwarder.GetState().Problem == BridgeProblem.Blocked;
            });
            Assert.Contains("low on memory", forwarder.GetState().LastError, StringComparison.Ordinal);
            Send(_sent, 100);
            _sent += 100;
            Assert.True(forwarder.GetState().Lag >= 100);
        }
        finally
        {
            await Broker.ControlAsync("set_vm_memory_high_watermark", "0.4");
        }
        await TakeAllInOrderAsync(_sent);
        Assert.Equal(BridgeProblem.None, forwarder.GetState().Problem);
    }

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

    private int _sent = 10;

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
