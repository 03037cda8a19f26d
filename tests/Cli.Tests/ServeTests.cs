using System.Globalization;
using System.Net;
using System.Text.Json;
using System.Text.RegularExpressions;

namespace BlitQueue.Tool;

/// <summary><c>blitq serve</c> as programs see it: events, who may ask, changes, its end.</summary>
public sealed partial class ServeTests
{
    private static readonly QueueOptions Small = new() { SegmentSize = 1 << 16 };
    private static readonly HttpStatusCode[] Refused = [HttpStatusCode.Forbidden, HttpStatusCode.NotFound];

    [Fact]
    public void Figures_messages_and_dead_letters_are_live()
    {
        using var folder = new Folder();
        using MappedQueue<Order> queue = Filled(folder, 3);
        using Subscription<Order> audit = queue.Subscribe("audit");
        audit.Receive().DeadLetter("no such customer");
        using var served = Served.Start(folder.Path);
        using Served.Events page = served.Open("?queue=orders");
        Assert.Equal(JsonValueKind.Array, page.Next("history").ValueKind);
        JsonElement first = QueueOf(page.Next("sample"), "orders");
        Assert.Equal("fine", first.GetProperty("state").GetString());
        Assert.Equal(queue.GetStatus().MessageCount, DepthOf(first));
        JsonElement shown = page.Next("opened").GetProperty("shown");
        Assert.Equal(3, shown.GetProperty("messages").GetArrayLength());
        Assert.Contains("\"Sku\":\"A-2\"", shown.GetProperty("messages")[2].GetProperty("text").GetString());
        JsonElement letters = Assert.Single(shown.GetProperty("letters").EnumerateArray());
        Assert.Equal("audit", letters.GetProperty("subscription").GetString());
        Assert.Equal("no such customer", letters.GetProperty("letters")[0].GetProperty("reason").GetString());

        queue.Enqueue(Order.Make(7));
        JsonElement later = page.Await("opened", static one => one.GetProperty("shown").GetProperty("messages").GetArrayLength() == 4);
        Assert.Contains("\"Sku\":\"A-7\"", later.GetProperty("shown").GetProperty("messages")[3].GetProperty("text").GetString());
        JsonElement rated = QueueOf(page.Await("sample", static one => DepthOf(QueueOf(one, "orders")) == 4), "orders");
        Assert.NotEqual(JsonValueKind.Null, rated.GetProperty("in").ValueKind);

        using Served.Events other = served.Open("?queue=orders&subscription=audit");
        JsonElement next = other.Next("opened").GetProperty("shown").GetProperty("messages");
        Assert.Equal(3, next.GetArrayLength());
        Assert.Contains("\"Sku\":\"A-1\"", next[0].GetProperty("text").GetString());
        Assert.Equal(4, queue.GetStatus().MessageCount);
    }

    [Fact]
    public void However_fast_messages_come_a_look_shows_the_last_ones_or_some()
    {
        using var folder = new Folder();
        using MappedQueue<Order> queue = Filled(folder, 0);
        using var served = Served.Start(folder.Path);
        using Served.Events page = served.Open("?queue=orders");
        page.Next("opened");
        for (int number = 0; number < 5000; number++)
        {
            queue.Enqueue(Order.Make(number));
        }

        page.Await("opened", static one => one.GetProperty("shown").GetProperty("messages").GetArrayLength() == 20);
        page.Await("sample", static one => DepthOf(QueueOf(one, "orders")) == 5000);
        queue.Enqueue(Order.Make(9999));
        JsonElement last = page.Await("opened", static one => one.GetProperty("shown").GetProperty("messages") is var messages
            && messages[messages.GetArrayLength() - 1].GetProperty("text").GetString()!.Contains("A-9999"));
        Assert.Equal(0, last.GetProperty("shown").GetProperty("faults").GetArrayLength());
    }

