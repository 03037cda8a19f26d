using BlitQueue.Cli.Output;

namespace BlitQueue.Cli.Commands;

/// <summary><c>blitq stat</c>: how a queue stands, in one line, and whether that is too much.</summary>
internal static class StatCommand
{
    public static Command Make()
    {
        Argument<string> queue = Shared.Queue();
        Option<bool> json = Shared.Json();
        Option<string?> subscription = Shared.Subscription("Compare this subscription alone with the thresholds.");
        var lag = new Option<long?>("--max-lag") { Description = "Exit with 1 if more messages wait for a subscription." };
        var age = new Option<double?>("--max-age") { Description = "Exit with 1 if a subscription's oldest message is older: seconds." };
        var letters = new Option<long?>("--max-dead-letters") { Description = "Exit with 1 if a subscription has more dead letters." };
        var fill = new Option<double?>("--max-fill") { Description = "Exit with 1 if more of the queue's capacity is taken: percent." };
        var every = new Option<double?>("--every") { Description = "Print again after so many seconds, until it is interrupted." };
        return Shared.Command(
            "stat", "Print how a queue stands; with thresholds, for monitoring.",
            [queue, json, subscription, lag, age, letters, fill, every],
            result =>
            {
                var limits = new Limits(
                    result.GetValue(lag), result.GetValue(age), result.GetValue(letters), result.GetValue(fill),
                    result.GetValue(subscription));
                return Run(result.GetValue(queue)!, result.GetValue(json), limits, result.GetValue(every));
            });
    }

    private static int Run(string path, bool isJson, Limits limits, double? every)
    {
        if (every is not null)
        {
            Courtesy.GiveWay();
        }
        using var look = QueueLook.Open(path);
        int code = Print(look, isJson, limits);
        while (every is { } seconds)
        {
            Terminal.Flush();
            Thread.Sleep(Shared.Seconds(seconds));
            code = Math.Max(code, Print(look, isJson, limits));
        }
        if (code == ExitCode.Damaged)
        {
            Terminal.Complain(StatusJson.FailedText(look.Path));
        }
        return code;
    }

    private static int Print(QueueLook look, bool isJson, Limits limits)
    {
        QueueStatus status = look.GetStatus();
        List<string> passed = limits.Passed(status);
        if (isJson)
        {
            var json = new JsonOutput();
            json.BeginObject();
            StatusJson.WriteMembers(look, status, json);
            json.Member("failed", status.IsFailed);
            json.Elements("passed", passed, one => json.Text(one));
            json.EndObject();
            Terminal.Line(json.Bytes);
        }
        else
        {
            Terminal.Line(LineOf(status, passed));
        }
        return status.IsFailed ? ExitCode.Damaged : passed.Count > 0 ? ExitCode.Passed : ExitCode.Fine;
    }

    private static string LineOf(QueueStatus status, List<string> passed)
    {
        string subscriptions = string.Concat(status.Subscriptions.Select(static one => string.Create(
            CultureInfo.InvariantCulture,
            $"; {one.Name}: lag {one.Lag:N0}, leased {one.InFlight:N0}, dead letters {one.DeadLetters:N0}, consumers {one.Consumers:N0}"
                + $"{(one.OldestAge is { } age ? $", oldest {Columns.Age(age)}" : "")}")));
        string state = status.IsFailed ? "FAILED" : passed.Count > 0 ? $"PASSED {string.Join(", ", passed)}" : "OK";
        string bytes = Columns.Bytes(status.Bytes, status.Capacity);
        return string.Create(
            CultureInfo.InvariantCulture,
            $"{state} - {Path.GetFileName(status.Path)}: {status.MessageCount:N0} messages, {bytes}{subscriptions}");
    }

    private sealed record Limits(long? Lag, double? Age, long? Letters, double? Fill, string? Subscription)
    {
        public List<string> Passed(QueueStatus status)
        {
            SubscriptionStatus[] compared = [.. status.Subscriptions.Where(one => Subscription is null || one.Name == Subscription)];
            if (Subscription is not null && compared.Length == 0)
            {
                throw new QueueException($"{status.Path} has no subscription '{Subscription}'.")
                { Reason = QueueError.SubscriptionGone, Path = status.Path };
            }
            return
            [
                .. compared.Where(one => one.Lag > Lag).Select(static one => Text(one.Name, "lag", one.Lag)),
                .. compared.Where(one => one.OldestAge?.TotalSeconds > Age).Select(
                    static one => Text(one.Name, "age", (long)one.OldestAge!.Value.TotalSeconds)),
                .. compared.Where(one => one.DeadLetters > Letters).Select(static one => Text(one.Name, "dead letters", one.DeadLetters)),
                .. FillOver(status),
            ];
        }

        private IEnumerable<string> FillOver(QueueStatus status)
        {
            if (100.0 * status.Bytes / status.Capacity is { } percent && percent > Fill)
            {
                string holder = status.HeldBy is { } one ? $" held by {one.Subscription}" : "";
                yield return string.Create(CultureInfo.InvariantCulture, $"fill {Math.Floor(percent)} %{holder}");
            }
        }

        private static string Text(string subscription, string what, long value)
            => string.Create(CultureInfo.InvariantCulture, $"{subscription} {what} {value}");
    }
}
