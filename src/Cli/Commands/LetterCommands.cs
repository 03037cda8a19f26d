using BlitQueue.Cli.Lines;
using BlitQueue.Cli.Output;
using BlitQueue.Cli.Queues;

namespace BlitQueue.Cli.Commands;

/// <summary><c>blitq dlq</c>: what subscriptions have set aside.</summary>
internal static class LetterCommands
{
    public static Command Make()
    {
        var command = new Command("dlq", "Dead letters: list, show, retry, drop.");
        command.Subcommands.Add(MakeList());
        command.Subcommands.Add(MakeShow());
        command.Subcommands.Add(MakeEnd(
            "retry", "Make dead letters messages again, for their subscription alone.", "retried", static lease => lease.Requeue()));
        command.Subcommands.Add(MakeEnd("drop", "Delete dead letters.", "dropped", static lease => lease.Commit()));
        return command;
    }

    private static Command MakeList()
    {
        Argument<string> queue = Shared.Queue();
        Option<bool> json = Shared.Json();
        return Shared.Command("ls", "How many dead letters each subscription has.", [queue, json], result =>
        {
            var table = new Columns("subscription", "dead letters", "oldest", "last reason");
            string path = result.GetValue(queue)!;
            using var look = QueueLook.Open(path);
            foreach (SubscriptionStatus one in look.GetStatus().Subscriptions)
            {
                using var letters = Letters.TryOpen(path, one.Name);
                (string? oldest, string? reason) = letters?.Summary() ?? default;
                if (result.GetValue(json))
                {
                    Terminal.Line(JsonOf(one, oldest, reason).Bytes);
                }
                else if (one.DeadLetters > 0)
                {
                    table.Add(one.Name, one.DeadLetters, oldest, reason);
                }
            }
            table.Print();
            return ExitCode.Fine;
        });
    }

    private static JsonOutput JsonOf(SubscriptionStatus one, string? oldest, string? reason)
    {
        var json = new JsonOutput();
        json.BeginObject();
        json.Member("subscription", one.Name);
        json.Member("dead_letters", one.DeadLetters);
        json.Member("oldest", oldest);
        json.Member("last_reason", reason);
        json.EndObject();
        return json;
    }

    private static Command MakeShow()
    {
        Argument<string> queue = Shared.Queue();
        Option<string?> subscription = Shared.Subscription("The subscription; without it 'default'.");
        Option<bool> json = Shared.Json();
        Option<long?> count = Shared.Count("At most so many.");
        return Shared.Command("show", "Print dead letters, with their reasons; takes none.", [queue, subscription, json, count], result =>
        {
            string path = result.GetValue(queue)!, name = result.GetValue(subscription) ?? "default";
            WritableQueue.RequireSubscription(path, name);
            using var letters = Letters.TryOpen(path, name);
            bool isWhole = true;
            long most = result.GetValue(count) ?? long.MaxValue;
            for (long shown = 0; shown < most && letters?.TryRead() == true; shown++)
            {
                isWhole &= letters.Print(result.GetValue(json));
            }
            return isWhole ? ExitCode.Fine : ExitCode.Damaged;
        });
    }

    private static Command MakeEnd(string verb, string description, string done, Action<DeadLetterLease<PackedMessage>> end)
    {
        Argument<string> queue = Shared.Queue();
        Option<string?> subscription = Shared.Subscription("The subscription; without it 'default'.");
        var position = new Option<long[]>("--position") { Description = "Only the letter of this message: a position as show prints it." };
        Option<bool> yes = Shared.Yes();
        Option<double> wait = Shared.Wait();
        return Shared.Command(verb, description, [queue, subscription, position, yes, wait], result =>
        {
            string path = result.GetValue(queue)!, name = result.GetValue(subscription) ?? "default";
            WritableQueue.RequireSubscription(path, name);
            HashSet<long> wanted = [.. result.GetValue(position) ?? []];
            long ended = result.GetValue(yes)
                ? End(path, name, wanted, Shared.Seconds(result.GetValue(wait)), end)
                : CountWanted(path, name, wanted);
            string what = result.GetValue(yes) ? done : $"would be {done}; --yes does it";
            Terminal.Line($"{Columns.Count(ended, "dead letter")} {what}");
            return ended < wanted.Count ? ExitCode.Passed : ExitCode.Fine;
        });
    }

    private static long CountWanted(string path, string name, HashSet<long> wanted)
    {
        using var letters = Letters.TryOpen(path, name);
        long count = 0;
        while (letters?.TryRead() == true)
        {
            count += wanted.Count == 0 || wanted.Contains(letters.Position) ? 1 : 0;
        }
        return count;
    }

    // Letters that are not wanted are taken too, and given back at the end: otherwise the next one would be the same again.
    private static long End(
        string path, string name, HashSet<long> wanted, TimeSpan wait, Action<DeadLetterLease<PackedMessage>> end)
    {
        using MappedQueue<PackedMessage> queue = WritableQueue.Open(path, wait, out _);
        using Subscription<PackedMessage> subscription = queue.Subscribe(name);
        DeadLetterQueue<PackedMessage> letters = subscription.DeadLetters;
        List<DeadLetterLease<PackedMessage>> others = [];
        long ended = 0, most = letters.Count;
        try
        {
            for (long taken = 0; taken < most && letters.TryReceive(out DeadLetterLease<PackedMessage> lease); taken++)
            {
                if (wanted.Count > 0 && !wanted.Contains(lease.Read().Position.Value))
                {
                    others.Add(lease);
                    continue;
                }
                end(lease);
                ended++;
            }
            return ended;
        }
        finally
        {
            others.ForEach(static lease => lease.Dispose());
        }
    }
}
