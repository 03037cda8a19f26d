using System.Runtime.InteropServices;

namespace BlitQueue.Tests.Processes;

/// <summary>Signals that .NET has no call for.</summary>
internal static class Signals
{
    public const int Kill = 9, Continue = 18, Stop = 19;

    [DllImport("libc", EntryPoint = "kill", SetLastError = true)]
    public static extern int Send(int process, int signal);
}
