using BlitQueue.Cli.Output;
using BlitQueue.Cli.Queues;

namespace BlitQueue.Cli.Commands;

/// <summary><c>blitq seek</c> and <c>blitq purge</c>: not while a process consumes.</summary>
internal static class ChangeCommands
{
    public static Command MakeSeek()
    {
        Argument<string> queue = Shared.Queue();
        Option<string?> subscription = Shared.Subscription("The subscription; without it 'default'.");
        var to = new Option<string>("--to")
        {
            Description = "oldest, newest, a position, or a time such as 2026-01-31T12:00:00Z.",
            Required = true,
        };
        Option<bool> yes = Shared.Yes();
        Option<double> wait = Shared.Wait();
        return Shared.Command(
            "seek", "Set a subscription's next message; refused while a process consumes from it.", [queue, subscription, to, yes, wait],
            result => Seek(
                result.GetValue(queue)!, result.GetValue(subscription) ?? "default", result.GetValue(to)!, result.GetValue(yes),
                Shared.Seconds(result.GetValue(wait))));
    }

    private static int Seek(string path, string name, string to, bool isSure, TimeSpan wait)
    {
        bool isPosition = Where.TryPosition(to, out QueuePosition position);
        if (!Where.TryTime(to, out DateTime time) && !isPosition)
        {
            throw new UsageException($"'{to}' is neither oldest, newest, a position nor a time.");
        }
        WritableQueue.RequireSubscription(path, name);
        WritableQueue.RefuseConsumers(path, name, "moved");
        if (!isSure)
        {
            Terminal.Line($"would move '{name}' of {path} to {to}; --yes does it");
            return ExitCode.Fine;
        }
        using MappedQueue<PackedMessage> queue = WritableQueue.Open(path, wait, out _);
        using Subscription<PackedMessage> subscription = queue.Subscribe(name);
        if (isPosition)
        {
            subscription.Seek(position);
        }
        else
        {
            subscription.Seek(time);
        }
        Report(queue, name);
        return ExitCode.Fine;
    }

    private static void Report(MappedQueue<PackedMessage> queue, string name)
    {
        SubscriptionStatus status = queue.GetStatus().Subscriptions.Single(one => one.Name == name);
        Terminal.Line(string.Create(CultureInfo.InvariantCulture, $"{name}: lag {status.Lag:N0}"));
    }

    public static Command MakePurge()
    {
        Argument<string> queue = Shared.Queue();
        Option<bool> yes = Shared.Yes();
        Option<double> wait = Shared.Wait();
        return Shared.Command(
            "purge", "Drop every message that is not leased, for all subscriptions; refused while a process consumes.", [queue, yes, wait],
            result => Purge(result.GetValue(queue)!, result.GetValue(yes), Shared.Seconds(result.GetValue(wait))));
    }

    private static int Purge(string path, bool isSure, TimeSpan wait)
    {
        WritableQueue.RefuseConsumers(path, subscription: null, "purged");
        if (!isSure)
        {
            using var look = QueueLook.Open(path);
            Terminal.Line($"would drop {Columns.Count(look.GetStatus().MessageCount, "message")} of {path}; --yes does it");
            return ExitCode.Fine;
        }
        using MappedQueue<PackedMessage> queue = WritableQueue.Open(path, wait, out _);
        long before = queue.GetStatus().MessageCount;
        queue.Purge();
        Terminal.Line($"{Columns.Count(before - queue.GetStatus().MessageCount, "message")} dropped");
        return ExitCode.Fine;
    }
}
