namespace BlitQueue.RabbitMq.Tests;

/// <summary>What the caller's own code does to an end of the bridge.</summary>
public sealed class CallerTests(Broker broker) : BridgeFixture(broker)
{
    /// <summary>Whatever the exception says that tells of it: a call of a connection that has ended throws the same.</summary>
    [BrokerTheory]
    [InlineData(true)]
    [InlineData(false)]
    public async Task A_queue_that_is_disposed_ends_the_forwarder(bool isConnected)
    {
        await DeclareAsync();
        var outbox = MappedQueue<Parcel>.Open(FileOf("short-lived"));
        ForwarderOptions options = ForwarderOptions;
        options.Broker.Hosts = isConnected ? options.Broker.Hosts : ["127.0.0.1:1"];
        var forwarder = new Forwarder<Parcel>(outbox, options);
        var running = Task.Run(() => forwarder.RunAsync());
        await UntilAsync(() => forwarder.GetState() is { Connected: true } or { Problem: BridgeProblem.Unreachable });
        outbox.Dispose();
        await Assert.ThrowsAsync<ObjectDisposedException>(() => running.WaitAsync(Patience));
    }

    [BrokerTheory]
    [InlineData(true)]
    [InlineData(false)]
    public async Task A_store_that_is_disposed_ends_the_receiver(bool isConnected)
    {
        await DeclareAsync();
        var store = MappedStore.Open(FileOf("short-lived"));
        ReceiverOptions options = ReceiverOptions;
        (options.DeclareQueue, options.Broker.Hosts) = (false, isConnected ? options.Broker.Hosts : ["127.0.0.1:1"]);
        var receiver = new Receiver<Parcel>(store, "parcels", options);
        var running = Task.Run(() => receiver.RunAsync());
        await UntilAsync(() => receiver.GetState() is { Connected: true } or { Problem: BridgeProblem.Unreachable });
        store.Dispose();
        await PublishAsync(Sent(0, -1));
        await Assert.ThrowsAsync<ObjectDisposedException>(() => running.WaitAsync(Patience));
    }

    [BrokerFact]
    public async Task A_handler_that_throws_at_the_end_does_not_keep_the_next_run_away()
    {
        await DeclareAsync();
        var forwarder = new Forwarder<Parcel>(Outbox, ForwarderOptions);
        bool isOver = false;
        forwarder.ConnectionChanged += (_, _) =>
        {
            if (!isOver && !forwarder.GetState().Connected)
            {
                isOver = true;
                throw new InvalidOperationException("a handler");
            }
        };
        using (var end = new CancellationTokenSource())
        {
            var running = Task.Run(() => forwarder.RunAsync(end.Token));
            await UntilAsync(() => forwarder.GetState().Connected);
            await end.CancelAsync();
            await Assert.ThrowsAnyAsync<Exception>(() => running);
        }
        Assert.True(isOver);
        using var second = new CancellationTokenSource();
        var again = Task.Run(() => forwarder.RunAsync(second.Token));
        await UntilAsync(() => forwarder.GetState().Connected);
        await second.CancelAsync();
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => again);
    }

    /// <summary>As where a secret is not there yet.</summary>
    [BrokerFact]
    public async Task A_callback_that_throws_before_a_connect_is_called_again()
    {
        await DeclareAsync();
        int left = 3;
        ForwarderOptions options = ForwarderOptions;
        options.Broker.Configure = _ =>
        {
            if (Interlocked.Decrement(ref left) >= 0)
            {
                throw new FileNotFoundException("the secret is not there yet");
            }
        };
        Send(0, 3);
        Run(new ReceiverOptions { Broker = Broker.Options, Queue = Name });
        Forwarder<Parcel> forwarder = Run(options);
        await TakeAllInOrderAsync(3);
        Assert.Contains("secret", forwarder.GetState().LastError, StringComparison.Ordinal);
    }
}
