using System.Diagnostics;
using System.Text;
using System.Text.Json;
using BlitQueue.RabbitMq.Tests;
using RabbitMQ.Client;

namespace BlitQueue.Tool;

/// <summary><c>forward</c> and <c>receive</c> with the real broker.</summary>
[Collection(BrokerCollection.Name)]
public sealed class BridgeTests(Broker broker)
{
    private readonly string _name = $"tool-{Guid.NewGuid():N}";

    private string Uri => $"amqp://guest:guest@{broker.Host}/%2F";

    [BrokerFact]
    public void A_queue_goes_to_another_store_without_code()
    {
        using var folder = new Folder();
        (string a, string b) = Fill(folder, 50);
        Blitq.Run("send", a, """{"Id":51}""", "-p", "label=rush", "-H", "tenant=acme").Expect(0);
        string[] sent = MessagesOf(a);
        Assert.Equal("0 messages received\n", Receive(b, "--declare").Expect(0).Error);
        Assert.Equal("51 messages forwarded\n", Forward(a).Expect(0).Error);
        Assert.Equal("51 messages received\n", Receive(b).Expect(0).Error);
        // What was confirmed is consumed.
        Assert.Equal("0 messages forwarded\n", Forward(a).Expect(0).Error);
        Assert.Equal(sent, MessagesOf(b));
        JsonElement last = Assert.Single(Blitq.Json("tail", b, "--json", "-n", "1"));
        Assert.Equal(51, last.GetProperty("message").GetProperty("Id").GetInt64());
        Assert.Equal("rush", last.GetProperty("properties").GetProperty("label").GetString());
        Assert.Equal("acme", last.GetProperty("properties").GetProperty("headers").GetProperty("tenant").GetString());
    }

    [BrokerFact]
    public async Task Bodies_are_JSON_for_an_end_that_is_not_ours()
    {
        using var folder = new Folder();
        (string a, string b) = Fill(folder, 2);
        await using IConnection connection = await broker.ConnectAsync();
        await using IChannel channel = await connection.CreateChannelAsync(new CreateChannelOptions(true, true));
        await channel.QueueDeclareAsync(_name, durable: true, exclusive: false, autoDelete: false);
        Forward(a, "--json").Expect(0);
        BasicGetResult first = (await channel.BasicGetAsync(_name, autoAck: true))!;
        Assert.Equal("application/json", first.BasicProperties.ContentType);
        Assert.Equal(
            """{"Id":1,"Customer":"Ada","Total":"9.90","At":"2026-01-31T12:01:00.0000000Z","Lines":[{"Sku":"A-1","Count":1}]}""",
            Encoding.UTF8.GetString(first.Body.Span));
        await channel.BasicGetAsync(_name, autoAck: true);

        // Another program answers: two messages, and something that is none.
        var json = new BasicProperties { ContentType = "application/json", CorrelationId = "c-1" };
        await channel.BasicPublishAsync("", _name, mandatory: true, json, Encoding.UTF8.GetBytes("""{"Id":7,"Customer":"Eve"}"""));
        await channel.BasicPublishAsync("", _name, mandatory: true, json, Encoding.UTF8.GetBytes("""{"Id":"seven"}"""));
        await channel.BasicPublishAsync("", _name, mandatory: true, new BasicProperties(), Encoding.UTF8.GetBytes("""{"Id":8}"""));
        Outcome outcome = Receive(b, "--json").Expect(0);
        Assert.Contains("blitq: UnreadableMessage: ", outcome.Error, StringComparison.Ordinal);
        Assert.EndsWith("2 messages received, 1 message set aside\n", outcome.Error, StringComparison.Ordinal);
        List<JsonElement> got = Blitq.Json("tail", b, "--json", "-n", "2");
        Assert.Equal([7L, 8], got.Select(static one => one.GetProperty("message").GetProperty("Id").GetInt64()));
        Assert.Equal("c-1", got[0].GetProperty("properties").GetProperty("correlation_id").GetString());
        JsonElement refused = Assert.Single(Blitq.Json("tail", folder.Of("b", "refused-orders"), "--json"));
        Assert.Contains("cannot be read", refused.GetProperty("message").GetProperty("Reason").GetString(), StringComparison.Ordinal);
    }

