using System.Diagnostics;
using System.Reflection;
using BlitQueue.Tests.Processes;

namespace BlitQueue.RabbitMq.Tests;

/// <summary>Another process that works on a local queue, and dies or stops itself at a step of the queue's protocol.</summary>
internal sealed class QueuePeer : IDisposable
{
    private static readonly string Program = typeof(QueuePeer).Assembly.GetCustomAttributes<AssemblyMetadataAttribute>()
        .Single(static attribute => attribute.Key == "PeerPath").Value!;

    private readonly Process _process;

    private QueuePeer(ProcessStartInfo start) => _process = Process.Start(start)!;

    public bool IsStopped => Signals.IsStopped(_process.Id);

    public bool HasExited => _process.HasExited;

    /// <summary>Starts one.</summary>
    /// <param name="queue">The queue's directory.</param>
    /// <param name="failPoint">The step, which time it is, and what happens: <c>AppendLockAcquired:1:stop</c>, or <c>kill</c>.</param>
    /// <param name="command">What it does, see the peer's Worker.</param>
    public static QueuePeer Start(string queue, string failPoint, string command)
    {
        var start = new ProcessStartInfo(Dotnet, ["exec", Program, command, queue, $"{queue}.{command}.log", "count=1"])
        {
            RedirectStandardInput = true,
        };
        start.Environment["BLITQUEUE_FAILPOINT"] = failPoint;
        return new QueuePeer(start);
    }

    public void Continue() => Assert.Equal(0, Signals.Send(_process.Id, Signals.Continue));

    /// <summary>Kills it, if it lives.</summary>
    public void Dispose()
    {
        _process.Kill();
        _process.WaitForExit();
        _process.Dispose();
    }

    private static string Dotnet => BridgeFixture.Dotnet;
}
