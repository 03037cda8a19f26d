using System.Diagnostics;
using Xunit;

namespace BlitQueue.Tests.Processes;

/// <summary>A test that needs a file system of its own, small enough to fill; skipped where this user may not mount one.</summary>
[AttributeUsage(AttributeTargets.Method)]
public sealed class TmpfsFactAttribute : FactAttribute
{
    internal static readonly string? Hindrance = Try();

    public TmpfsFactAttribute() => Skip = Hindrance!;

    private static string? Try()
    {
        DirectoryInfo directory = Directory.CreateTempSubdirectory("blitqueue-mount-");
        try
        {
            Mount(directory.FullName);
            Unmount(directory.FullName);
            return null;
        }
        catch (Exception exception)
        {
            return $"A tmpfs cannot be mounted here, so a full disk cannot be tested: {exception.Message}";
        }
        finally
        {
            directory.Delete();
        }
    }

    public static void Mount(string directory, string options = "size=2m")
        => Run("mount", "-t", "tmpfs", "-o", options, "tmpfs", directory);

    public static void Unmount(string directory) => Run("umount", directory);

    private static void Run(string program, params string[] arguments)
    {
        using Process process = Process.Start(new ProcessStartInfo(program, arguments) { RedirectStandardError = true })!;
        string error = process.StandardError.ReadToEnd();
        process.WaitForExit();
        if (process.ExitCode != 0)
        {
            throw new InvalidOperationException(error.Trim());
        }
    }
}
