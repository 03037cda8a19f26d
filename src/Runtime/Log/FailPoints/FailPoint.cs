using BlitQueue.Platform;

namespace BlitQueue.Log;

/// <summary>
/// In the test build, kills or stops the process at a step. The environment variable BLITQUEUE_FAILPOINT names the step, which of its
/// calls, and what happens: <c>AppendPublished:3:kill</c>, or <c>stop</c> for SIGSTOP. Other builds do not compile the calls.
/// </summary>
internal static class FailPoint
{
    private const int Kill = 9, Stop = 19;

    private static readonly (ProtocolStep Step, int Time, int Signal)? Plan = Read();
    private static int Reached;
    private static int Syncs;

    [Conditional("FAILPOINTS")]
    public static void Reach(ProtocolStep step)
    {
        if (Plan is { } plan && plan.Step == step && ++Reached == plan.Time)
        {
            Signal(plan.Signal);
            // The kernel may deliver the signal to another thread: this thread must not go on before the signal acts.
            Thread.Sleep(plan.Signal == Kill ? Timeout.Infinite : 100);
        }
    }

    private static void Signal(int signal)
    {
        if (!OperatingSystem.IsWindows())
        {
            LibC.Kill(Environment.ProcessId, signal);
        }
        else if (signal == Kill)
        {
            Kernel32.Terminate(Kernel32.ThisProcess, 128 + Kill);
        }
        else
        {
            Kernel32.Suspend(Kernel32.ThisProcess);
        }
    }

    /// <summary>As <see cref="Reach"/>, but only if the step was done, not if it was only tried.</summary>
    [Conditional("FAILPOINTS")]
    public static void ReachIf(bool isDone, ProtocolStep step)
    {
        if (isDone)
        {
            Reach(step);
        }
    }

    /// <summary>
    /// In the test build, makes syncs fail: the environment variable BLITQUEUE_FAILSYNC is the number of the first one that fails, counted
    /// from 1.
    /// </summary>
    [Conditional("FAILPOINTS")]
    public static void ReachSync()
    {
        if (Environment.GetEnvironmentVariable("BLITQUEUE_FAILSYNC") is { Length: > 0 } time && ++Syncs >= int.Parse(time))
        {
            throw new IOException("msync failed: as the test asked for (errno 5).", 5);
        }
    }

    private static (ProtocolStep, int, int)? Read()
    {
        string? text = Environment.GetEnvironmentVariable("BLITQUEUE_FAILPOINT");
        if (string.IsNullOrEmpty(text))
        {
            return null;
        }
        string[] parts = text.Split(':');
        return (Enum.Parse<ProtocolStep>(parts[0]), int.Parse(parts[1]), parts[2] == "kill" ? Kill : Stop);
    }
}
