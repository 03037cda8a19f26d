using System.IO.Compression;

namespace BlitQueue.Docs.Package;

/// <summary>The packages in a folder that is a feed, packed once for all tests.</summary>
public sealed class PackedPackage : IDisposable
{
    internal const string Name = "Package", Version = "1.2.3";

    /// <summary>All packages that projects refer to.</summary>
    public static readonly string[] Ids = ["BlitQueue", "BlitQueue.Hosting", "BlitQueue.RabbitMq", "BlitQueue.RabbitMq.Hosting"];

    private readonly DirectoryInfo _folder = Directory.CreateTempSubdirectory("blitqueue-feed-");

    public PackedPackage()
    {
        // For one platform of those that the package is precompiled for.
        Pack(Repository.Of("src", "Runtime", "BlitQueue.csproj"), "-p:Precompiled=linux-x64");
        Pack(Repository.Of("src", "Hosting", "BlitQueue.Hosting.csproj"));
        Pack(Repository.Of("src", "RabbitMq", "BlitQueue.RabbitMq.csproj"));
        Pack(Repository.Of("src", "RabbitMq.Hosting", "BlitQueue.RabbitMq.Hosting.csproj"));
        // The one for all platforms.
        Pack(Repository.Of("src", "Cli", "blitq.csproj"));
    }

    private void Pack(string project, params ReadOnlySpan<string> properties) => Command.Run(
        Repository.Root, Command.Dotnet,
        [
            "pack", project, "--no-build", "-c", Repository.Configuration, $"-p:MinVerVersionOverride={Version}", "-o", Feed,
            "-nodeReuse:false", .. properties,
        ]);

    /// <summary>The folder with the packages alone.</summary>
    public string Feed => _folder.FullName;

    internal ZipArchive Open(string id = "BlitQueue") => ZipFile.OpenRead(Path.Combine(Feed, $"{id}.{Version}.nupkg"));

    internal ZipArchive OpenSymbols(string id) => ZipFile.OpenRead(Path.Combine(Feed, $"{id}.{Version}.snupkg"));

    public void Dispose() => _folder.Delete(recursive: true);
}
