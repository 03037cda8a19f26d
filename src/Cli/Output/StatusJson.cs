using BlitQueue.Cli.Codecs;
using BlitQueue.Cli.Wire;

namespace BlitQueue.Cli.Output;

/// <summary>How queues stand, as JSON. The names are those that the Python client gives; they stay.</summary>
internal static class StatusJson
{
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
        json.Name("path");
        json.Text(status.Path);
        Member("depth", status.MessageCount, json);
        Member("bytes", status.Bytes, json);
        Member("capacity", status.Capacity, json);
        Member("first", status.First.Value, json);
        Member("next", status.Next.Value, json);
        Member("segments", details.Segments, json);
        Member("takeovers", details.IsCurrent ? status.Repairs : null, json);
        Member("expired_subscriptions", details.IsCurrent ? status.ExpiredSubscriptions : null, json);
        json.Name("subscriptions");
        json.BeginArray();
        foreach (SubscriptionStatus one in status.Subscriptions)
        {
            Write(one, positions.GetValueOrDefault(one.Name), json);
        }
        json.EndArray();
    }

    /// <summary>An object for a subscription.</summary>
    public static void Write(SubscriptionStatus one, long position, JsonOutput json)
    {
        json.BeginObject();
        json.Name("name");
        json.Text(one.Name);
        Member("position", position, json);
        Member("lag", one.Lag, json);
        Member("in_flight", one.InFlight, json);
        Member("dropped", one.Dropped, json);
        Member("expired", one.Expired, json);
        Member("dead_letters", one.DeadLetters, json);
        Member("bytes", one.Bytes, json);
        Member("oldest_age", one.OldestAge, json);
        Member("consumers", one.Consumers, json);
        json.Name("ephemeral");
        json.Bool(one.Ephemeral);
        Member("expires_after", one.ExpiresAfter, json);
        json.Name("idle_since");
        Text(one.IdleSince is { } since ? Times.TextOf(since) : null, json);
        json.EndObject();
    }

    public static void Member(string name, long? value, JsonOutput json)
    {
        json.Name(name);
        if (value is { } number)
        {
            json.Number(number);
        }
        else
        {
            json.Null();
        }
    }

    public static void Member(string name, TimeSpan? value, JsonOutput json)
    {
        json.Name(name);
        Text(value is { } time ? Times.TextOf(time.Ticks) : null, json);
    }

    public static void Member(string name, string? text, JsonOutput json)
    {
        json.Name(name);
        Text(text, json);
    }

    private static void Text(string? text, JsonOutput json)
    {
        if (text is null)
        {
            json.Null();
        }
        else
        {
            json.Text(text);
        }
    }
}
