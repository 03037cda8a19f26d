using System.CommandLine;
using System.Globalization;
using BlitQueue.Cli.Output;
using BlitQueue.Cli.Queues;
using Spectre.Console;
using Columns = BlitQueue.Cli.Output.Columns;

namespace BlitQueue.Cli.Commands;

/// <summary><c>blitq top</c>: the queues below a directory, live.</summary>
internal static class TopCommand
{
    public static System.CommandLine.Command Make()
    {
        var root = new Argument<string>("directory") { Description = "Where to look.", DefaultValueFactory = static _ => "." };
        var every = new Option<double>("--every") { Description = "Seconds between two looks.", DefaultValueFactory = static _ => 1 };
        var count = new Option<long?>("--count", "-n") { Description = "End after so many looks; without it when it is interrupted." };
        return Shared.Command("top", "Show the queues below a directory, live.", [root, every, count], result =>
            Run(
                Path.GetFullPath(result.GetValue(root)!), Shared.Seconds(result.GetValue(every)), result.GetValue(count) ?? long.MaxValue));
    }

    private static int Run(string root, TimeSpan every, long count)
    {
        Courtesy.GiveWay();
        using var looks = new Looks(root);
        if (Console.IsOutputRedirected)
        {
            for (long look = 0; look < count; look++)
            {
                TableOf(looks.Look()).Print();
                Terminal.Flush();
                Pause(every, isLast: look == count - 1);
            }
            return ExitCode.Fine;
        }
        AnsiConsole.Live(Text.Empty).Start(context =>
        {
            for (long look = 0; look < count; look++)
            {
                context.UpdateTarget(new Text(TableOf(looks.Look()).Text()));
                Pause(every, isLast: look == count - 1);
            }
        });
        return ExitCode.Fine;
    }

    private static void Pause(TimeSpan every, bool isLast)
    {
        if (!isLast)
        {
            Thread.Sleep(every);
        }
    }

    private static Columns TableOf(List<QueueFigures> queues)
    {
        var table = new Columns("queue", "subscription", "lag", "in/s", "out/s", "leased", "dead letters", "oldest", "consumers");
        foreach (QueueFigures queue in queues)
        {
            if (queue.Fault is { } fault)
            {
                table.Add(queue.Name, StatusJson.StateOf(fault), null, null, null, null, null, null, null);
            }
            foreach (SubscriptionStatus one in queue.Status?.Subscriptions ?? [])
            {
                bool isSecond = queue.From.TryGetValue(one.Name, out double from);
                table.Add(
                    queue.Name, one.Name, one.Lag, isSecond ? Rate(queue.Into) : null, isSecond ? Rate(from) : null, one.InFlight,
                    one.DeadLetters, one.OldestAge, one.Consumers);
            }
        }
        return table;
    }

    private static string? Rate(double? rate) => rate?.ToString("N0", CultureInfo.InvariantCulture);
}
