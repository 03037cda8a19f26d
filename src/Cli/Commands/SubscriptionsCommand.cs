using BlitQueue.Cli.Output;

namespace BlitQueue.Cli.Commands;

/// <summary><c>blitq subscriptions</c>: how each subscription stands.</summary>
internal static class SubscriptionsCommand
{
    public static Command Make() => Shared.Look("subscriptions", "Print how each subscription of a queue stands.", Run);

    private static int Run(QueueLook look, bool isJson)
    {
        QueueStatus status = look.GetStatus();
        Dictionary<string, long> positions = look.Positions();
        if (!isJson)
        {
            TableOf(status, positions).Print();
            return ExitCode.Fine;
        }
        foreach (SubscriptionStatus one in status.Subscriptions)
        {
            var line = new JsonOutput();
            StatusJson.Write(one, positions.GetValueOrDefault(one.Name), line);
            Terminal.Line(line.Bytes);
        }
        return ExitCode.Fine;
    }

    /// <summary>A line for each.</summary>
    public static Columns TableOf(QueueStatus status, Dictionary<string, long> positions)
    {
        var table = new Columns(
            "subscription", "next", "lag", "leased", "dead letters", "dropped", "expired", "oldest", "consumers", "bytes");
        foreach (SubscriptionStatus one in status.Subscriptions)
        {
            table.Add(
                one.Name, positions.GetValueOrDefault(one.Name), one.Lag, one.InFlight, one.DeadLetters, one.Dropped, one.Expired,
                one.OldestAge, one.Consumers, Columns.Bytes(one.Bytes));
        }
        return table;
    }
}
