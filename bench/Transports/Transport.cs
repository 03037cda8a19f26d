namespace BlitQueue.Bench.Links;

/// <summary>A way to send messages, known to all processes by its name. The loops that are measured run on it.</summary>
internal abstract class Transport(string name)
{
    public string Name { get; } = name;

    /// <summary>After how many messages the sender looks at the clock: fewer, where each takes long.</summary>
    public int SendBatch { get; init; } = 1024;

    /// <summary>Opens the sending end, says so, then sends for so long.</summary>
    public abstract SendResult Send(string place, TimeSpan duration, Action opened);

    /// <summary>Opens the receiving end, says so, then receives until the end.</summary>
    public abstract ReceiveResult Receive(string place, Action opened);

    /// <summary>Opens both ends, says so, then sends and waits for the answer for so long, with idle time before each round trip.</summary>
    public abstract AskResult Ask(string place, TimeSpan duration, TimeSpan idle, Action opened);

    /// <summary>Opens both ends, says so, then answers each message until the end.</summary>
    public abstract ReceiveResult Answer(string place, Action opened);

    /// <summary>
    /// Opens the sending end, says so, then sends at a fixed rate for so long. A message's number is the time at which it was meant to be
    /// sent; its latency counts from there, however late the sender is.
    /// </summary>
    public abstract LatencyResult Pace(string place, TimeSpan duration, int perSecond, Action opened);

    /// <summary>Opens the receiving end, says so, then takes each message's latency from the time that it bears, until the end.</summary>
    public abstract LatencyResult Clock(string place, Action opened);

    /// <summary>Opens the receiving end, receives one message, and returns what is asked then.</summary>
    public abstract TResult WithFirst<TResult>(string place, Func<TResult> ask);
}