    [BrokerFact]
    public async Task A_packed_body_that_no_consumer_could_read_is_refused()
    {
        using var folder = new Folder();
        (_, string b) = Fill(folder, 0);
        Receive(b, "--declare").Expect(0);
        await using IConnection connection = await broker.ConnectAsync();
        await using IChannel channel = await connection.CreateChannelAsync(new CreateChannelOptions(true, true));
        var properties = new BasicProperties
        {
            ContentType = $"application/x-blitqueue; schema={Order.Schema.Fingerprint:x16}",
            AppId = "blitqueue/me/8/-1",
        };
        await channel.BasicPublishAsync("", _name, mandatory: true, properties, Packer.Pack(Order.Make(1)).AsMemory()[..^3]);
        Assert.EndsWith("0 messages received, 1 message set aside\n", Receive(b).Expect(0).Error, StringComparison.Ordinal);
    }

    [BrokerFact]
    public void What_is_in_the_way_is_an_exit_code()
    {
        using var folder = new Folder();
        (string a, string b) = Fill(folder, 1);
        string wrong = $"amqp://guest:secret@{broker.Host}/%2F";
        Outcome refused = Blitq.Run("forward", a, "--key", _name, "--broker", wrong, "--wait", "0.3").Expect(4);
        Assert.StartsWith("blitq: AccessRefused: ", refused.Error, StringComparison.Ordinal);
        Assert.DoesNotContain("secret", refused.Error, StringComparison.Ordinal);
        Assert.StartsWith(
            "blitq: MissingQueue: ", Blitq.Run("receive", b, "--from", _name, "--broker", Uri, "--wait", "0.3").Expect(5).Error,
            StringComparison.Ordinal);
        Assert.StartsWith(
            "blitq: Unroutable: ", Blitq.Run("forward", a, "--key", _name, "--broker", Uri, "--wait", "0.3").Expect(5).Error,
            StringComparison.Ordinal);
        Blitq.Run("forward", a, "--broker", Uri, "--wait", "0.3").Expect(64);
        Blitq.Run("forward", a, "--key", _name, "--broker", "rabbit", "--wait", "0.3").Expect(64);
        Blitq.Run("forward", a, "--key", _name, "-s", "other", "--broker", Uri, "--wait", "0.3").Expect(1);
    }

    [BrokerFact]
    public void An_interrupt_ends_it_and_what_is_unconfirmed_stays()
    {
        using var folder = new Folder();
        (string a, _) = Fill(folder, 3);
        using Process process = Blitq.Start(".", Blitq.Program, "forward", a, "--key", _name, "--broker", Uri);
        Assert.StartsWith("blitq: Unroutable: ", process.StandardError.ReadLine(), StringComparison.Ordinal);
        Blitq.RunIn(".", "", "kill", "-INT", $"{process.Id}").Expect(0);
        process.WaitForExit();
        Assert.Equal((0, 3L), (process.ExitCode, MappedQueue.GetStatus(a).MessageCount));
    }

    // The queues of two machines.
    private static (string A, string B) Fill(Folder folder, int count)
    {
        using var a = MappedQueue<Order>.Open(folder.Of("a", "orders"));
        for (int number = 1; number <= count; number++)
        {
            a.Enqueue(Order.Make(number));
        }
        using var b = MappedQueue<Order>.Open(folder.Of("b", "orders"));
        return (a.Path, b.Path);
    }

    private static string[] MessagesOf(string path) =>
        [.. Blitq.Json("tail", path, "--json", "-n", "51").Select(static one => one.GetProperty("message").GetRawText())];

    private Outcome Forward(string path, params string[] options) =>
        Blitq.Run(["forward", path, "--key", _name, "--broker", Uri, "--idle", "0.5", .. options]);

    private Outcome Receive(string path, params string[] options) =>
        Blitq.Run(["receive", path, "--from", _name, "--broker", Uri, "--idle", "1", .. options]);
}
