namespace BlitQueue.RabbitMq.Tests;

/// <summary>
/// Another process is stopped in the middle of what a dead letter needs, for as long as the test lets it: letters wait, and nothing else.
/// </summary>
public sealed class StoppedProcessTests(Broker broker) : BridgeFixture(broker)
{
    // A forwarder that waited as long as a call of the queue does would forward nothing meanwhile.
    private static readonly QueueOptions Patient = new() { StallTimeout = TimeSpan.FromMinutes(10) };

    private string Outgoing => FileOf("outgoing");

    [BrokerFact]
    public Task A_process_that_is_stopped_in_an_append_to_the_letters_delays_letters_alone() => DelayLettersAsync("AppendLockAcquired");

    [BrokerFact]
    public Task A_process_that_is_stopped_while_it_makes_the_letters_delays_letters_alone() => DelayLettersAsync("StoreMetaWritten");

    private async Task DelayLettersAsync(string step)
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
        using var stopped = QueuePeer.Start(Outgoing, $"{step}:1:stop", "bury");
        int sent = 0;
        // Both take messages, until the other process has one.
        await UntilAsync(() =>
        {
            outbox.Enqueue(new PeerParcel().Fill(1, sent++, 10));
            return stopped.IsStopped;
        });
        await UntilAsync(() => forwarder.GetState().Messages == sent - 1);
        long connections = forwarder.GetState().Connections, again = forwarder.GetState().Duplicates;
        outbox.Enqueue(new PeerParcel().Fill(2, 0, 2_000));
        for (int number = 0; number < 10; number++)
        {
            outbox.Enqueue(new PeerParcel().Fill(1, sent++, 10));
            outbox.Enqueue(new PeerParcel().Fill(2, number + 1, 2_000));
        }
        await UntilAsync(() => forwarder.GetState().Messages == sent - 1);
        Assert.Equal(BridgeProblem.Other, forwarder.GetState().Problem);
        Assert.Contains("waits for a stopped process", forwarder.GetState().LastError, StringComparison.Ordinal);
        // As long as it takes to try the letters again, twice.
        await Task.Delay(TimeSpan.FromSeconds(2.5));
        Assert.Equal((12L, 0L), (forwarder.GetState().Lag, forwarder.GetState().SetAside));
        Assert.Equal((connections, again), (forwarder.GetState().Connections, forwarder.GetState().Duplicates));
        stopped.Continue();
        await UntilAsync(() => forwarder.GetState() is { SetAside: 11, Lag: 0, Problem: BridgeProblem.None });
        using (Subscription<PeerParcel> subscription = outbox.Subscribe("default"))
        {
            IEnumerable<PeerParcel> letters = subscription.DeadLetters.Select(static one => one.Message);
            Assert.Equal(
                Enumerable.Range(0, 11).Select(static one => (long)one),
                letters.Where(static one => one.Producer == 2).Select(static one => one.Number));
            Assert.Equal(12, subscription.DeadLetters.Count);
        }
        await end.CancelAsync();
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => running);
    }
}
