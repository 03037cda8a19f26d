using System.Diagnostics;

namespace BlitQueue.Reliability.Workers;

/// <summary>This program, to be started once more as a worker that is talked to in lines.</summary>
internal static class SelfProcess
{
    /// <param name="arguments">The first is the worker's name, as Program.cs knows it.</param>
    public static ProcessStartInfo StartInfo(params string[] arguments) => Wrapped([], arguments);

    /// <summary>This program, started by another one: <c>unshare</c>, <c>setpriv</c>, <c>prlimit</c>.</summary>
    /// <param name="wrapper">That program and its own arguments.</param>
    /// <param name="arguments">The first is the worker's name, as Program.cs knows it.</param>
    public static ProcessStartInfo Wrapped(string[] wrapper, params string[] arguments)
    {
        // With a host of its own, or run by another program. The name has a dot, and Windows' host an extension behind it.
        string name = typeof(SelfProcess).Assembly.GetName().Name!;
        string[] self = Path.GetFileName(Environment.ProcessPath) is { } host && (host == name || host == name + ".exe")
            ? [Environment.ProcessPath!]
            : [Environment.ProcessPath!, typeof(SelfProcess).Assembly.Location];
        string[] words = [.. wrapper, .. self, .. arguments];
        var start = new ProcessStartInfo(words[0], words[1..]) { RedirectStandardInput = true, RedirectStandardOutput = true };
        // A crash is told by its signal; a dump of it would fill the disk.
        start.Environment["DOTNET_DbgEnableMiniDump"] = "0";
        return start;
    }
}
