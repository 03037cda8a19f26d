using System.Reflection;
using System.Runtime.CompilerServices;

namespace BlitQueue.Docs;

/// <summary>Where the pages and the projects are.</summary>
internal static class Repository
{
    public static readonly string Root = Find();

    /// <summary>Debug or Release: what the tests were built as, and so what is built already.</summary>
    public static readonly string Configuration =
        typeof(Repository).Assembly.GetCustomAttribute<AssemblyConfigurationAttribute>()!.Configuration;

    public static string Of(params ReadOnlySpan<string> parts) => Path.Combine([Root, .. parts]);

    private static string Find([CallerFilePath] string self = "") =>
        Path.GetFullPath(Path.Combine(Path.GetDirectoryName(self)!, "..", ".."));
}