    [Fact]
    public void Queues_appear_are_damaged_and_disappear()
    {
        using var folder = new Folder();
        using var served = Served.Start(folder.Path);
        using Served.Events page = served.Open("?queue=orders");
        Assert.Equal(0, page.Next("sample").GetProperty("queues").GetArrayLength());
        Assert.Equal(JsonValueKind.Null, page.Next("opened").GetProperty("shown").ValueKind);
        Filled(folder, 2).Dispose();
        page.Await("opened", static one => one.GetProperty("shown").ValueKind == JsonValueKind.Object);
        string meta = folder.Of("orders", "queue.meta"), text = File.ReadAllText(meta);
        File.WriteAllText(meta, text.Replace("Customer", "Custmoer", StringComparison.Ordinal));
        page.Await("sample", static one => one.GetProperty("queues") is var queues && queues.GetArrayLength() == 1
            && queues[0].GetProperty("state").GetString() == "damaged"
            && queues[0].GetProperty("fault").GetString()!.Contains("blitq verify says what is damaged"));
        Directory.Delete(folder.Of("orders"), recursive: true);
        page.Await("sample", static one => one.GetProperty("queues").GetArrayLength() == 0);
        using MappedQueue<Order> again = Filled(folder, 5);
        page.Await("sample", static one => one.GetProperty("queues").GetArrayLength() == 1 && DepthOf(QueueOf(one, "orders")) == 5);
    }

    [Fact]
    public void Damage_in_the_log_is_told_and_what_is_whole_is_shown()
    {
        using var folder = new Folder();
        States.Make("damaged log", folder.Path, out _);
        using var served = Served.Start(folder.Path);
        using Served.Events page = served.Open("?queue=orders");
        JsonElement shown = page.Next("opened").GetProperty("shown");
        Assert.Single(shown.GetProperty("faults").EnumerateArray());
        Assert.Equal(7, shown.GetProperty("messages").GetArrayLength());
        Assert.Single(page.Next("opened").GetProperty("shown").GetProperty("faults").EnumerateArray());
    }

    [Fact]
    public void Pages_share_one_look_and_without_a_page_nothing_is_open()
    {
        using var folder = new Folder();
        using MappedQueue<Order> queue = Filled(folder, 1);
        using var served = Served.Start(folder.Path);
        Assert.False(HasOpen(served, folder));
        using (Served.Events one = served.Open(), other = served.Open("?queue=orders"))
        {
            long[] times = [.. Enumerable.Range(0, 20).Select(_ => TimeOf(one))];
            Assert.NotEmpty(times.Intersect(Enumerable.Range(0, 20).Select(_ => TimeOf(other))));
            Assert.True(HasOpen(served, folder));
        }

        while (HasOpen(served, folder))
        {
            Thread.Sleep(10);
        }

        using Served.Events later = served.Open();
        Assert.NotEqual(0, later.Next("history").GetArrayLength());
    }

    [Fact]
    public void Only_who_has_the_token_and_asks_for_this_host_is_answered()
    {
        using var folder = new Folder();
        using MappedQueue<Order> queue = Filled(folder, 1);
        using var served = Served.Start(folder.Path);
        using HttpResponseMessage page = served.Ask(HttpMethod.Get, "/", token: "");
        Assert.Equal(HttpStatusCode.OK, page.StatusCode);
        string policy = page.Headers.GetValues("Content-Security-Policy").Single();
        using var body = new StreamReader(page.Content.ReadAsStream());
        string text = body.ReadToEnd();
        Assert.Contains($"<script nonce=\"{Nonce().Match(policy).Groups[1].Value}\">", text, StringComparison.Ordinal);
        Assert.DoesNotContain("innerHTML", text, StringComparison.Ordinal);
        Assert.DoesNotContain("https://", text, StringComparison.Ordinal);
        Assert.DoesNotContain(served.Token, text, StringComparison.Ordinal);
        Assert.False(page.Headers.Contains("Access-Control-Allow-Origin"));

        Assert.Equal(HttpStatusCode.OK, CodeOf(served.Ask(HttpMethod.Get, "/events")));
        Assert.Equal(HttpStatusCode.OK, CodeOf(served.Ask(HttpMethod.Get, "/events", origin: served.Origin)));
        string wrong = (served.Token[0] == '0' ? '1' : '0') + served.Token[1..];
        Assert.Equal(HttpStatusCode.Unauthorized, CodeOf(served.Ask(HttpMethod.Get, "/events", token: "")));
        Assert.Equal(HttpStatusCode.Unauthorized, CodeOf(served.Ask(HttpMethod.Get, "/events", token: wrong)));
        Assert.Equal(HttpStatusCode.Unauthorized, CodeOf(served.Ask(HttpMethod.Get, "/events", token: served.Token[..^1])));
        Assert.Equal(HttpStatusCode.Unauthorized, CodeOf(served.Ask(HttpMethod.Get, "/events", origin: "http://evil.example")));
        string port = served.Url.Port.ToString(CultureInfo.InvariantCulture);
        foreach (string host in (string[])[$"evil.example:{port}", $"localhost:{port}", "127.0.0.1", "127.0.0.1:1"])
        {
            Assert.Contains(CodeOf(served.Ask(HttpMethod.Get, "/events", host: host)), Refused);
            Assert.Contains(CodeOf(served.Ask(HttpMethod.Get, "/", host: host)), Refused);
        }

        Assert.Equal(HttpStatusCode.NotFound, CodeOf(served.Ask(HttpMethod.Get, "/queue.meta")));
        Assert.Equal(HttpStatusCode.NotFound, CodeOf(served.Ask(HttpMethod.Post, "/events")));
    }

