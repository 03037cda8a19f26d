using RabbitMQ.Client;

namespace BlitQueue.RabbitMq.Tests;

/// <summary>Forwarder and receiver have different versions of the message type.</summary>
public sealed class EvolutionTests(Broker broker) : BridgeFixture(broker)
{
    [BrokerFact]
    public async Task A_newer_message_is_read_by_an_older_receiver()
    {
        using var outbox = MappedQueue<WeighedParcel>.Open(FileOf("c"));
        outbox.Enqueue(new WeighedParcel { Number = 0, Text = "parcel 0", Weight = 7 });
        Receiver<Parcel> receiver = Run(ReceiverOptions);
        await ForwardAsync(outbox, ForwarderOptions, () => TakeAsync(1));
        await UntilAsync(() => receiver.GetState() is { Messages: 1, SetAside: 0 });
    }

    [BrokerFact]
    public async Task An_older_message_is_read_by_a_newer_receiver()
    {
        Send(0, 3);
        using var store = MappedStore.Open(FileOf("newer"));
        using MappedQueue<WeighedParcel> inbox = store.OpenQueue<WeighedParcel>("parcels");
        using var end = new CancellationTokenSource();
        var receiver = new Receiver<WeighedParcel>(store, "parcels", ReceiverOptions);
        var running = Task.Run(() => receiver.RunAsync(end.Token));
        Run(ForwarderOptions);
        using var giveUp = new CancellationTokenSource(Patience);
        for (int number = 0; number < 3; number++)
        {
            WeighedParcel parcel = await inbox.DequeueAsync(giveUp.Token);
            Assert.Equal((number, $"parcel {number}", -1L), (parcel.Number, parcel.Text, parcel.Weight));
        }
        await end.CancelAsync();
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => running);
    }

    [BrokerFact]
    public async Task What_cannot_be_read_is_set_aside_with_the_difference_and_the_sequence_goes_on()
    {
        await DeclareAsync();
        byte[] body = Packer.Pack(new NamedParcel { Number = "eight" });
        (BasicProperties Properties, byte[] Body) foreign = (Sent(8, 0).Properties, body);
        foreign.Properties.Type = "NamedParcel";
        foreign.Properties.ContentType = $"application/x-blitqueue; schema={NamedParcel.Schema.Fingerprint:x16}";
        foreign.Properties.Headers = new Dictionary<string, object?> { ["blitqueue-schema"] = NamedParcel.Schema.Text };
        await PublishAsync(Sent(0, -1), foreign, foreign, Sent(16, 8));
        ReceiverOptions options = ReceiverOptions;
        options.DeclareQueue = false;
        Receiver<Parcel> receiver = Run(options);
        Assert.Equal([0L, 16], await TakeAsync(2));
        await UntilAsync(() => receiver.GetState() is { SetAside: 1, Duplicates: 1, LastProblem: BridgeProblem.UnreadableMessage });
        using MappedQueue<RefusedMessage> refused = Store.OpenQueue<RefusedMessage>("refused-parcels");
        RefusedMessage? set = null;
        Assert.True(refused.TryDequeue(ref set));
        Assert.Contains("Number: i64 here, string there", set.Reason, StringComparison.Ordinal);
        Assert.Equal((NamedParcel.Schema.Text, 8L), (set.SchemaText, set.Position));
        Assert.Equal(body, set.Body);
        Assert.False(refused.TryDequeue(ref set));
        await UntilEmptyAsync();
    }

    [BrokerFact]
    public async Task A_description_that_is_not_that_of_the_fingerprint_is_not_believed()
    {
        await DeclareAsync();
        (BasicProperties Properties, byte[] Body) foreign = Sent(0, -1);
        foreign.Properties.ContentType = "application/x-blitqueue; schema=0123456789abcdef";
        foreign.Properties.Headers = new Dictionary<string, object?> { ["blitqueue-schema"] = Parcel.Schema.Text };
        await PublishAsync(foreign, Sent(8, 0));
        ReceiverOptions options = ReceiverOptions;
        options.DeclareQueue = false;
        Receiver<Parcel> receiver = Run(options);
        Assert.Equal([8L], await TakeAsync(1));
        // Noted after the commit.
        await UntilAsync(() => receiver.GetState().SetAside == 1);
        Assert.Contains("is not that of its fingerprint", receiver.GetState().LastError, StringComparison.Ordinal);
    }

    [BrokerFact]
    public async Task Without_a_description_another_version_is_set_aside()
    {
        using var outbox = MappedQueue<WeighedParcel>.Open(FileOf("c"));
        outbox.Enqueue(new WeighedParcel { Number = 0, Text = "parcel 0", Weight = 7 });
        Receiver<Parcel> receiver = Run(ReceiverOptions);
        ForwarderOptions options = ForwarderOptions;
        options.SendSchema = false;
        await ForwardAsync(outbox, options, () => UntilAsync(() => receiver.GetState().SetAside == 1));
        Assert.Contains("SendSchema", receiver.GetState().LastError, StringComparison.Ordinal);
    }

    private static async Task ForwardAsync<T>(MappedQueue<T> outbox, ForwarderOptions options, Func<Task> meanwhile)
        where T : IPackable<T>
    {
        using var end = new CancellationTokenSource();
        var running = Task.Run(() => new Forwarder<T>(outbox, options).RunAsync(end.Token));
        await meanwhile();
        await end.CancelAsync();
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => running);
    }
}

/// <summary>A parcel with a member more.</summary>
[QueueMessage]
public sealed partial class WeighedParcel
{
    public long Number { get; set; }

    public string? Text { get; set; }

    public byte[]? Filling { get; set; }

    public long Weight { get; set; } = -1;
}

/// <summary>A parcel whose number is of another kind.</summary>
[QueueMessage]
public sealed partial class NamedParcel
{
    public string? Number { get; set; }
}
