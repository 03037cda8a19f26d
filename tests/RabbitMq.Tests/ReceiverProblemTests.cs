using System.Text;
using RabbitMQ.Client;

namespace BlitQueue.RabbitMq.Tests;

/// <summary>What a receiver does with what should not have come, or did not come.</summary>
public sealed class ReceiverProblemTests(Broker broker) : BridgeFixture(broker)
{
    [BrokerFact]
    public async Task What_arrives_early_waits_and_what_arrives_again_is_dropped()
    {
        await DeclareAsync();
        await PublishAsync(
            Sent(0, -1), Sent(8, 0), Sent(8, 0), Sent(24, 16), Sent(32, 24), Sent(32, 24), Sent(16, 8), Sent(24, 16), Sent(40, 32));
        Receiver<Parcel> receiver = Run(Unchanged);
        Assert.Equal([0L, 8, 16, 24, 32, 40], await TakeAsync(6));
        await UntilEmptyAsync();
        await UntilAsync(() => receiver.GetState() is { Duplicates: 3, Problem: BridgeProblem.None, Window: 0 });
    }

    [BrokerFact]
    public async Task A_missing_message_stops_it_and_is_named()
    {
        await DeclareAsync();
        await PublishAsync(Sent(0, -1), Sent(8, 0), Sent(24, 16));
        ReceiverOptions options = Unchanged;
        options.GapPatience = TimeSpan.FromMilliseconds(300);
        Receiver<Parcel> receiver = Run(options, out Task running);
        MessageGapException gap = await Assert.ThrowsAsync<MessageGapException>(() => running.WaitAsync(Patience));
        Assert.Equal(("me", 8L, 16L), (gap.SourceId, gap.Received, gap.Missing));
        Assert.Equal(BridgeProblem.Gap, receiver.GetState().Problem);
        Assert.Equal([0L, 8], await TakeAsync(2));
        // It is still at the broker, and comes when the missing one has come.
        await PublishAsync(Sent(16, 8));
        Run(Unchanged);
        Assert.Equal([16L, 24], await TakeAsync(2));
    }

    [BrokerFact]
    public async Task A_gap_is_accepted_where_asked()
    {
        await DeclareAsync();
        await PublishAsync(Sent(0, -1), Sent(16, 8), Sent(24, 16), Sent(8, 0, "other"));
        ReceiverOptions options = Unchanged;
        (options.GapPatience, options.OnGap) = (TimeSpan.FromMilliseconds(200), GapMode.Accept);
        Receiver<Parcel> receiver = Run(options);
        Assert.Equal([0L, 8, 16, 24], (await TakeAsync(4)).Order());
        Assert.Equal(BridgeProblem.Gap, receiver.GetState().LastProblem);
        await UntilEmptyAsync();
    }