    [Fact]
    public void A_page_may_only_look_unless_it_was_allowed_more()
    {
        using var folder = new Folder();
        using MappedQueue<Order> queue = Filled(folder, 3);
        using var served = Served.Start(folder.Path);
        Assert.Contains("--allow-write", served.Change("""{"what":"purge","queue":"orders"}""", HttpStatusCode.Forbidden));
        using Served.Events page = served.Open();
        Assert.False(page.Next("sample").GetProperty("writes").GetBoolean());
        Assert.Equal(3, queue.GetStatus().MessageCount);
    }

    [Fact]
    public void A_page_that_may_retries_drops_and_purges()
    {
        using var folder = new Folder();
        MappedQueue<Order> queue = Filled(folder, 5);
        Subscription<Order> audit = queue.Subscribe("audit");
        long[] positions = [.. Enumerable.Range(0, 3).Select(_ => Bury(audit))];
        // Queues of two types, as no process could open them.
        var lines = MappedQueue<Line>.Open(folder.Of("deeper", "lines"), Small);
        lines.Enqueue(new Line { Sku = "A-1" });
        using var served = Served.Start(folder.Path, "--allow-write");
        using (Served.Events page = served.Open())
        {
            Assert.True(page.Next("sample").GetProperty("writes").GetBoolean());
        }

        string second = positions[1].ToString(CultureInfo.InvariantCulture);
        string retry = $$"""{"what":"retry","queue":"orders","subscription":"audit","positions":["{{second}}"]}""";
        Assert.Equal("1 dead letter retried", served.Change(retry));
        Assert.Equal(2, audit.DeadLetters.Count);
        Assert.Equal("2 dead letters dropped", served.Change("""{"what":"drop","queue":"orders","subscription":"audit","positions":[]}"""));
        Assert.Equal(0, audit.DeadLetters.Count);
        Assert.Contains("has no subscription", served.Change(
            """{"what":"drop","queue":"orders","subscription":"nobody"}""", HttpStatusCode.Conflict));
        Assert.Contains("consumes from", served.Change("""{"what":"purge","queue":"orders"}""", HttpStatusCode.Conflict));
        audit.Dispose();
        queue.Dispose();
        lines.Dispose();
        Assert.Equal("6 messages dropped", served.Change("""{"what":"purge","queue":"orders"}"""));
        Assert.Equal("1 message dropped", served.Change("""{"what":"purge","queue":"deeper/lines"}"""));
        Assert.Contains("there is no queue", served.Change("""{"what":"purge","queue":"../orders"}""", HttpStatusCode.Conflict));
        served.Change("""{"what":"verify","queue":"orders"}""", HttpStatusCode.Conflict);
        served.Change("""{"what":""", HttpStatusCode.Conflict);
    }

