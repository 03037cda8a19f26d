using RabbitMQ.Client;

namespace BlitQueue.RabbitMq.Tests;

/// <summary>One queue whose messages go to several queues of the broker, as a header of each says.</summary>
public sealed class ReplyTests(Broker broker) : BridgeFixture(broker)
{
    [BrokerFact]
    public async Task Each_message_goes_where_its_header_says_once_and_in_order()
    {
        string[] names = [$"{Name}-0", $"{Name}-1", $"{Name}-2"];
        Task<List<long>>[] taken = [.. names.Select(name => TakeFromAsync(name, 100))];
        SendTo(names, 0, 150);
        using (var first = new CancellationTokenSource())
        {
            var running = Task.Run(() => new Forwarder<Parcel>(Outbox, ByHeader).RunAsync(first.Token));
            await UntilAsync(() => Outbox.GetStatus().MessageCount < 100);
            await first.CancelAsync();
            await Assert.ThrowsAnyAsync<OperationCanceledException>(() => running);
        }
        SendTo(names, 150, 150);
        Run(ByHeader);
        for (int i = 0; i < names.Length; i++)
        {
            int name = i;
            Assert.Equal(Enumerable.Range(0, 100).Select(one => (3L * one) + name), await taken[i]);
        }
    }

    [BrokerFact]
    public async Task A_key_without_a_queue_is_named_and_set_aside_where_asked()
    {
        await DeclareAsync();
        SendTo([Name, "nowhere"], 0, 10);
        ForwarderOptions options = ByHeader;
        options.OnUnroutable = UnroutableMode.DeadLetter;
        Forwarder<Parcel> forwarder = Run(options);
        Run(new ReceiverOptions { Broker = Broker.Options, Queue = Name });
        Assert.Equal([0L, 2, 4, 6, 8], await TakeAsync(5));
        await UntilAsync(() => forwarder.GetState().SetAside == 5);
        using Subscription<Parcel> subscription = Outbox.Subscribe("default");
        Assert.Equal([1L, 3, 5, 7, 9], subscription.DeadLetters.Select(static one => one.Message.Number));
        Assert.Contains("'nowhere'", subscription.DeadLetters.First().Reason, StringComparison.Ordinal);
    }

    [BrokerFact]
    public async Task Two_keys_into_one_queue_lose_nothing_when_one_is_refused()
    {
        // The queue of the second key refuses at first: its messages come later than those behind them.
        await DeclareAsync();
        await using (IConnection connection = await Broker.ConnectAsync())
        {
            await using IChannel channel = await connection.CreateChannelAsync();
            await channel.ExchangeDeclareAsync($"{Name}-x", "direct", durable: true);
            await channel.QueueBindAsync(Name, $"{Name}-x", "first");
        }
        SendTo(["first", "second"], 0, 40);
        ForwarderOptions options = ByHeader;
        options.Exchange = $"{Name}-x";
        Forwarder<Parcel> forwarder = Run(options);
        await UntilAsync(forwarder, BridgeProblem.Unroutable);
        await using (IConnection connection = await Broker.ConnectAsync())
        {
            await using IChannel channel = await connection.CreateChannelAsync();
            await channel.QueueBindAsync(Name, $"{Name}-x", "second");
        }
        Run(new ReceiverOptions { Broker = Broker.Options, Queue = Name });
        List<long> all = await TakeAsync(40);
        Assert.Equal(Enumerable.Range(0, 40).Select(static one => (long)one), all.Order());
        Assert.Equal(all.Where(static one => one % 2 == 0).Order(), all.Where(static one => one % 2 == 0));
        Assert.Equal(all.Where(static one => one % 2 == 1).Order(), all.Where(static one => one % 2 == 1));
    }

    private ForwarderOptions ByHeader => new() { Broker = Broker.Options, RoutingKeyHeader = "to", Window = 64 };

    private void SendTo(string[] names, int first, int count)
    {
        for (int number = first; number < first + count; number++)
        {
            Outbox.Enqueue(
                new Parcel { Number = number, Text = $"parcel {number}" },
                new MessageProperties { Headers = { ["to"] = names[number % names.Length] } });
        }
    }

    private async Task<List<long>> TakeFromAsync(string name, int count)
    {
        using var store = MappedStore.Open(FileOf(name));
        using MappedQueue<Parcel> inbox = store.OpenQueue<Parcel>("parcels");
        using var end = new CancellationTokenSource(Patience);
        var receiver = new Receiver<Parcel>(
            store, "parcels", new ReceiverOptions { Broker = Broker.Options, Queue = name, DeclareQueue = true });
        var running = Task.Run(() => receiver.RunAsync(end.Token));
        List<long> numbers = [];
        while (numbers.Count < count)
        {
            numbers.Add((await inbox.DequeueAsync(end.Token)).Number);
        }
        await end.CancelAsync();
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => running);
        return numbers;
    }
}
