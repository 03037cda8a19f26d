using System.Net.Http.Json;
using System.Text.RegularExpressions;

namespace BlitQueue.Docs.Samples;

/// <summary>The samples do what they say, as processes of their own.</summary>
public sealed partial class SamplesTests : IDisposable
{
    private readonly DirectoryInfo _temporary = Directory.CreateTempSubdirectory("blitqueue-samples-");

    // What a sample that was killed has in shared memory.
    private readonly string _express = $"sample-{Guid.NewGuid():N}";

    public void Dispose() => _temporary.Delete(recursive: true);

    [Fact]
    public void A_sample_fits_on_a_screen() => Assert.All(
        Directory.EnumerateFiles(Repository.Of("samples"), "Program.cs", SearchOption.AllDirectories),
        static path => Assert.True(File.ReadLines(path).Count() <= 80, path));

    [Fact]
    public void Work_of_a_killed_worker_is_done_by_another()
    {
        Run("WorkQueue", "send", "15");
        string first;
        using (Command worker = Start("WorkQueue", "work"))
        {
            worker.WaitFor("did job 2,");
            worker.Kill();
            first = worker.Output;
        }
        string second = Run("WorkQueue", "work");
        Assert.Equal(
            Enumerable.Range(1, 15).Where(static number => number != 13),
            DoneJobs().Matches(first + second).Select(static done => int.Parse(done.Groups[1].Value)).Distinct().Order());
        Assert.Contains("job 13, attempt 3: nobody can do this one\n", second, StringComparison.Ordinal);
        Assert.EndsWith("nothing left to do; 1 jobs cannot be done\n", second, StringComparison.Ordinal);
        Assert.Contains("0 messages wait", Run("WorkQueue", "status"), StringComparison.Ordinal);
    }

    [Fact]
    public void Every_subscriber_sees_every_event_and_may_see_them_again()
    {
        Run("FanOut", "publish", "3");
        string Told(string name) => $"{name}: order 1 of customer 1\n{name}: order 2 of customer 2\n{name}: order 3 of customer 0\n";
        Assert.Equal(Told("billing"), Run("FanOut", "follow", "billing"));
        Assert.Equal(Told("audit"), Run("FanOut", "follow", "audit"));
        Run("FanOut", "replay", "audit");
        Assert.Equal(Told("audit"), Run("FanOut", "follow", "audit"));
    }

    [Fact]
    public void A_question_is_answered_by_whichever_server_lives()
    {
        using (Command server = Start("RequestReply", "serve"))
        {
            Assert.Equal("'Who?' has 4 letters\n", Run("RequestReply", "ask", "Who?"));
            Assert.Equal("W\nh\no\n?\n", Run("RequestReply", "spell", "Who?"));
            server.Kill();
        }
        using Command client = Start("RequestReply", "ask", "Anybody?");
        using Command next = Start("RequestReply", "serve");
        Assert.Equal("'Anybody?' has 8 letters\n", client.End());
        Assert.Empty(Directory.EnumerateFiles(_temporary.FullName, ".blitqueue-*"));
    }

    [Fact]
    public void What_the_database_has_is_billed_once()
    {
        Run("Outbox", "order", "Ada");
        Run("Outbox", "order", "Bob");
        Assert.Equal("", Run("Outbox", "bill"));
        Run("Outbox", "relay");
        Run("Outbox", "relay");
        Assert.Equal("billed Ada\nbilled Bob\n", Run("Outbox", "bill"));
        Assert.Equal("", Run("Outbox", "bill"));
    }

    [Fact]
    public void A_watcher_sees_the_quotes_or_says_how_many_it_missed()
    {
        using Command watcher = Start("MarketData", "watch", _express);
        watcher.WaitFor("ready");
        Assert.EndsWith(" ns a quote\n", Run("MarketData", "feed", _express, "20000"), StringComparison.Ordinal);
        Match said = SeenQuotes().Match(watcher.End());
        Assert.True(said.Success);
        Assert.Equal(20000, int.Parse(said.Groups[1].Value) + int.Parse(said.Groups[2].Value));
        Assert.True(MappedQueue<RawMessage>.DeleteExpress(_express));
    }

    [Fact]
    public async Task A_request_enqueues_and_the_background_service_works()
    {
        using Command web = Start("Web", "--urls", "http://127.0.0.1:0");
        web.WaitFor("Now listening on: ");
        using var client = new HttpClient { BaseAddress = new Uri(ListeningOn().Match(web.Output).Groups[1].Value) };
        HttpResponseMessage answer = await client.PostAsJsonAsync("/orders", new { customer = "Ada" });
        Assert.Equal(System.Net.HttpStatusCode.Accepted, answer.StatusCode);
        web.WaitFor("bill for Ada, attempt 1");
        Assert.Contains("messages wait", await client.GetStringAsync("/queue"), StringComparison.Ordinal);
    }

    private string Run(string sample, params string[] arguments)
    {
        using Command command = Start(sample, arguments);
        return command.End();
    }

    // The samples' temporary directory is the test's own.
    private Command Start(string sample, params string[] arguments) => Command.Start(
        _temporary.FullName, Command.Dotnet,
        [Repository.Of("samples", sample, "bin", Repository.Configuration, "net10.0", sample + ".dll"), .. arguments],
        new Dictionary<string, string> { ["TMPDIR"] = _temporary.FullName });

    [GeneratedRegex("did job ([0-9]+),")]
    private static partial Regex DoneJobs();

    [GeneratedRegex("saw ([0-9]+) quotes, missed ([0-9]+); highest ask of BBB: 110")]
    private static partial Regex SeenQuotes();

    [GeneratedRegex("Now listening on: (http://[^ \n]+)")]
    private static partial Regex ListeningOn();
}
