using System.CommandLine;
using System.Diagnostics;
using System.Globalization;
using BlitQueue.Cli.Output;
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
                looks.Look().Print();
                Terminal.Flush();
                Pause(every, isLast: look == count - 1);
            }
            return ExitCode.Fine;
        }
        AnsiConsole.Live(Text.Empty).Start(context =>
        {
            for (long look = 0; look < count; look++)
            {
                context.UpdateTarget(new Text(looks.Look().Text()));
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

    /// <summary>Remembers the look before: rates are differences.</summary>
    private sealed class Looks(string root) : IDisposable
    {
        private readonly Dictionary<string, QueueLook> _open = [];
        private readonly Dictionary<string, (long End, long Lag)> _before = [];
        private long _since = Stopwatch.GetTimestamp();

        public Columns Look()
        {
            double seconds = Math.Max(Stopwatch.GetElapsedTime(_since).TotalSeconds, 0.001);
            _since = Stopwatch.GetTimestamp();
            var table = new Columns("queue", "subscription", "lag", "in/s", "out/s", "leased", "dead letters", "oldest", "consumers");
            foreach (string path in MappedQueue.List(root))
            {
                try
                {
                    Add(path, seconds, table);
                }
                catch (QueueException exception)
                {
                    Forget(path);
                    table.Add(Name(path), ExitCode.Of(exception) == ExitCode.Damaged ? "damaged" : "unreadable", null, null, null, null,
                        null, null, null);
                }
            }
            return table;
        }

        private void Add(string path, double seconds, Columns table)
        {
            if (!_open.TryGetValue(path, out QueueLook? look))
            {
                _open[path] = look = QueueLook.Open(path);
            }
            QueueStatus status = look.GetStatus();
            foreach (SubscriptionStatus one in status.Subscriptions)
            {
                string key = $"{path}\n{one.Name}";
                (long End, long Lag) now = (look.CountUpTo(status.Next.Value), one.Lag);
                (string? into, string? from) = _before.TryGetValue(key, out (long End, long Lag) before) && now.End >= before.End
                    ? (Rate(now.End - before.End, seconds), Rate(now.End - before.End + before.Lag - now.Lag, seconds))
                    : (null, null);
                _before[key] = now;
                table.Add(
                    Name(path), one.Name, one.Lag, into, from, one.InFlight, one.DeadLetters, one.OldestAge, one.Consumers);
            }
        }

        private static string Rate(long count, double seconds)
            => Math.Max(0, count / seconds).ToString("N0", CultureInfo.InvariantCulture);

        private string Name(string path) => Path.GetRelativePath(root, path) is var name && name == "." ? Path.GetFileName(path) : name;

        // It may be another queue by now.
        private void Forget(string path)
        {
            if (_open.Remove(path, out QueueLook? look))
            {
                look.Dispose();
            }
        }

        public void Dispose()
        {
            foreach (QueueLook look in _open.Values)
            {
                look.Dispose();
            }
        }
    }
}
