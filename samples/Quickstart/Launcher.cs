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
        var screen = new Screen(scores, input.Bytes);
        KillPlan? kills = _arguments.Kill ? new KillPlan(scores, screen, input.Bytes) : null;
        scores[Score.Limit] = kills is null ? long.MaxValue : 0;

        Report.Begin(input);
        Watch(screen, kills);
        Comparison comparison = Comparison.Of(_workspace);
        Report.End(comparison, scores, withRates: kills is not { IsSlowedDown: true });
        return comparison.Different.Count == 0 ? Same : Different;
    }

    private void Watch(Screen screen, KillPlan? kills)
    {
        using var consumer = new Worker(Consumer.Verb, _workspace);
        using var producer = new Worker(Producer.Verb, _workspace);
        Report.Steps(producer, consumer);

        kills?.Begin(producer, consumer);
        while (!consumer.HasExited || !producer.HasExited)
        {
            _interrupt.ThrowIfCancellationRequested();
            producer.ThrowIfFailed();
            consumer.ThrowIfFailed();
            kills?.Advance();
            screen.ShowProgress();
            consumer.Wait(TimeSpan.FromMilliseconds(kills is null ? 20 : 1));
        }
        screen.EndLine();
        producer.ThrowIfFailed();
        consumer.ThrowIfFailed();
    }

    private static PosixSignalRegistration OnSignal(PosixSignal signal, CancellationTokenSource interrupt) =>
        PosixSignalRegistration.Create(signal, context =>
        {
            context.Cancel = true;
            interrupt.Cancel();
        });
}
