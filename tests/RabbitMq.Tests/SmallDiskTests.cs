using System.Diagnostics;

namespace BlitQueue.RabbitMq.Tests;

/// <summary>A real disk that is full, at either end: messages wait, nothing is lost, and what needs no room goes on.</summary>
public sealed class SmallDiskTests(Broker broker) : BridgeFixture(broker)
{
    private static readonly QueueOptions Segments = new() { SegmentSize = 4 << 20 };

    [MountFact]
    public async Task A_full_disk_at_the_receiver_leaves_messages_at_the_broker()
    {
        using var disk = new SmallDisk(FileOf("disk"), "8m");
        using var store = MappedStore.Open(disk["store"], new QueueOptions { SegmentSize = 1 << 16 });
        using MappedQueue<Parcel> inbox = store.OpenQueue<Parcel>("parcels");
        var receiver = new Receiver<Parcel>(store, "parcels", ReceiverOptions);
        using var end = new CancellationTokenSource();
        var running = Task.Run(() => receiver.RunAsync(end.Token));
        Run(ForwarderOptions);
        Send(0, 10_000, filling: 1_000);
        await UntilAsync(receiver, BridgeProblem.LocalQueueFull);
        using var giveUp = new CancellationTokenSource(Patience);
        for (int number = 0; number < 10_000; number++)
        {
            Assert.Equal(number, (await inbox.DequeueAsync(giveUp.Token)).Number);
        }
        await UntilEmptyAsync();
        Assert.Equal(0, inbox.GetStatus().MessageCount);
        await end.CancelAsync();
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => running);
    }

    [MountFact]
    public async Task A_receiver_that_starts_on_a_full_disk_waits_for_room()
    {
        using var disk = new SmallDisk(FileOf("disk"), "8m");
        using var store = MappedStore.Open(disk["store"], new QueueOptions { SegmentSize = 1 << 16 });
        disk.Fill();
        var receiver = new Receiver<Parcel>(store, "parcels", ReceiverOptions);
        using var end = new CancellationTokenSource();
        var running = Task.Run(() => receiver.RunAsync(end.Token));
        await UntilAsync(receiver, BridgeProblem.LocalQueueFull);
        Run(ForwarderOptions);
        Send(0, 100);
        disk.Free();
        await UntilAsync(() => receiver.GetState() is { Messages: 100, Problem: BridgeProblem.None });
        await end.CancelAsync();
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => running);
    }

    [MountFact]
    public async Task A_message_that_waits_for_room_for_its_letter_stops_no_other_and_nothing_is_sent_again()
    {
        using var disk = new SmallDisk(FileOf("disk"), "12m");
        using var outbox = MappedQueue<Parcel>.Open(disk["outbox"], Segments);
        ForwarderOptions options = ForwarderOptions;
        options.MaxMessageSize = 1_000;
        var forwarder = new Forwarder<Parcel>(outbox, options);
        using var end = new CancellationTokenSource();
        var running = Task.Run(() => forwarder.RunAsync(end.Token));
        Run(ReceiverOptions);
        Send(outbox, 0, 10);
        await UntilAsync(() => forwarder.GetState().Messages == 10);
        long connections = forwarder.GetState().Connections, again = forwarder.GetState().Duplicates;
        disk.Fill();
        Send(outbox, 10, 1, filling: 2_000);
        Send(outbox, 11, 10);
        Assert.Equal(Without(10, 21), await TakeAsync(20));
        await UntilAsync(forwarder, BridgeProblem.LocalQueueFull);
        // As long as it takes to try the letter again, twice.
        await Task.Delay(TimeSpan.FromSeconds(2.5));
        Assert.Contains("waits for room", forwarder.GetState().LastError, StringComparison.Ordinal);
        Assert.Equal((1L, 0L, 20L), (forwarder.GetState().Lag, forwarder.GetState().SetAside, forwarder.GetState().Messages));
        Assert.Equal((connections, again), (forwarder.GetState().Connections, forwarder.GetState().Duplicates));
        disk.Free();
        await UntilAsync(() => forwarder.GetState() is { SetAside: 1, Lag: 0, Problem: BridgeProblem.None });
        Assert.Equal([10L], Letters(outbox));
        Send(outbox, 21, 5);
        Assert.Equal([21L, 22, 23, 24, 25], await TakeAsync(5));
        await end.CancelAsync();
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => running);
    }

    /// <summary>
    /// The next forwarder may send what the one before could not, but not behind later messages: the receiver would take it for a
    /// duplicate.
    /// </summary>
    [MountFact]
    public async Task A_message_that_waits_for_room_for_its_letter_becomes_one_also_where_it_could_be_sent_now()
    {
        using var disk = new SmallDisk(FileOf("disk"), "12m");
        using var outbox = MappedQueue<Parcel>.Open(disk["outbox"], Segments);
        Run(ReceiverOptions);
        ForwarderOptions options = ForwarderOptions;
        options.MaxMessageSize = 1_000;
        await WhileForwardingAsync(outbox, options, async forwarder =>
        {
            Send(outbox, 0, 10);
            await UntilAsync(() => forwarder.GetState().Messages == 10);
            disk.Fill();
            Send(outbox, 10, 1, filling: 2_000);
            Send(outbox, 11, 10);
            await UntilAsync(forwarder, static state => state is { Lag: 1, Messages: 20 });
        });
        options.MaxMessageSize = ForwarderOptions.MaxMessageSize;
        await WhileForwardingAsync(outbox, options, async forwarder =>
        {
            Send(outbox, 21, 5);
            Assert.Equal([.. Without(10, 26)], await TakeAsync(25));
            disk.Free();
            await UntilAsync(forwarder, static state => state is { SetAside: 1, Lag: 0, LastProblem: BridgeProblem.OutOfOrder });
        });
        Assert.Equal([10L], Letters(outbox));
    }

    /// <summary>Also where the power goes before a later message is confirmed: the file names it before one is published.</summary>
    [MountFact]
    public async Task A_message_that_waits_for_room_for_its_letter_is_noted_before_a_later_one_is_sent()
    {
        using var disk = new SmallDisk(FileOf("disk"), "12m");
        using var outbox = MappedQueue<Parcel>.Open(disk["outbox"], Segments);
        await DeclareAsync(("x-max-length", 10), ("x-overflow", "reject-publish"));
        ForwarderOptions options = ForwarderOptions;
        options.MaxMessageSize = 1_000;
        Guid queue = outbox.Id;
        await WhileForwardingAsync(outbox, options, async forwarder =>
        {
            Send(outbox, 0, 10);
            await UntilAsync(() => forwarder.GetState().Messages == 10);
            disk.Fill();
            Send(outbox, 10, 1, filling: 2_000);
            // The broker refuses it, so nothing confirms it.
            Send(outbox, 11, 1);
            await UntilAsync(forwarder, BridgeProblem.Refused);
        });
        using var state = SourceFile.Open($"{outbox.Path}.default.forward", queue, "default", isNamed: true);
        Assert.True(Assert.Single(state.Noted.Unsent).Position > state.Noted.Last.Position);
    }

    /// <summary>What is noted as confirmed leaves out the message that waits.</summary>
    [MountFact]
    public async Task A_message_that_waits_for_room_for_its_letter_outlasts_the_forwarder()
    {
        using var disk = new SmallDisk(FileOf("disk"), "16m");
        using var outbox = MappedQueue<Parcel>.Open(disk["outbox"], Segments);
        await DeclareAsync(("x-queue-type", "quorum"), ("x-single-active-consumer", true));
        Run(ReceiverOptions);
        Process forwarder = StartSite("forward", outbox.Path);
        try
        {
            Send(outbox, 0, 10);
            await UntilAsync(outbox, forwarder, messages: 0);
            await KillAsync(forwarder);
            Send(outbox, 10, 1, filling: Broker.MaxMessageSize + 1);
            Send(outbox, 11, 10);
            disk.Fill();
            forwarder = StartSite("forward", outbox.Path);
            Assert.Equal(Without(10, 21), await TakeAsync(20));
            await UntilAsync(outbox, forwarder, messages: 1);
            await KillAsync(forwarder);
            forwarder = StartSite("forward", outbox.Path);
            Send(outbox, 21, 5);
            Assert.Equal([21L, 22, 23, 24, 25], await TakeAsync(5));
            await KillAsync(forwarder);
            disk.Free();
            forwarder = StartSite("forward", outbox.Path);
            await UntilAsync(outbox, forwarder, messages: 0);
            Assert.Equal([10L], Letters(outbox));
            await UntilEmptyAsync();
            Assert.Equal(0, Inbox.GetStatus().MessageCount);
        }
        finally
        {
            await KillAsync(forwarder);
        }
    }

    [MountFact]
    public async Task A_forwarder_that_finds_no_room_for_its_file_says_so_and_begins_when_there_is()
    {
        using var disk = new SmallDisk(FileOf("disk"), "8m");
        ForwarderOptions options = ForwarderOptions;
        options.StatePath = disk["state"];
        disk.Fill();
        Send(0, 10);
        Run(ReceiverOptions);
        Forwarder<Parcel> forwarder = Run(options);
        await UntilAsync(forwarder, BridgeProblem.LocalQueueFull);
        Assert.Contains(options.StatePath, forwarder.GetState().LastError, StringComparison.Ordinal);
        disk.Free();
        await TakeAllInOrderAsync(10);
        await UntilAsync(forwarder, BridgeProblem.None);
    }

    private static async Task KillAsync(Process process)
    {
        process.Kill();
        await process.WaitForExitAsync();
    }
}
