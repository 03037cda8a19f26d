using System.Runtime.InteropServices;

namespace Quickstart;

/// <summary>Ties the end of a producer or consumer to its launcher's, however that comes about.</summary>
internal sealed class Lifeline : IDisposable
{
    // Ctrl-C reaches all three processes: the launcher alone answers it, by ending the other two.
    private readonly PosixSignalRegistration _interrupt =
        PosixSignalRegistration.Create(PosixSignal.SIGINT, static context => context.Cancel = true);

    /// <summary>The launcher holds the other end of standard input; when that closes, the launcher is gone.</summary>
    public Lifeline()
    {
        var thread = new Thread(static () =>
        {
            Console.OpenStandardInput().ReadByte();
            Environment.Exit(1);
        });
        thread.IsBackground = true;
        thread.Start();
    }

    public void Dispose() => _interrupt.Dispose();
}
