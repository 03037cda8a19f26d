using System.ComponentModel;

namespace BlitQueue.Tool;

/// <summary>A test that needs a C compiler; without it, it is left out.</summary>
internal sealed class GccFactAttribute : FactAttribute
{
    private static readonly bool IsThere = Programs.Run("gcc", "--version");

    public GccFactAttribute() => Skip = IsThere ? null : "gcc is not there";
}

/// <summary>A test that needs node, npm, and a registry that npm can reach; without them, it is left out.</summary>
internal sealed class NodeFactAttribute : FactAttribute
{
    private static readonly bool IsThere = Programs.Run("node", "--version")
        && Programs.Run("npm", "view", "typescript@5.9", "version", "--fetch-timeout=10000");

    public NodeFactAttribute() => Skip = IsThere ? null : "node or npm is not there, or no registry is reached";
}

/// <summary>A test that needs Chromium; without it, it is left out.</summary>
internal sealed class ChromiumFactAttribute : FactAttribute
{
    private static readonly string? Found = ((string[])["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"])
        .FirstOrDefault(static path => File.Exists(path) && Programs.Run(path, "--version"));

    public ChromiumFactAttribute() => Skip = Found is null ? "chromium is not there" : null;

    /// <summary>Where it is.</summary>
    public static string Program => Found ?? "";
}

/// <summary>Programs of others.</summary>
internal static class Programs
{
    /// <summary>Whether a program is there and ends well.</summary>
    public static bool Run(params string[] command)
    {
        try
        {
            return Blitq.RunIn(".", "", command).Code == 0;
        }
        catch (Win32Exception)
        {
            return false;
        }
    }
}
