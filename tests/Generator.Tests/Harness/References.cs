using Microsoft.CodeAnalysis;

namespace BlitQueue.Generator.Tests.Harness;

/// <summary>
/// The reference assemblies that a user's project has, the runtime and its package for hosts, and xunit's assertions for code that checks
/// itself.
/// </summary>
internal static class References
{
    public static readonly IReadOnlyList<MetadataReference> All =
    [
        .. File.ReadAllLines(Path.Combine(Path.GetDirectoryName(typeof(References).Assembly.Location)!, "references.txt"))
            .Where(IsWanted)
            .Select(path => MetadataReference.CreateFromFile(path)),
    ];

    private static bool IsWanted(string path)
        => path.Contains("Microsoft.NETCore.App.Ref", StringComparison.Ordinal)
        || Path.GetFileName(path) is "BlitQueue.dll" or "xunit.assert.dll"
            or "BlitQueue.Hosting.dll" or "Microsoft.Extensions.DependencyInjection.Abstractions.dll";
}
