using System.Runtime.InteropServices;
using BlitQueue.Cli.Output;
using BlitQueue.RabbitMq;

namespace BlitQueue.Cli.Bridging;

/// <summary>Runs a forwarder or a receiver until it is interrupted, and tells on standard error what happens.</summary>
/// <param name="idle">Ends it when nothing has moved for so long; null: never.</param>
/// <param name="wait">Gives up when it has been hindered for so long; null: never.</param>
internal sealed class BridgeRun(TimeSpan? idle, TimeSpan? wait)
{
    private static readonly TimeSpan Look = TimeSpan.FromMilliseconds(100);

    private readonly CancellationTokenSource _stop = new();
    private long _messages = -1;
    private DateTime _movedAt = DateTime.UtcNow;

    /// <param name="bridge">The one.</param>
    /// <param name="what">What it does to messages: forwarded, received.</param>
    /// <returns>The exit code.</returns>
    public int Run(IBridge bridge, string what)
    {
        using PosixSignalRegistration interrupted = Interruption.Stop(PosixSignal.SIGINT, _stop);
        using PosixSignalRegistration ended = Interruption.Stop(PosixSignal.SIGTERM, _stop);
        bridge.ProblemChanged += static (_, problem) => Tell(problem);
        var running = Task.Run(() => bridge.RunAsync(_stop.Token));
        int code = Watch(bridge, running);
        _stop.Cancel();
        try
        {
            running.GetAwaiter().GetResult();
        }
        catch (OperationCanceledException)
        {
            // It was interrupted, or had nothing more to do.
        }
        catch (MessageGapException)
        {
            // It was told as a problem.
            return ExitCode.Passed;
        }
        catch (InvalidOperationException older)
        {
            Terminal.Complain(older.Message);
            return ExitCode.Refused;
        }
        if (code == ExitCode.Fine)
        {
            BridgeState state = bridge.GetState();
            string aside = state.SetAside > 0 ? $", {Columns.Count(state.SetAside, "message")} set aside" : "";
            Console.Error.WriteLine($"{Columns.Count(state.Messages, "message")} {what}{aside}");
        }
        return code;
    }

    private int Watch(IBridge bridge, Task running)
    {
        while (Task.WaitAny([running], (int)Look.TotalMilliseconds, CancellationToken.None) < 0 && !_stop.IsCancellationRequested)
        {
            BridgeState state = bridge.GetState();
            if (state.ProblemSince is { } since && DateTime.UtcNow - since >= wait)
            {
                return state.Problem == BridgeProblem.AccessRefused ? ExitCode.Refused : ExitCode.Failed;
            }
            if (IsDone(state))
            {
                return ExitCode.Fine;
            }
        }
        return ExitCode.Fine;
    }

    private bool IsDone(BridgeState state)
    {
        bool isStill = state is { Connected: true, Lag: 0, Window: 0, Problem: BridgeProblem.None } && state.Messages == _messages;
        _messages = state.Messages;
        _movedAt = isStill ? _movedAt : DateTime.UtcNow;
        return DateTime.UtcNow - _movedAt >= idle;
    }

    private static void Tell(BridgeProblemEventArgs problem)
    {
        if (problem.Problem == BridgeProblem.None)
        {
            Console.Error.WriteLine("it goes on");
        }
        else
        {
            Terminal.Complain($"{problem.Problem}: {problem.Text}");
        }
    }
}
