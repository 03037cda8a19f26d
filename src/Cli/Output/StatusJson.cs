using BlitQueue.Cli.Codecs;

namespace BlitQueue.Cli.Output;

/// <summary>How queues stand, as JSON. The names are those that the Python client gives; they stay.</summary>
internal static class StatusJson
{
    /// <summary>Why a queue is called failed.</summary>
    public static string FailedText(string path) => $"{path}: the disk has refused a sync, and the queue takes no more messages. Free or "
        + "replace the disk, end every process that has the queue open, and start them again: the next opening repairs it.";

    /// <summary>How a queue is, in a word.</summary>
    public static string StateOf(QueueDetails details) => details.IsFailed ? "failed" : details.IsCurrent ? "fine" : "closed";

    /// <summary>The same for one that cannot be read.</summary>
    public static string StateOf(Exception fault) => Guarded.CodeOf(fault) == ExitCode.Damaged ? "damaged" : "unreadable";

    /// <summary>The members of the object for a queue.</summary>
    public static void WriteMembers(QueueLook look, QueueStatus status, JsonOutput json)
        => WriteMembers(look.GetDetails(), look.Positions(), status, json);

    /// <summary>The same, for callers that have the details.</summary>
    public static void WriteMembers(QueueDetails details, Dictionary<string, long> positions, QueueStatus status, JsonOutput json)
    {
        json.Member("path", status.Path);
        json.Member("depth", status.MessageCount);
        json.Member("bytes", status.Bytes);
        json.Member("capacity", status.Capacity);
        json.Member("first", status.First.Value);
        json.Member("next", status.Next.Value);
        json.Member("segments", details.Segments);
        json.Member("takeovers", details.IsCurrent ? status.Repairs : null);
        json.Member("expired_subscriptions", details.IsCurrent ? status.ExpiredSubscriptions : null);
        json.Elements("subscriptions", status.Subscriptions, one => Write(one, positions.GetValueOrDefault(one.Name), json));
    }

    /// <summary>An object for a subscription.</summary>
    public static void Write(SubscriptionStatus one, long position, JsonOutput json)
    {
        json.BeginObject();
        json.Member("name", one.Name);
        json.Member("position", position);
        json.Member("lag", one.Lag);
        json.Member("in_flight", one.InFlight);
        json.Member("dropped", one.Dropped);
        json.Member("expired", one.Expired);
        json.Member("dead_letters", one.DeadLetters);
        json.Member("bytes", one.Bytes);
        json.Member("oldest_age", TextOf(one.OldestAge));
        json.Member("consumers", one.Consumers);
        json.Member("ephemeral", one.Ephemeral);
        json.Member("expires_after", TextOf(one.ExpiresAfter));
        json.Member("idle_since", one.IdleSince is { } since ? Times.TextOf(since) : null);
        json.EndObject();
    }

    /// <summary>A time as JSON has it; null for none.</summary>
    public static string? TextOf(TimeSpan? value) => value is { } time ? Times.TextOf(time.Ticks) : null;
}
