using Xunit;

namespace BlitQueue.Tests.Processes;

/// <summary>A test that needs a btrfs of its own; skipped where this user may not mount one, or its tools are not there.</summary>
[AttributeUsage(AttributeTargets.Method)]
public sealed class BtrfsFactAttribute : FactAttribute
{
    private static readonly string? Hindrance = Try();

    public BtrfsFactAttribute() => Skip = Hindrance!;

    private static string? Try()
    {
        DirectoryInfo root = Directory.CreateTempSubdirectory("blitqueue-btrfs-");
        try
        {
            new BtrfsDisk(root.FullName).Dispose();
            return null;
        }
        catch (Exception exception)
        {
            return $"A btrfs cannot be made here: {exception.Message}";
        }
        finally
        {
            root.Delete(recursive: true);
        }
    }
}
