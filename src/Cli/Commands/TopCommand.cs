using BlitQueue.Cli.Codecs;
using BlitQueue.Cli.Output;
using BlitQueue.Cli.Queues;
using BlitQueue.Cli.Serving;
using Spectre.Console;
using Columns = BlitQueue.Cli.Output.Columns;

namespace BlitQueue.Cli.Commands;

/// <summary><c>blitq top</c>: the queues below a directory, live.</summary>
internal static class TopCommand
{
    public static System.CommandLine.Command Make()
    {
        var root = new Argument<string>("directory") { Description = "Where to look.", DefaultValueFactory = static _ => "." };
        Option<bool> json = Shared.Json();
        var every = new Option<double>("--every") { Description = "Seconds between two looks.", DefaultValueFactory = static _ => 1 };
        var count = new Option<long?>("--count", "-n") { Description = "End after so many looks; without it when it is interrupted." };
        return Shared.Command("top", "Show the queues below a directory, live.", [root, json, every, count], result =>
        {
            using var looks = new Looks(Path.GetFullPath(result.GetValue(root)!));
            TimeSpan pause = Shared.Seconds(result.GetValue(every));
            long most = result.GetValue(count) ?? long.MaxValue;
            Courtesy.GiveWay();
            return result.GetValue(json) ? Repeat(looks, pause, most, PrintJson)
                : Console.IsOutputRedirected ? Repeat(looks, pause, most, Print)
                : Draw(looks, pause, most);
        });
    }

    private static int Draw(Looks looks, TimeSpan every, long count)
    {
        int code = ExitCode.Fine;
        AnsiConsole.Live(Text.Empty).Start(context => code = Repeat(looks, every, count, queues =>
        {
            string[] lines = [TableOf(queues).Text(), .. Problems(queues)];
            context.UpdateTarget(new Text(string.Join('\n', lines)));
        }));
        return code;
    }

    // The exit code is that of the last look: what was wrong before and is right again is no reason for an alarm.
    private static int Repeat(Looks looks, TimeSpan every, long count, Action<List<QueueFigures>> show)
    {
        int code = ExitCode.Fine;
        for (long look = 0; look < count; look++)
        {
            List<QueueFigures> queues = looks.Look();
            show(queues);
            code = queues.Max(static queue => (int?)CodeOf(queue)) ?? ExitCode.Fine;
            if (look < count - 1)
            {
                Thread.Sleep(every);
            }
        }
        return code;
    }

    private static void Print(List<QueueFigures> queues)
    {
        TableOf(queues).Print();
        Complain(queues);
    }

    private static void PrintJson(List<QueueFigures> queues)
    {
        var json = new JsonOutput();
        json.BeginObject();
        json.Member("time", Times.TextOf(DateTime.UtcNow));
        json.Elements("queues", queues, queue => Samples.Write(queue, json));
        json.EndObject();
        Terminal.Line(json.Bytes);
        Complain(queues);
    }

    private static void Complain(List<QueueFigures> queues)
    {
        Terminal.Flush();
        Problems(queues).ToList().ForEach(Terminal.Complain);
    }

    private static IEnumerable<string> Problems(List<QueueFigures> queues) => queues.Select(static queue => queue.Problem).OfType<string>();

    private static int CodeOf(QueueFigures queue) => queue.Fault is { } fault ? Guarded.CodeOf(fault) ?? ExitCode.Failed
        : queue.Status!.IsFailed ? ExitCode.Damaged
        : ExitCode.Fine;

    private static Columns TableOf(List<QueueFigures> queues)
    {
        var table = new Columns("queue", "subscription", "lag", "in/s", "out/s", "leased", "dead letters", "oldest", "consumers", "bytes");
        foreach (QueueFigures queue in queues)
        {
            if (queue.Status is not { } status)
            {
                table.Add(queue.Name, StatusJson.StateOf(queue.Fault!), null, null, null, null, null, null, null, null);
                continue;
            }
            string bytes = Columns.Bytes(status.Bytes, status.Capacity);
            if (status.Subscriptions.Count == 0)
            {
                table.Add(queue.Name, null, null, Rate(queue.Into), null, null, null, null, null, bytes);
            }
            foreach (SubscriptionStatus one in status.Subscriptions)
            {
                bool isSecond = queue.From.TryGetValue(one.Name, out double from);
                table.Add(
                    queue.Name, one.Name, one.Lag, isSecond ? Rate(queue.Into) : null, isSecond ? Rate(from) : null, one.InFlight,
                    one.DeadLetters, one.OldestAge, one.Consumers, bytes);
            }
        }
        return table;
    }

    private static string? Rate(double? rate) => rate?.ToString("N0", CultureInfo.InvariantCulture);
}
