using System.Buffers;
using System.Text;
using System.Text.Json;
using System.Text.Json.Serialization;
using RabbitMQ.Client;

namespace BlitQueue.RabbitMq.Tests;

/// <summary>Bodies that are not packed, for ends that are not ours.</summary>
public sealed partial class BodyTests(Broker broker) : BridgeFixture(broker)
{
    private static readonly JsonBody<Parcel> Json = new(ParcelJson.Default.Parcel);

    [BrokerFact]
    public async Task Json_goes_from_queue_to_queue_once_and_in_order()
    {
        Send(0, 500);
        Run(ReceiverOptions, Json);
        Run(ForwarderOptions, Json);
        await TakeAllInOrderAsync(500);
    }

    [BrokerFact]
    public async Task Another_program_reads_what_a_forwarder_sends()
    {
        await DeclareAsync();
        Send(7, 1);
        Run(ForwarderOptions, Json);
        await UntilAsync(() => Outbox.GetStatus().MessageCount == 0);
        await using IConnection connection = await Broker.ConnectAsync();
        await using IChannel channel = await connection.CreateChannelAsync();
        BasicGetResult got = (await channel.BasicGetAsync(Name, autoAck: true))!;
        Assert.Equal("application/json", got.BasicProperties.ContentType);
        Assert.False(got.BasicProperties.Headers?.ContainsKey("blitqueue-schema") ?? false);
        using var parsed = JsonDocument.Parse(got.Body);
        Assert.Equal(7, parsed.RootElement.GetProperty("Number").GetInt64());
    }

    [BrokerFact]
    public async Task A_receiver_takes_what_another_program_sends_and_what_is_packed()
    {
        await DeclareAsync();
        var json = new BasicProperties { ContentType = "application/json" };
        await PublishAsync(
            (json, Bytes("""{"Number":1,"Text":"parcel 1"}""")), (json, Bytes("""{"Number":"one"}""")), (json, Bytes("null")),
            (new BasicProperties(), Bytes("""{"Number":2,"Text":"parcel 2"}""")), Sent(8, -1));
        Receiver<Parcel> receiver = Run(Unchanged, Json);
        Assert.Equal([1L, 2, 8], await TakeAsync(3));
        await UntilAsync(() => receiver.GetState().SetAside == 2);
        using MappedQueue<RefusedMessage> refused = Store.OpenQueue<RefusedMessage>("refused-parcels");
        var set = new RefusedMessage?[2];
        Assert.Equal(2, refused.TryDequeue(set));
        Assert.Contains("cannot be read: JsonException", set[0]!.Reason, StringComparison.Ordinal);
        Assert.Equal("It is null.", set[1]!.Reason);
    }

    [BrokerFact]
    public async Task A_receiver_without_a_format_refuses_what_is_not_packed()
    {
        await DeclareAsync();
        await PublishAsync((new BasicProperties { ContentType = "application/json" }, Bytes("{}")));
        Receiver<Parcel> receiver = Run(Unchanged);
        await UntilAsync(() => receiver.GetState() is { SetAside: 1, LastProblem: BridgeProblem.UnreadableMessage });
    }

    [BrokerFact]
    public async Task A_message_that_cannot_be_written_becomes_a_dead_letter_and_the_others_go_on()
    {
        Send(0, 20);
        Receiver<Parcel> receiver = Run(ReceiverOptions, new PickyBody());
        await UntilAsync(() => receiver.GetState().Connected);
        Forwarder<Parcel> forwarder = Run(ForwarderOptions, new PickyBody());
        Assert.Equal(Enumerable.Range(0, 20).Select(static one => (long)one).Where(static one => one != 13), await TakeAsync(19));
        await UntilAsync(forwarder, static state => state is { SetAside: 1, LastProblem: BridgeProblem.UnreadableMessage });
        using Subscription<Parcel> subscription = Outbox.Subscribe("default");
        DeadLetter<Parcel> letter = Assert.Single(subscription.DeadLetters);
        Assert.Contains("FormatException: 13", letter.Reason, StringComparison.Ordinal);
    }

    private ReceiverOptions Unchanged => new() { Broker = Broker.Options, Queue = Name };

    private static byte[] Bytes(string text) => Encoding.UTF8.GetBytes(text);

    // Writes packed bodies under their own content type, but for one.
    private sealed class PickyBody : BodyFormat<Parcel>
    {
        public override string ContentType => "application/x-blitqueue";

        public override void Write(IBufferWriter<byte> body, Parcel message) =>
            Packer.Pack(body, message.Number == 13 ? throw new FormatException("13") : message);

        public override Parcel? Read(ReadOnlySpan<byte> body) => Packer.Unpack<Parcel>(body);
    }

    [JsonSerializable(typeof(Parcel))]
    private sealed partial class ParcelJson : JsonSerializerContext;
}
