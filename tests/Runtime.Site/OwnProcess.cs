using System.Diagnostics;
using System.Runtime.InteropServices;

namespace BlitQueue.Tests.Processes;

/// <summary>What the system tells of this process: Linux of its files and threads, Windows of its threads.</summary>
internal static class OwnProcess
{
    private const uint MayAskThread = 0x800;

    /// <summary>What is mapped, as lines of the system's list, where they contain a text; nothing where there is no list.</summary>
    public static string[] Mappings(string text) => OperatingSystem.IsLinux()
        ? [.. System.IO.File.ReadLines("/proc/self/maps").Where(line => line.Contains(text, StringComparison.Ordinal))]
        : [];

    /// <summary>How many descriptors are open; none where the system has no list of them.</summary>
    public static int Descriptors() => OperatingSystem.IsLinux() ? Directory.GetFiles("/proc/self/fd").Length : 0;

    /// <summary>How many of its threads have a name.</summary>
    public static int Threads(string name) => OperatingSystem.IsWindows()
        ? Process.GetCurrentProcess().Threads.Cast<ProcessThread>().Count(thread => NameOnWindows(thread.Id) == name)
        : Directory.EnumerateDirectories("/proc/self/task").Count(task => NameOnLinux(task) == name);

    private static string? NameOnLinux(string task)
    {
        try
        {
            return System.IO.File.ReadAllText(Path.Combine(task, "comm")).Trim();
        }
        catch (IOException)
        {
            // It has ended meanwhile.
            return null;
        }
    }

    private static string? NameOnWindows(int thread)
    {
        nint opened = OpenThread(MayAskThread, false, thread);
        string? name = GetThreadDescription(opened, out nint text) >= 0 ? Marshal.PtrToStringUni(text) : null;
        LocalFree(text);
        CloseHandle(opened);
        return name;
    }

    [DllImport("kernel32", SetLastError = true)]
    private static extern nint OpenThread(uint access, bool inherits, int thread);

    [DllImport("kernel32")]
    private static extern int GetThreadDescription(nint thread, out nint text);

    [DllImport("kernel32")]
    private static extern nint LocalFree(nint memory);

    [DllImport("kernel32", SetLastError = true)]
    private static extern bool CloseHandle(nint handle);
}
