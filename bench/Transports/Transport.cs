using BlitQueue.Bench.Measuring;

namespace BlitQueue.Bench.Transports;

/// <summary>A way to send messages, known to all processes by its name. The loops that are measured run on it.</summary>
internal abstract class Transport(string name)
{
    public string Name { get; } = name;

    /// <summary>After how many messages the sender looks at the clock: fewer, where each takes long.</summary>
    public int SendBatch { get; init; } = 1024;

    /// <summary>Where the messages go by that do not go back.</summary>
    public static string There(string root) => Path.Combine(root, "there");

    /// <summary>Opens the sending end, says so, then sends for so long.</summary>
    public abstract SendResult Send(string root, TimeSpan duration, Action opened);

    /// <summary>Opens the receiving end, says so, then receives until the end.</summary>
    public abstract ReceiveResult Receive(string root, Action opened);

    /// <summary>Opens both ends, says so, then sends and waits for the answer for so long, with idle time before each round trip.</summary>
    public abstract AskResult Ask(string root, TimeSpan duration, TimeSpan idle, Action opened);

    /// <summary>Opens both ends, says so, then answers each message until the end.</summary>
    public abstract ReceiveResult Answer(string root, Action opened);

    /// <summary>
    /// Opens the sending end, says so, then sends at a fixed rate for so long. A message's number is the time at which it was meant to be
    /// sent; its latency counts from there, however late the sender is.
    /// </summary>
    public abstract LatencyResult Pace(string root, TimeSpan duration, int perSecond, Action opened);

    /// <summary>Opens the receiving end, says so, then takes each message's latency from the time that it bears, until the end.</summary>
    public abstract LatencyResult Clock(string root, Action opened);

    /// <summary>Opens the receiving end, receives one message, and returns what is asked then.</summary>
    public abstract TResult WithFirst<TResult>(string root, Func<TResult> ask);
}

/// <summary>The sending end of a link. Structs implement it, so that the loops are compiled for each.</summary>
internal interface ISender : IDisposable
{
    /// <summary>Sends one message, visible to the other end when this returns.</summary>
    void Send(long number);
}

/// <summary>The receiving end of a link.</summary>
internal interface IReceiver : IDisposable
{
    /// <summary>Waits for a message.</summary>
    /// <returns>Its number.</returns>
    /// <exception cref="InvalidDataException">The message is not whole.</exception>
    long Receive();
}

/// <summary>What the sender saw.</summary>
/// <param name="Messages">How many were sent.</param>
/// <param name="Started">When, in the clock that all processes share.</param>
/// <param name="Ended">When the last one was sent.</param>
/// <param name="Allocated">Managed bytes.</param>
internal sealed record SendResult(long Messages, long Started, long Ended, long Allocated);

/// <summary>What the receiver saw.</summary>
/// <param name="Messages">How many came, each whole and in its turn.</param>
/// <param name="Ended">When the last one was checked, in the clock that all processes share.</param>
/// <param name="FirstNs">Nanoseconds for each in the first batch; null where there was none.</param>
/// <param name="SteadyNs">Nanoseconds for each in the median batch; null where there was none.</param>
/// <param name="Allocated">Managed bytes.</param>
internal sealed record ReceiveResult(long Messages, long Ended, double? FirstNs, double? SteadyNs, long Allocated);

/// <summary>What the asking side saw.</summary>
/// <param name="RoundTrips">How many.</param>
/// <param name="MeanNs">Nanoseconds for each, without the idle time.</param>
/// <param name="FirstNs">Nanoseconds for each in the first batch; null where there was none.</param>
/// <param name="SteadyNs">Nanoseconds for each in the median batch; null where there was none.</param>
/// <param name="Allocated">Managed bytes.</param>
internal sealed record AskResult(long RoundTrips, double MeanNs, double? FirstNs, double? SteadyNs, long Allocated);

/// <summary>How late messages were.</summary>
/// <param name="Messages">How many.</param>
/// <param name="Latency">From the time at which each was meant to be sent.</param>
internal sealed record LatencyResult(long Messages, Latency Latency);
