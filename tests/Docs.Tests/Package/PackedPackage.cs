using System.IO.Compression;

namespace BlitQueue.Docs.Package;

/// <summary>The package in a folder that is a feed, packed once for all tests.</summary>
public sealed class PackedPackage : IDisposable
{
    internal const string Name = "Package", Version = "1.2.3";

    private readonly DirectoryInfo _folder = Directory.CreateTempSubdirectory("blitqueue-feed-");

    public PackedPackage()
    {
        // For one platform of those that the package is precompiled for.
        Command.Run(
            Repository.Root, Command.Dotnet,
            [
                "pack", Repository.Of("src", "Runtime", "BlitQueue.csproj"), "--no-build", "-c", Repository.Configuration,
                "-p:Precompiled=linux-x64", $"-p:MinVerVersionOverride={Version}", "-o", Feed, "-nodeReuse:false",
            ]);
    }

    /// <summary>The folder with the package alone.</summary>
    public string Feed => _folder.FullName;

    internal ZipArchive Open() => ZipFile.OpenRead(Path.Combine(Feed, $"BlitQueue.{Version}.nupkg"));

    internal ZipArchive OpenSymbols() => ZipFile.OpenRead(Path.Combine(Feed, $"BlitQueue.{Version}.snupkg"));

    public void Dispose() => _folder.Delete(recursive: true);
}
