using BlitQueue.Cli.Output;
using BlitQueue.Cli.Queues;

namespace BlitQueue.Cli.Serving;

/// <summary>Figures as the page gets them.</summary>
internal static class Samples
{
    /// <summary>All figures of a queue.</summary>
    public static void Write(QueueFigures queue, JsonOutput json)
    {
        json.BeginObject();
        json.Member("name", queue.Name);
        json.Member("state", queue.Fault is { } fault ? StatusJson.StateOf(fault) : StatusJson.StateOf(queue.Details!));
        json.Member("fault", queue.Problem);
        if (queue is { Status: { } status, Details: { } details })
        {
            Rate("in", queue.Into, json);
            json.Name("out");
            json.BeginObject();
            foreach ((string name, double rate) in queue.From)
            {
                Rate(name, rate, json);
            }
            json.EndObject();
            json.Member("held_by", status.HeldBy?.Subscription);
            json.Member("file_bytes", details.FileBytes);
            json.Name("status");
            json.BeginObject();
            StatusJson.WriteMembers(details, queue.Positions, status, json);
            json.EndObject();
        }
        json.EndObject();
    }

    /// <summary>The figures for charts: depth and rate of each queue, lag and rate of each of its subscriptions.</summary>
    public static byte[] PointOf(List<QueueFigures> queues, DateTime time)
    {
        var json = new JsonOutput();
        json.BeginObject();
        json.Member("t", (long)(time - DateTime.UnixEpoch).TotalMilliseconds);
        json.Name("q");
        json.BeginObject();
        foreach (QueueFigures queue in queues.Where(static queue => queue.Status is not null))
        {
            json.Name(queue.Name);
            json.BeginArray();
            json.Number(queue.Status!.MessageCount);
            Value(queue.Into, json);
            json.BeginObject();
            foreach (SubscriptionStatus one in queue.Status.Subscriptions)
            {
                json.Name(one.Name);
                json.BeginArray();
                json.Number(one.Lag);
                Value(queue.From.TryGetValue(one.Name, out double rate) ? rate : null, json);
                json.EndArray();
            }
            json.EndObject();
            json.EndArray();
        }
        json.EndObject();
        json.EndObject();
        return json.Bytes.ToArray();
    }

    private static void Rate(string name, double? rate, JsonOutput json)
    {
        json.Name(name);
        Value(rate, json);
    }

    private static void Value(double? rate, JsonOutput json)
    {
        if (rate is { } number)
        {
            json.Number(Math.Round(number, 1));
        }
        else
        {
            json.Null();
        }
    }
}
