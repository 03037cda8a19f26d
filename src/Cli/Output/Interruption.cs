using System.Runtime.InteropServices;

namespace BlitQueue.Cli.Output;

/// <summary>Commands that go on until they are interrupted end in order then.</summary>
internal static class Interruption
{
    /// <summary>Cancels when the signal comes, instead of the process's end.</summary>
    public static PosixSignalRegistration Stop(PosixSignal signal, CancellationTokenSource stop) =>
        PosixSignalRegistration.Create(signal, context =>
        {
            context.Cancel = true;
            stop.Cancel();
        });
}
