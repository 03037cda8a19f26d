using System.ComponentModel;
using System.Diagnostics;

namespace BlitQueue.Reliability.Disk;

/// <summary>A process tree with mounts of its own, which nobody else sees and which go with its last process.</summary>
internal static class MountSpace
{
    private static readonly Lazy<string?> Tried = new(Try);

    /// <summary>What to start such a tree with.</summary>
    public static string[] Wrapper { get; } = ["unshare", "--mount", "--propagation", "private", "--"];

    /// <summary>Why that cannot be; null where it can.</summary>
    public static string? Hindrance => Tried.Value;

    /// <summary>Runs a program to its end.</summary>
    /// <exception cref="InvalidOperationException">It failed; the message is what it said.</exception>
    public static string Run(string program, params string[] arguments)
    {
        using Process process = Process.Start(
            new ProcessStartInfo(program, arguments) { RedirectStandardError = true, RedirectStandardOutput = true })!;
        Task<string> error = process.StandardError.ReadToEndAsync();
        string output = process.StandardOutput.ReadToEnd();
        process.WaitForExit();
        return process.ExitCode == 0
            ? output
            : throw new InvalidOperationException($"{program} {string.Join(' ', arguments)}: {error.Result.Trim()}");
    }

    private static string? Try()
    {
        try
        {
            Run(Wrapper[0], [.. Wrapper[1..], "mount", "-t", "tmpfs", "tmpfs", "/mnt"]);
            return null;
        }
        catch (Exception exception) when (exception is InvalidOperationException or Win32Exception)
        {
            return $"this user cannot mount here: {exception.Message}";
        }
    }
}
