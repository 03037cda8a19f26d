using BlitQueue.Calls;

namespace BlitQueue;

/// <summary>How a client calls. Everything has a default.</summary>
/// <example>
/// <code>
/// using var client = RpcClient&lt;Question, Answer&gt;.Open("pricing", new RpcClientOptions { Timeout = TimeSpan.FromSeconds(2) });
/// </code>
/// </example>
public sealed record RpcClientOptions
{
    /// <summary>
    /// How long a call may take where it says nothing else; longer than zero and at most 24 days, or
    /// <see cref="System.Threading.Timeout.InfiniteTimeSpan"/>.
    /// Default: 30 s. Deadlines are looked at every 20 ms.
    /// </summary>
    public TimeSpan Timeout { get; set; } = TimeSpan.FromSeconds(30);

    /// <summary>
    /// How many calls can be open at the same time, 1 to 4,096; further ones wait. Each takes 4.2 KB of shared memory. Default: 128.
    /// </summary>
    public int CallsInFlight { get; set; } = 128;

    /// <summary>
    /// How many blocks of 1 MiB there are for requests and replies that are longer than 2 KiB, 0 to 1,024; memory that is taken when it is
    /// first used, of more than 16 blocks only while half of the file system is free. Longer payloads, and those that find no block, are
    /// streamed in pieces. Default: 64, as many as a client with 64 long requests under way uses. Without Linux there are at most 16.
    /// </summary>
    public int Blocks { get; set; } = 64;

    /// <summary>
    /// How many servers may take a request, one after the death of the other; 1 or more. With more than 1 a request waits for a successor
    /// until its time is over, and its handler may run more than once. Default: 1, a call ends when its server is dead. Requests that are
    /// longer than 1 MiB, and those with a stream of replies, are taken once.
    /// </summary>
    public int MaxAttempts { get; set; } = 1;

    /// <summary>
    /// How long a thread that waits for a reply spins before it sleeps; zero or longer. Default: 50 microseconds. Of that one that awaits a
    /// task, or asks whether it has ended, spins for 20 at most, and not always where that brought nothing before.
    /// </summary>
    public TimeSpan SpinDuration { get; set; } = TimeSpan.FromMicroseconds(50);

    /// <summary>The rights of a channel that is made by path, on Unix. Default: null, the user's alone.</summary>
    public UnixFileMode? FileMode { get; set; }

    /// <exception cref="ArgumentOutOfRangeException">A value is out of its range.</exception>
    internal RpcClientOptions Checked()
    {
        RpcLimits.RequireTime(Timeout, nameof(Timeout));
        RpcLimits.Require(CallsInFlight, 1, RpcFormat.MostCells, nameof(CallsInFlight));
        RpcLimits.Require(Blocks, 0, RpcFormat.MostBlocks, nameof(Blocks));
        RpcLimits.Require(MaxAttempts, 1, int.MaxValue, nameof(MaxAttempts));
        ArgumentOutOfRangeException.ThrowIfLessThan(SpinDuration, TimeSpan.Zero, nameof(SpinDuration));
        return this with { };
    }
}
