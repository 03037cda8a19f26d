using System.Diagnostics;
using Xunit;

namespace BlitQueue.Tests.Processes;

/// <summary>A test that needs a file system of its own, small enough to fill; skipped where this user may not mount one.</summary>
[AttributeUsage(AttributeTargets.Method)]
public sealed class TmpfsFactAttribute : FactAttribute
{
    private static readonly string? Hindrance = Try();

    public TmpfsFactAttribute() => Skip = Hindrance!;

    private static string? Try()
    {
        DirectoryInfo place = Directory.CreateTempSubdirectory("blitqueue-mount-");
        try
        {
            Mount(place.FullName);
            Unmount(place.FullName);
            return null;
        }
        catch (Exception exception)
        {
            return $"A tmpfs cannot be mounted here, so a full disk cannot be tested: {exception.Message}";
        }
        finally
        {
            place.Delete();
        }
    }

    public static void Mount(string place, string options = "size=2m") => Run("mount", "-t", "tmpfs", "-o", options, "tmpfs", place);

    public static void Unmount(string place) => Run("umount", place);

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
