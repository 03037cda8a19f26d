using BlitQueue.Calls;

namespace BlitQueue;

/// <summary>How a server answers. Everything has a default.</summary>
/// <example>
/// <code>
/// using var server = RpcServer&lt;Question, Answer&gt;.Open(
///     "pricing", new RpcServerOptions { Concurrency = 8, OnFault = failure => Console.Error.WriteLine(failure) });
/// </code>
/// </example>
public sealed record RpcServerOptions
{
    /// <summary>
    /// How many asynchronous handlers run at the same time, 1 or more. Default: 64. Further calls wait, or are taken by other servers.
    /// And for how many clients the threads in <c>Serve</c> do not wait, where these are slow to write a long request or to read a long
    /// reply: for each of them the server has the message in its memory.
    /// </summary>
    public int Concurrency { get; set; } = 64;

    /// <summary>Whether clients are told where a handler's exception came from. Default: false.</summary>
    public bool IncludeStackTraces { get; set; }

    /// <summary>
    /// Told of each exception of a handler, on the thread that ran it; for one-way calls this is the only sign of it. What it throws is
    /// ignored. Default: null.
    /// </summary>
    public Action<Exception>? OnFault { get; set; }

    /// <summary>How long <c>Serve</c> spins before it sleeps; zero or longer. Default: 50 microseconds.</summary>
    public TimeSpan SpinDuration { get; set; } = TimeSpan.FromMicroseconds(50);

    /// <summary>The rights of a channel that is made by path, on Unix. Default: null, the user's alone.</summary>
    public UnixFileMode? FileMode { get; set; }

    /// <exception cref="ArgumentOutOfRangeException">A value is out of its range.</exception>
    internal RpcServerOptions Checked()
    {
        RpcLimits.Require(Concurrency, 1, int.MaxValue, nameof(Concurrency));
        ArgumentOutOfRangeException.ThrowIfLessThan(SpinDuration, TimeSpan.Zero, nameof(SpinDuration));
        return this with { };
    }
}
