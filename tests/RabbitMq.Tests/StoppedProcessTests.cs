namespace BlitQueue.RabbitMq.Tests;

/// <summary>
/// Another process is stopped in the middle of what a dead letter needs, for as long as the test lets it: letters wait, and nothing else.
/// </summary>
public sealed class StoppedProcessTests(Broker broker) : BridgeFixture(broker)
{
    // A forwarder that waited as long as a call of the queue does would forward nothing meanwhile.
    private static readonly QueueOptions Patient = new() { StallTimeout = TimeSpan.FromMinutes(10) };

    private string Outgoing => FileOf("outgoing");

    /// <summary>It may go on at any time, and may end the lease that it has.</summary>
    [BrokerFact]
    public async Task A_process_that_is_stopped_with_a_message_keeps_the_forwarder_away()
    {
        Run(ReceiverOptions);
        using var outbox = MappedQueue<PeerParcel>.Open(Outgoing, Patient);
        for (int number = 0; number < 5; number++)
        {
            outbox.Enqueue(new PeerParcel().Fill(1, number, 10));
        }
        using var stopped = QueuePeer.Start(Outgoing, "AppendLockAcquired:1:stop", "bury");
        await UntilAsync(() => stopped.IsStopped);
        var forwarder = new Forwarder<PeerParcel>(outbox, ForwarderOptions);
        using var end = new CancellationTokenSource();
        var running = Task.Run(() => forwarder.RunAsync(end.Token));
        await UntilAsync(() => forwarder.GetState() is { Problem: BridgeProblem.InUse, Connected: false });
        Assert.Contains("process", forwarder.GetState().LastError, StringComparison.Ordinal);
        stopped.Continue();
        await UntilAsync(() => forwarder.GetState() is { Lag: 0, Messages: 4 });
        using (Subscription<PeerParcel> subscription = outbox.Subscribe("default"))
        {
            Assert.Equal([0L], subscription.DeadLetters.Select(static one => one.Message.Number));
        }
        await end.CancelAsync();
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => running);
    }

    [BrokerFact]
    public async Task A_process_that_is_stopped_while_it_makes_the_letters_delays_letters_alone()
    {
        await DeclareAsync();
        using var outbox = MappedQueue<PeerParcel>.Open(Outgoing, Patient);
        ForwarderOptions options = ForwarderOptions;
        options.MaxMessageSize = 1_000;
        // Fewer than there are messages that wait.
        options.Window = 4;
        var forwarder = new Forwarder<PeerParcel>(outbox, options);
        using var end = new CancellationTokenSource();
        var running = Task.Run(() => forwarder.RunAsync(end.Token));
        await UntilAsync(() => forwarder.GetState().Connected);
        using var stopped = QueuePeer.Start(Outgoing, "StoreMetaWritten:1:stop", "take-letters");
        await UntilAsync(() => stopped.IsStopped);
        int sent = 5;
        for (int number = 0; number < sent; number++)
        {
            outbox.Enqueue(new PeerParcel().Fill(1, number, 10));
        }
        await UntilAsync(() => forwarder.GetState().Messages == sent);
        long connections = forwarder.GetState().Connections, again = forwarder.GetState().Duplicates;
        outbox.Enqueue(new PeerParcel().Fill(2, 0, 2_000));
        for (int number = 0; number < 10; number++)
        {
            outbox.Enqueue(new PeerParcel().Fill(1, sent++, 10));
            outbox.Enqueue(new PeerParcel().Fill(2, number + 1, 2_000));
        }
        await UntilAsync(() => forwarder.GetState().Messages == sent);
        Assert.Equal(BridgeProblem.Other, forwarder.GetState().Problem);
        Assert.Contains("waits for a stopped process", forwarder.GetState().LastError, StringComparison.Ordinal);
        // As long as it takes to try the letters again, twice.
        await Task.Delay(TimeSpan.FromSeconds(2.5));
        Assert.Equal((11L, 0L), (forwarder.GetState().Lag, forwarder.GetState().SetAside));
        Assert.Equal((connections, again), (forwarder.GetState().Connections, forwarder.GetState().Duplicates));
        stopped.Continue();
        await UntilAsync(() => forwarder.GetState() is { SetAside: 11, Lag: 0, Problem: BridgeProblem.None });
        using (Subscription<PeerParcel> subscription = outbox.Subscribe("default"))
        {
            Assert.Equal(
                Enumerable.Range(0, 11).Select(static one => (2, (long)one)),
                subscription.DeadLetters.Select(static one => (one.Message.Producer, one.Message.Number)));
        }
        await end.CancelAsync();
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => running);
    }

    /// <summary>
    /// The stopped process makes the receiver's local queue. What was told of it is over when it goes on, though no message comes.
    /// </summary>
    [BrokerFact]
    public async Task A_process_that_is_stopped_while_a_receiver_begins_is_told_until_it_goes_on()
    {
        using var stopped = QueuePeer.Start(Path.Combine(StorePath, "others"), "StoreMetaWritten:1:stop", "produce");
        await UntilAsync(() => stopped.IsStopped);
        var receiver = new Receiver<PeerParcel>(
            Store, "others", ReceiverOptions, new QueueOptions { StallTimeout = TimeSpan.FromMilliseconds(200) });
        using var end = new CancellationTokenSource();
        var running = Task.Run(() => receiver.RunAsync(end.Token));
        await UntilAsync(() => receiver.GetState().Problem == BridgeProblem.Other);
        stopped.Continue();
        await UntilAsync(() => receiver.GetState() is { Connected: true, Problem: BridgeProblem.None });
        await end.CancelAsync();
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => running);
    }
}