    [Fact]
    public void A_change_that_another_page_asks_for_is_refused()
    {
        using var folder = new Folder();
        using MappedQueue<Order> queue = Filled(folder, 1);
        using var served = Served.Start(folder.Path, "--allow-write");
        const string Purge = """{"what":"purge","queue":"orders"}""";
        Assert.Equal(HttpStatusCode.Forbidden, CodeOf(served.Ask(HttpMethod.Post, "/change", json: Purge)));
        Assert.Equal(
            HttpStatusCode.Unauthorized, CodeOf(served.Ask(HttpMethod.Post, "/change", origin: "http://evil.example", json: Purge)));
        Assert.Equal(
            HttpStatusCode.Unauthorized, CodeOf(served.Ask(HttpMethod.Post, "/change", token: "", origin: served.Origin, json: Purge)));
        Assert.Equal(HttpStatusCode.NotFound, CodeOf(served.Ask(HttpMethod.Get, "/change", origin: served.Origin)));
        Assert.Equal(HttpStatusCode.UnsupportedMediaType, CodeOf(served.Ask(HttpMethod.Post, "/change", origin: served.Origin)));
        Assert.Equal(1, queue.GetStatus().MessageCount);
    }

    [Theory]
    [InlineData("-TERM")]
    [InlineData("-INT")]
    public void A_signal_ends_it_although_pages_are_open(string signal)
    {
        using var folder = new Folder();
        using MappedQueue<Order> queue = Filled(folder, 1);
        using var served = Served.Start(folder.Path, "--allow-write");
        using Served.Events page = served.Open("?queue=orders"), idle = served.Open();
        page.Next("opened");
        Outcome outcome = served.Stop(signal);
        Assert.Equal((0, "", ""), (outcome.Code, outcome.Output, outcome.Error));
        page.ReadToEnd();
    }

    [Fact]
    public void A_port_in_use_and_a_wrong_command_line_end_with_one_line()
    {
        using var folder = new Folder();
        using var served = Served.Start(folder.Path);
        string port = served.Url.Port.ToString(CultureInfo.InvariantCulture);
        Assert.Equal(
            $"blitq: port {port} of 127.0.0.1 is in use. Give another with --port, or 0 for a free one.\n",
            Blitq.Run("serve", folder.Path, "--port", port).Expect(4).Error);
        Blitq.Run("serve", folder.Path, "--port", "65536").Expect(64);
        Blitq.Run("serve", folder.Path, "--every", "0").Expect(64);
        Assert.Equal(0, served.Stop("-TERM").Code);
        using var again = Served.Start(folder.Path, "--port", port);
        Assert.Equal(port, again.Url.Port.ToString(CultureInfo.InvariantCulture));
        Assert.NotEqual(served.Token, again.Token);
    }

    private static HttpStatusCode CodeOf(HttpResponseMessage response)
    {
        using (response)
        {
            return response.StatusCode;
        }
    }

    private static JsonElement QueueOf(JsonElement sample, string name)
        => sample.GetProperty("queues").EnumerateArray().Single(one => one.GetProperty("name").GetString() == name);

    private static long DepthOf(JsonElement queue)
        => queue.TryGetProperty("status", out JsonElement status) ? status.GetProperty("depth").GetInt64() : -1;

    private static long TimeOf(Served.Events page) => page.Next("sample").GetProperty("point").GetProperty("t").GetInt64();

    private static bool HasOpen(Served served, Folder folder)
        => File.ReadAllText($"/proc/{served.Process.Id}/maps").Contains(folder.Path, StringComparison.Ordinal);

    private static long Bury(Subscription<Order> subscription)
    {
        Lease<Order> lease = subscription.Receive();
        long position = lease.Position.Value;
        lease.DeadLetter("no such customer");
        return position;
    }

    private static MappedQueue<Order> Filled(Folder folder, int count)
    {
        var queue = MappedQueue<Order>.Open(folder.Of("orders"), Small);
        for (int number = 0; number < count; number++)
        {
            queue.Enqueue(Order.Make(number));
        }

        return queue;
    }

    [GeneratedRegex("script-src 'nonce-([0-9A-F]+)'")]
    private static partial Regex Nonce();
}
