using System.IO.Compression;

namespace BlitQueue.Docs.Package;

/// <summary>The package BlitQueue.Tool: what is in it, and a user who installs it.</summary>
[Collection(PackedPackage.Name)]
public sealed class ToolPackageTests(PackedPackage packed)
{
    private const string Id = "BlitQueue.Tool";

    [Fact]
    public void It_contains_the_tool_and_what_it_needs()
    {
        using ZipArchive package = packed.Open(Id);
        string[] files = [.. package.Entries.Select(static entry => entry.FullName)];
        Assert.Contains("README.md", files);
        Assert.Contains("icon.png", files);
        string[] libraries =
        [
            .. files.Where(static file => file.StartsWith("tools/net10.0/any/", StringComparison.Ordinal)
                    && file.EndsWith(".dll", StringComparison.Ordinal) && file.Count(static one => one == '/') == 3)
                .Select(static file => Path.GetFileName(file)).Order(StringComparer.Ordinal),
        ];
        Assert.Equal(
            [
                "BlitQueue.RabbitMq.dll", "BlitQueue.dll", "RabbitMQ.Client.dll", "Spectre.Console.dll", "System.CommandLine.dll",
                "System.Threading.RateLimiting.dll", "blitq.dll",
            ],
            libraries);
    }

    // CONTRIBUTING.md, "A release": without the restore for a platform its package cannot be made.
    [Fact]
    public void A_release_restores_the_platforms_for_which_it_packs()
    {
        string Of(string property) => Command.Run(
            Repository.Root, Command.Dotnet,
            ["msbuild", Repository.Of("src", "Cli", "blitq.csproj"), "-p:ToolPlatforms=all", $"-getProperty:{property}"]).Trim();
        Assert.Equal("linux-x64;linux-arm64;win-x64;osx-arm64;any", Of("ToolPackageRuntimeIdentifiers"));
        Assert.Equal(Of("ToolPackageRuntimeIdentifiers"), Of("RuntimeIdentifiers"));
    }

    [Fact]
    public void A_user_installs_it_and_looks_at_a_queue_that_another_program_has_made()
    {
        using var user = new UserFolder(packed);
        user.Dotnet(".", "tool", "install", Id, "--version", PackedPackage.Version, "--tool-path", "tools");
        string blitq = user.Of("tools", "blitq");
        using (var orders = MappedQueue<RawMessage>.Open(user.Of("orders")))
        {
            orders.Enqueue([1, 2, 3]);
        }
        Assert.Matches("^[0-9]+[.][0-9]+[.][0-9]+", Run("--version"));
        Assert.StartsWith("OK - orders: 1 messages", Run("stat", "orders"), StringComparison.Ordinal);
        Assert.EndsWith("\"AQID\"\n", Run("tail", "orders"), StringComparison.Ordinal);
        Assert.Contains("class", Run("schema", "gen", "orders", "--lang", "python"), StringComparison.Ordinal);
        Assert.Contains("complete -o default -F _blitq", Run("completion", "bash"), StringComparison.Ordinal);

        string Run(params string[] arguments) => Command.Run(user.Path, blitq, arguments, user.Settings);
    }
}
