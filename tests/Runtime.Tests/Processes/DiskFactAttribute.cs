using Xunit;

namespace BlitQueue.Tests.Processes;

/// <summary>A test that needs a disk of its own; skipped where this user may not make one.</summary>
[AttributeUsage(AttributeTargets.Method)]
public sealed class DiskFactAttribute : FactAttribute
{
    private static readonly string? Hindrance = Try();

    public DiskFactAttribute() => Skip = Hindrance!;

    private static string? Try()
    {
        DirectoryInfo directory = Directory.CreateTempSubdirectory("blitqueue-disk-");
        try
        {
            new LoopDisk(directory.FullName, megabytes: 8).Dispose();
            return null;
        }
        catch (Exception exception)
        {
            return $"A disk of its own cannot be made here: {exception.Message}";
        }
        finally
        {
            directory.Delete(recursive: true);
        }
    }
}