    [BrokerFact]
    public async Task Marks_outlast_the_receiver()
    {
        await DeclareAsync();
        await PublishAsync(Sent(0, -1), Sent(8, 0));
        using var end = new CancellationTokenSource();
        var first = new Receiver<Parcel>(Store, "parcels", Unchanged);
        var running = Task.Run(() => first.RunAsync(end.Token));
        Assert.Equal([0L, 8], await TakeAsync(2));
        await end.CancelAsync();
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => running);
        await PublishAsync(Sent(0, -1), Sent(8, 0), Sent(16, 8));
        Receiver<Parcel> second = Run(Unchanged);
        Assert.Equal([16L], await TakeAsync(1));
        // The first receiver may have been ended before it acknowledged.
        await UntilAsync(() => second.GetState().Duplicates >= 2);
    }

    [BrokerFact]
    public async Task What_cannot_be_a_message_is_set_aside_and_the_others_go_on()
    {
        await DeclareAsync();
        (BasicProperties Properties, byte[] Body) damaged = Sent(8, 0), foreign = Sent(16, 8);
        damaged.Body = damaged.Body[..^3];
        foreign.Properties.ContentType = "application/x-blitqueue; schema=0123456789abcdef";
        foreign.Properties.Type = "Order";
        await PublishAsync(
            Sent(0, -1), damaged, foreign, (new BasicProperties { MessageId = "stray" }, Encoding.UTF8.GetBytes("hello")), Sent(24, 16));
        Receiver<Parcel> receiver = Run(Unchanged);
        Assert.Equal([0L, 24], await TakeAsync(2));
        await UntilAsync(() => receiver.GetState() is { SetAside: 3, LastProblem: BridgeProblem.UnreadableMessage });
        using MappedQueue<RefusedMessage> refused = Store.OpenQueue<RefusedMessage>("refused-parcels");
        var set = new RefusedMessage?[4];
        Assert.Equal(3, refused.TryDequeue(set));
        Assert.Contains("cannot be unpacked: PackException", set[0]!.Reason, StringComparison.Ordinal);
        Assert.Equal(("me", 8L), (set[0]!.SourceId, set[0]!.Position));
        Assert.Contains("another type: Order with the fingerprint 0123456789abcdef", set[1]!.Reason, StringComparison.Ordinal);
        Assert.Equal(foreign.Body, set[1]!.Body);
        Assert.Equal((null, "stray", "hello"), (set[2]!.SourceId, set[2]!.MessageId, Encoding.UTF8.GetString(set[2]!.Body)));
        await UntilEmptyAsync();
    }

    [BrokerFact]
    public async Task A_missing_queue_is_told_and_found_when_it_is_there()
    {
        Receiver<Parcel> receiver = Run(Unchanged);
        await UntilAsync(receiver, BridgeProblem.MissingQueue);
        await DeclareAsync();
        await UntilAsync(() => receiver.GetState() is { Connected: true, Problem: BridgeProblem.None });
    }

    [BrokerFact]
    public async Task A_queue_that_is_deleted_and_made_again_is_consumed_again()
    {
        Receiver<Parcel> receiver = Run(ReceiverOptions);
        await UntilAsync(() => receiver.GetState().Connected);
        await using (IConnection connection = await Broker.ConnectAsync())
        {
            await using IChannel channel = await connection.CreateChannelAsync();
            await channel.QueueDeleteAsync(Name);
        }
        await UntilAsync(() => receiver.GetState().Connections == 2);
        Send(0, 10);
        Run(ForwarderOptions);
        await TakeAllInOrderAsync(10);
    }

    [BrokerFact]
    public async Task A_queue_with_other_properties_is_told_and_not_changed()
    {
        await DeclareAsync();
        Receiver<Parcel> receiver = Run(ReceiverOptions);
        await UntilAsync(receiver, BridgeProblem.TopologyMismatch);
        Assert.Contains("inequivalent arg", receiver.GetState().LastError, StringComparison.Ordinal);
    }

    [BrokerFact]
    public async Task A_dead_letter_exchange_is_made_where_asked()
    {
        ReceiverOptions options = ReceiverOptions;
        options.DeadLetterExchange = $"{Name}-letters";
        Receiver<Parcel> receiver = Run(options);
        await UntilAsync(() => receiver.GetState().Connected);
        await using IConnection connection = await Broker.ConnectAsync();
        await using IChannel channel = await connection.CreateChannelAsync();
        await channel.ExchangeDeclarePassiveAsync(options.DeadLetterExchange);
        await channel.QueueDeclarePassiveAsync($"{Name}.dead");
    }

    [BrokerFact]
    public async Task A_full_local_queue_leaves_messages_at_the_broker()
    {
        using var store = MappedStore.Open(FileOf("small"));
        var receiver = new Receiver<Parcel>(
            store, "parcels", ReceiverOptions, new QueueOptions { SegmentSize = 1 << 16, Capacity = 1 << 17 });
        using var end = new CancellationTokenSource();
        var running = Task.Run(() => receiver.RunAsync(end.Token));
        Run(ForwarderOptions);
        Send(0, 1_000, filling: 1_000);
        await UntilAsync(receiver, BridgeProblem.LocalQueueFull);
        using MappedQueue<Parcel> inbox = store.OpenQueue<Parcel>("parcels");
        using var giveUp = new CancellationTokenSource(Patience);
        for (int number = 0; number < 1_000; number++)
        {
            Assert.Equal(number, (await inbox.DequeueAsync(giveUp.Token)).Number);
        }
        await UntilEmptyAsync();
        await end.CancelAsync();
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => running);
    }

    /// <summary>All of a batch fitted in when it began to wait, and never will again.</summary>
    [BrokerFact]
    public async Task A_capacity_that_is_made_smaller_while_a_batch_waits_ends_nothing()
    {
        const int Count = 20, Filling = 10_000;
        Send(0, Count, Filling);
        await DeclareAsync();
        Run(ForwarderOptions);
        await UntilAsync(() => Outbox.GetStatus().MessageCount == 0);
        using var store = MappedStore.Open(FileOf("small"));
        QueueOptions OfCapacity(int bytes) => new() { SegmentSize = 1 << 16, Capacity = bytes };
        using MappedQueue<Parcel> inbox = store.OpenQueue<Parcel>("parcels", OfCapacity(1 << 18));
        Send(inbox, -10, 10, Filling);
        var receiver = new Receiver<Parcel>(store, "parcels", Unchanged);
        using var end = new CancellationTokenSource();
        var running = Task.Run(() => receiver.RunAsync(end.Token));
        await UntilAsync(receiver, BridgeProblem.LocalQueueFull);
        store.OpenQueue<Parcel>("parcels", OfCapacity(3 << 15)).Dispose();
        using var giveUp = new CancellationTokenSource(Patience);
        for (int number = -10; number < Count; number++)
        {
            Assert.Equal(number, (await inbox.DequeueAsync(giveUp.Token)).Number);
        }
        Assert.False(running.IsCompleted);
        Assert.Equal(0, receiver.GetState().SetAside);
        await end.CancelAsync();
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => running);
    }

    /// <summary>It has the prefetch in its memory and not a message more, however long its consumers take.</summary>
    [BrokerFact]
    public async Task A_full_local_queue_stops_the_receiver_from_taking_more()
    {
        const int Count = 2_000, Ahead = 100;
        await DeclareAsync(("x-queue-type", "quorum"), ("x-single-active-consumer", true));
        Send(0, Count, filling: 1_000);
        Run(ForwarderOptions);
        await UntilAsync(() => Outbox.GetStatus().MessageCount == 0);
        using var store = MappedStore.Open(FileOf("small"));
        ReceiverOptions options = Unchanged;
        (options.Prefetch, options.BatchSize) = (Ahead, 50);
        var receiver = new Receiver<Parcel>(store, "parcels", options, new QueueOptions { SegmentSize = 1 << 16, Capacity = 1 << 17 });
        using var end = new CancellationTokenSource();
        var running = Task.Run(() => receiver.RunAsync(end.Token));
        await UntilAsync(receiver, BridgeProblem.LocalQueueFull);
        using MappedQueue<Parcel> inbox = store.OpenQueue<Parcel>("parcels");
        long written = inbox.GetStatus().MessageCount;
        // The broker has all others, and has lent the prefetch.
        for (int look = 0; look < 20; look++)
        {
            Assert.True(await CountReadyAsync() >= Count - written - Ahead);
            await Task.Delay(100);
        }
        Assert.Equal((written, written), (inbox.GetStatus().MessageCount, receiver.GetState().Messages));
        using var giveUp = new CancellationTokenSource(Patience);
        for (int number = 0; number < Count; number++)
        {
            Assert.Equal(number, (await inbox.DequeueAsync(giveUp.Token)).Number);
        }
        await UntilAsync(() => receiver.GetState() is { Problem: BridgeProblem.None, Messages: Count, Duplicates: 0, Connections: 1 });
        await end.CancelAsync();
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => running);
    }

    /// <summary>The broker takes a connection for alive that has ended: all that it sends ahead meanwhile comes too early.</summary>
    [BrokerFact]
    public async Task Messages_that_come_back_behind_more_than_the_prefetch_are_not_missing()
    {
        await DeclareAsync();
        await PublishAsync([.. Enumerable.Range(0, 50).Select(number => Sent(number, number - 1))]);
        IConnection connection = await Broker.ConnectAsync();
        await using (connection)
        {
            await using IChannel channel = await connection.CreateChannelAsync();
            for (int held = 0; held < 5; held++)
            {
                Assert.NotNull(await channel.BasicGetAsync(Name, autoAck: false));
            }
            ReceiverOptions options = Unchanged;
            (options.Prefetch, options.GapPatience) = (10, TimeSpan.FromSeconds(8));
            Receiver<Parcel> receiver = Run(options);
            await UntilAsync(() => receiver.GetState().Window == 10);
            await connection.CloseAsync();
            Assert.Equal(Enumerable.Range(0, 50).Select(static number => (long)number), await TakeAsync(50));
            await UntilAsync(() => receiver.GetState() is { Problem: BridgeProblem.None, Messages: 50 });
        }
    }

    [BrokerFact]
    public async Task A_missing_message_is_told_although_the_connection_is_cut_before_the_patience_is_over()
    {
        await DeclareAsync();
        await PublishAsync(Sent(0, -1), Sent(24, 16));
        ReceiverOptions options = Unchanged;
        options.GapPatience = TimeSpan.FromSeconds(4);
        Receiver<Parcel> receiver = Run(options, out Task running);
        for (long cuts = 0; !running.IsCompleted && cuts < 20; cuts++)
        {
            await UntilAsync(() => running.IsCompleted || (receiver.GetState().Connections > cuts && receiver.GetState().Window == 1));
            await Task.Delay(1_000);
            await Broker.ControlAsync("close_all_connections", "a test");
        }
        Assert.Equal(16, (await Assert.ThrowsAsync<MessageGapException>(() => running)).Missing);
    }

    private async Task<long> CountReadyAsync()
    {
        await using IConnection connection = await Broker.ConnectAsync();
        await using IChannel channel = await connection.CreateChannelAsync();
        return await channel.MessageCountAsync(Name);
    }

    private ReceiverOptions Unchanged => new() { Broker = Broker.Options, Queue = Name };
}
