namespace BlitQueue.Bench.Links;

/// <summary>A way to send messages, known to both processes by its name. The four loops that are measured run on it.</summary>
internal abstract class Transport(string name)
{
    public string Name { get; } = name;

    /// <summary>Opens the sending end, says so, then sends for so long.</summary>
    public abstract SendResult Send(string place, TimeSpan duration, Action opened);

    /// <summary>Opens the receiving end, says so, then receives until the end.</summary>
    public abstract ReceiveResult Receive(string place, Action opened);

    /// <summary>Opens both ends, says so, then sends and waits for the answer for so long, with idle time before each round trip.</summary>
    public abstract AskResult Ask(string place, TimeSpan duration, TimeSpan idle, Action opened);

    /// <summary>Opens both ends, says so, then answers each message until the end.</summary>
    public abstract ReceiveResult Answer(string place, Action opened);
}
