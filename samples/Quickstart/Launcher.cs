using System.Runtime.InteropServices;

namespace Quickstart;

/// <summary>The process that the user started: it starts the other two, looks on, and compares what went in with what came out.</summary>
internal sealed class Launcher
{
    private const int Same = 0, Different = 1, Interrupted = 130;

    private readonly Arguments _arguments;
    private readonly Workspace _workspace;
    private readonly CancellationToken _interrupt;

    private Launcher(Arguments arguments, Workspace workspace, CancellationToken interrupt)
    {
        _arguments = arguments;
        _workspace = workspace;
        _interrupt = interrupt;
    }

    public static int Start(Arguments arguments)
    {
        using var interrupt = new CancellationTokenSource();
        using PosixSignalRegistration control = OnSignal(PosixSignal.SIGINT, interrupt);
        using PosixSignalRegistration terminate = OnSignal(PosixSignal.SIGTERM, interrupt);
        using PosixSignalRegistration hangUp = OnSignal(PosixSignal.SIGHUP, interrupt);
        Workspace workspace = Workspace.Create();
        try
        {
            return new Launcher(arguments, workspace, interrupt.Token).Run();
        }
        catch (OperationCanceledException)
        {
            return Interrupted;
        }
        finally
        {
            workspace.Delete();
        }
    }

    private int Run()
    {
        Input input = Input.Find(_arguments.Path, _workspace, _interrupt);
        input.Save(_workspace);
        using var scores = new Scoreboard(_workspace);
        scores[Score.Limit] = long.MaxValue;

        Report.Begin(input);
        bool isSlowedDown = Watch(input, scores);
        Comparison comparison = Comparison.Of(_workspace);
        Report.End(comparison, scores, isSlowedDown);
        return comparison.Different.Count == 0 ? Same : Different;
    }

    // Whether the run was slowed down.
    private bool Watch(Input input, Scoreboard scores)
    {
        using var consumer = new Worker(Consumer.Verb, _workspace);
        using var producer = new Worker(Producer.Verb, _workspace);
        Report.Steps(producer, consumer);

        var screen = new Screen(scores, input.Bytes);
        KillPlan? kills = _arguments.Kill && input.Bytes > 0 ? new KillPlan(scores, screen, input.Bytes, producer, consumer) : null;
        if (_arguments.Kill && kills is null)
        {
            screen.Say("the input is empty: there is no midway, so nobody is killed");
        }
        while (!consumer.HasExited || !producer.HasExited)
        {
            _interrupt.ThrowIfCancellationRequested();
            producer.ThrowIfFailed();
            consumer.ThrowIfFailed();
            kills?.Advance();
            screen.ShowProgress();
            consumer.Wait(TimeSpan.FromMilliseconds(_arguments.Kill ? 1 : 20));
        }
        screen.EndLine();
        producer.ThrowIfFailed();
        consumer.ThrowIfFailed();
        return kills?.IsSlowedDown ?? false;
    }

    private static PosixSignalRegistration OnSignal(PosixSignal signal, CancellationTokenSource interrupt) =>
        PosixSignalRegistration.Create(signal, context =>
        {
            context.Cancel = true;
            interrupt.Cancel();
        });
}
