using System.Text;

namespace BlitQueue.RabbitMq.Tests;

/// <summary>A broker without memory, a queue that is full, not on the disk or damaged: messages wait, and nothing is lost.</summary>
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
        // As long as it takes to look again.
        await Task.Delay(TimeSpan.FromSeconds(1.5));
        Assert.Equal((5L, 5L), (forwarder.GetState().Messages, forwarder.GetState().Lag));
        await SkipAsync();
        Assert.Equal([6L, 7, 8, 9], await TakeAsync(4));
        await UntilAsync(() => forwarder.GetState() is { Lag: 0, Problem: BridgeProblem.None });
    }

    /// <summary>What is in the window is no other process's to skip.</summary>
    [BrokerFact]
    public async Task A_message_that_is_damaged_while_it_waits_in_the_window_is_given_back_with_those_behind_it()
    {
        Send(0, 10);
        // They are leased, and published again and again.
        Forwarder<Parcel> forwarder = Run(ForwarderOptions);
        await UntilAsync(forwarder, BridgeProblem.Unroutable);
        Damage("parcel 5");
        Run(ReceiverOptions);
        Assert.Equal([0L, 1, 2, 3, 4], await TakeAsync(5));
        await UntilAsync(forwarder, static state => state is { Messages: 5, Problem: BridgeProblem.DamagedMessage });
        await SkipAsync();
        Assert.Equal([6L, 7, 8, 9], await TakeAsync(4));
        await UntilAsync(forwarder, static state => state is { Lag: 0, SetAside: 0, Problem: BridgeProblem.None });
    }

    /// <summary>Without checksums the damage shows where the properties are read.</summary>
    [BrokerFact]
    public async Task Properties_that_are_damaged_are_told()
    {
        using var outbox = MappedQueue<Parcel>.Open(FileOf("unchecked"), new QueueOptions { SegmentSize = 1 << 20, UseChecksums = false });
        var properties = new MessageProperties { Headers = { ["name of a header"] = "value" } };
        outbox.Enqueue(new Parcel { Number = 0, Text = "parcel 0" }, properties);
        Damage(outbox, "name of a header", [0xFF, 0xFF, 0xFF]);
        await DeclareAsync();
        await WhileForwardingAsync(outbox, ForwarderOptions, static forwarder => UntilAsync(forwarder, BridgeProblem.DamagedMessage));
        using Subscription<Parcel> subscription = outbox.Subscribe("default");
        Assert.True(subscription.SkipCorrupt());
        Assert.Equal(0, outbox.GetStatus().MessageCount);
    }

    /// <summary>The run ends and the next one waits until somebody steps over it, as where it is damaged earlier.</summary>
    [MountFact]
    public async Task A_message_that_is_damaged_while_its_letter_waits_is_told()
    {
        using var disk = new SmallDisk(FileOf("disk"), "64m");
        using var outbox = MappedQueue<Parcel>.Open(disk["outbox"], new QueueOptions { SegmentSize = 1 << 16, UseChecksums = true });
        await DeclareAsync();
        ForwarderOptions options = ForwarderOptions;
        options.MaxMessageSize = 1_000;
        await WhileForwardingAsync(outbox, options, async forwarder =>
        {
            disk.Fill();
            Send(outbox, 0, 1, filling: 2_000);
            Send(outbox, 1, 3);
            await UntilAsync(forwarder, static state => state is { Messages: 3, Problem: BridgeProblem.LocalQueueFull });
            Damage(outbox, "parcel 0", "PARCEL"u8);
            disk.Free();
            await UntilAsync(forwarder, BridgeProblem.DamagedMessage);
        });
        using Subscription<Parcel> subscription = outbox.Subscribe("default");
        Assert.True(subscription.SkipCorrupt());
        Assert.Equal(0, outbox.GetStatus().MessageCount);
    }

    /// <summary>What is in front of it goes first: others can step over the oldest message alone.</summary>
    [MountFact]
    public async Task A_message_that_is_damaged_while_its_letter_waits_holds_up_none_in_front_of_it()
    {
        using var disk = new SmallDisk(FileOf("disk"), "64m");
        using var outbox = MappedQueue<Parcel>.Open(disk["outbox"], new QueueOptions { SegmentSize = 1 << 16, UseChecksums = true });
        await LeaveUnsentAsync(outbox, disk, bad: 20, all: 22);
        Damage(outbox, "parcel 20", "PARCEL"u8);
        ForwarderOptions options = ForwarderOptions;
        options.MaxMessageSize = 1_000;
        await WhileForwardingAsync(outbox, options, async forwarder =>
        {
            await UntilAsync(forwarder, BridgeProblem.DamagedMessage);
            await SkipAsync(outbox);
            await UntilAsync(forwarder, static state => state is { Lag: 0, Problem: BridgeProblem.None });
        });
        Assert.Equal(Without(20, 22), await TakeAsync(21));
    }

    /// <summary>Each run consumes nothing for some seconds, also one that finds nothing else.</summary>
    [BrokerFact]
    public async Task A_damaged_message_that_is_the_first_can_be_skipped_at_any_time()
    {
        Send(0, 3);
        Damage("parcel 0");
        Run(ReceiverOptions);
        Forwarder<Parcel> forwarder = Run(ForwarderOptions);
        await UntilAsync(forwarder, BridgeProblem.DamagedMessage);
        // The second run begins.
        await Task.Delay(TimeSpan.FromSeconds(7));
        await SkipAsync();
        Assert.Equal([1L, 2], await TakeAsync(2));
        await UntilAsync(forwarder, static state => state is { Lag: 0, Problem: BridgeProblem.None });
    }

    /// <summary>What the broker does not take is in the way of others who would step over the damage, and is told.</summary>
    [BrokerFact]
    public async Task Damage_behind_a_message_that_waits_for_the_broker_does_not_hide_it()
    {
        Send(0, 3);
        Damage("parcel 2");
        Forwarder<Parcel> forwarder = Run(ForwarderOptions);
        await UntilAsync(forwarder, BridgeProblem.Unroutable);
        int told = 0;
        forwarder.ProblemChanged += (_, problem) => told += problem.Problem == BridgeProblem.DamagedMessage ? 1 : 0;
        // Two runs that end at the damage would tell it in this time.
        await Task.Delay(TimeSpan.FromSeconds(12));
        Assert.Equal((0, BridgeProblem.Unroutable), (told, forwarder.GetState().Problem));
        Run(ReceiverOptions);
        Assert.Equal([0L, 1], await TakeAsync(2));
        await UntilAsync(forwarder, BridgeProblem.DamagedMessage);
        await SkipAsync();
        await UntilAsync(forwarder, static state => state is { Lag: 0, Problem: BridgeProblem.None });
    }

    [BrokerFact]
    public async Task A_damaged_message_that_was_the_last_is_told_no_more_when_it_is_skipped()
    {
        Send(0, 6);
        Damage("parcel 5");
        Run(ReceiverOptions);
        Forwarder<Parcel> forwarder = Run(ForwarderOptions);
        Assert.Equal([0L, 1, 2, 3, 4], await TakeAsync(5));
        await UntilAsync(forwarder, BridgeProblem.DamagedMessage);
        await SkipAsync();
        await UntilAsync(forwarder, static state => state is { Lag: 0, Problem: BridgeProblem.None });
    }

    /// <summary>
    /// Messages that wait for a broker fill the outbox up to its capacity, and producers wait from then on: whether the broker is away, or
    /// is there and confirms nothing.
    /// </summary>
    [BrokerFact]
    public async Task A_broker_that_takes_nothing_stops_producers_at_the_capacity()
    {
        using var outbox = MappedQueue<Parcel>.Open(FileOf("small"), new QueueOptions { SegmentSize = 1 << 16, Capacity = 1 << 18 });
        ForwarderOptions options = ForwarderOptions;
        options.Broker.Hosts = ["127.0.0.1:1"];
        var forwarder = new Forwarder<Parcel>(outbox, options);
        using var end = new CancellationTokenSource();
        var running = Task.Run(() => forwarder.RunAsync(end.Token));
        await UntilAsync(() => forwarder.GetState().Problem == BridgeProblem.Unreachable);
        int sent = 0;
        while (sent < 10_000 && outbox.TryEnqueue(new Parcel { Number = sent, Text = $"parcel {sent}", Filling = new byte[1_000] }))
        {
            sent++;
        }
        Assert.InRange(sent, 100, 300);
        Assert.Equal((sent, 0L), (forwarder.GetState().Lag, forwarder.GetState().Messages));
        var producing = Task.Run(() => Send(outbox, sent, 1_000, filling: 1_000));
        await Task.Delay(TimeSpan.FromSeconds(1));
        Assert.Equal((false, sent), (producing.IsCompleted, forwarder.GetState().Lag));
        options.Broker.Hosts = [Broker.Host];
        await UntilAsync(() => forwarder.GetState().Problem == BridgeProblem.Unroutable);
        await Task.Delay(TimeSpan.FromSeconds(1));
        Assert.Equal((false, sent), (producing.IsCompleted, forwarder.GetState().Lag));
        Run(ReceiverOptions);
        Assert.Equal(Enumerable.Range(0, sent + 1_000).Select(static one => (long)one), await TakeAsync(sent + 1_000));
        await producing;
        await UntilAsync(() => forwarder.GetState() is { Lag: 0, Problem: BridgeProblem.None });
        await end.CancelAsync();
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => running);
    }

    // It is refused while the forwarder consumes, which looks again now and then.
    private Task SkipAsync() => SkipAsync(Outbox);

    private static Task SkipAsync(MappedQueue<Parcel> outbox) => UntilAsync(() =>
    {
        using Subscription<Parcel> subscription = outbox.Subscribe("default");
        try
        {
            return subscription.SkipCorrupt();
        }
        catch (QueueException refused) when (refused.Reason == QueueError.InUse)
        {
            return false;
        }
    });

    /// <summary>What was on its way is confirmed after the broker has said that it takes nothing more.</summary>
    [BrokerFact]
    public async Task A_broker_without_memory_is_told_of_for_as_long_as_it_takes_nothing()
    {
        await DeclareAsync(("x-queue-type", "quorum"));
        Forwarder<Parcel> forwarder = Run(ForwarderOptions);
        using var enough = new CancellationTokenSource();
        var sending = Task.Run(async () =>
        {
            for (int i = 0; !enough.IsCancellationRequested; i++)
            {
                Send(i, Outbox.GetStatus().MessageCount < 3000 ? 20 : 0, filling: 500);
                await Task.Delay(1);
            }
        });
        await UntilAsync(() => forwarder.GetState().Messages > 200);
        await Broker.ControlAsync("set_vm_memory_high_watermark", "0");
        try
        {
            await UntilAsync(forwarder, static state => state is { Lag: >= 3000 });
            await UntilAsync(forwarder, BridgeProblem.Blocked);
            for (int look = 0; look < 20; look++)
            {
                await Task.Delay(50);
                Assert.Equal(BridgeProblem.Blocked, forwarder.GetState().Problem);
            }
        }
        finally
        {
            await enough.CancelAsync();
            await Broker.ControlAsync("set_vm_memory_high_watermark", "0.4");
        }
        await sending;
        await UntilAsync(forwarder, static state => state is { Lag: 0, Problem: BridgeProblem.None });
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
        await UntilAsync(forwarder, state => state.Problem == BridgeProblem.None && state.Connections == connections);
    }

    // In the file, which other processes have mapped.
    private void Damage(string text) => Damage(Outbox, text, "PARCEL"u8);

    private static void Damage(MappedQueue<Parcel> outbox, string text, ReadOnlySpan<byte> damage)
    {
        foreach (string path in Directory.EnumerateFiles(outbox.Path, "*", SearchOption.AllDirectories))
        {
            using var file = new FileStream(path, FileMode.Open, FileAccess.ReadWrite, FileShare.ReadWrite);
            byte[] bytes = new byte[file.Length];
            file.ReadExactly(bytes);
            if (bytes.AsSpan().IndexOf(Encoding.UTF8.GetBytes(text)) is >= 0 and var at)
            {
                file.Position = at;
                file.Write(damage);
                return;
            }
        }
        Assert.Fail($"no file has '{text}'");
    }
}
