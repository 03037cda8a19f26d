using System.Diagnostics;
using System.Runtime.InteropServices;

namespace BlitQueue.Tests.Processes;

/// <summary>Signals that .NET has no call for. On Windows, which has none, what does the same to a process.</summary>
internal static class Signals
{
    public const int Kill = 9, Continue = 18, Stop = 19;

    private const uint Killed = 128 + Kill;
    private const uint MayTerminate = 1, MaySuspend = 0x800, MayAskThread = 0x40;
    private const int SuspendCount = 35;

    public static int Send(int process, int signal) =>
        OperatingSystem.IsWindows() ? SendOnWindows(process, signal) : SendOnUnix(process, signal);

    private static int SendOnWindows(int process, int signal)
    {
        nint opened = OpenProcess(MayTerminate | MaySuspend, false, process);
        int result = signal switch
        {
            Kill => TerminateProcess(opened, Killed) ? 0 : -1,
            Stop => NtSuspendProcess(opened),
            _ => NtResumeProcess(opened),
        };
        CloseHandle(opened);
        return result;
    }

    /// <summary>Whether a process is stopped.</summary>
    public static bool IsStopped(int process) => OperatingSystem.IsWindows() ? AreAllSuspended(process) : StateOf(process) == 'T';

    private static char StateOf(int process)
    {
        try
        {
            string status = File.ReadAllText($"/proc/{process}/stat");
            return status[status.LastIndexOf(')') + 2];
        }
        catch (IOException)
        {
            return 'X';
        }
    }

    private static bool AreAllSuspended(int process)
    {
        using var found = Process.GetProcessById(process);
        return found.Threads.Cast<ProcessThread>().All(static thread => IsSuspended(thread.Id));
    }

    private static bool IsSuspended(int thread)
    {
        nint opened = OpenThread(MayAskThread, false, thread);
        bool isSuspended = NtQueryInformationThread(opened, SuspendCount, out int count, sizeof(int), 0) == 0 && count > 0;
        CloseHandle(opened);
        return isSuspended;
    }

    [DllImport("libc", EntryPoint = "kill", SetLastError = true)]
    private static extern int SendOnUnix(int process, int signal);

    [DllImport("kernel32", SetLastError = true)]
    private static extern nint OpenProcess(uint access, bool inherits, int process);

    [DllImport("kernel32", SetLastError = true)]
    private static extern nint OpenThread(uint access, bool inherits, int thread);

    [DllImport("kernel32", SetLastError = true)]
    private static extern bool TerminateProcess(nint process, uint exitCode);

    [DllImport("kernel32", SetLastError = true)]
    private static extern bool CloseHandle(nint handle);

    [DllImport("ntdll")]
    private static extern int NtSuspendProcess(nint process);

    [DllImport("ntdll")]
    private static extern int NtResumeProcess(nint process);

    [DllImport("ntdll")]
    private static extern int NtQueryInformationThread(nint thread, int what, out int information, int size, nint length);
}
