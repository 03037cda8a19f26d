using System.IO.Compression;
using System.Reflection;
using System.Runtime.Loader;
using BlitQueue.Docs.Pages;
using Microsoft.CodeAnalysis.CodeFixes;

namespace BlitQueue.Docs.Package;

/// <summary>A user who has the package alone: a new project outside of the repository, restored from a folder.</summary>
[Collection(PackedPackage.Name)]
public sealed class FirstHourTests(PackedPackage package)
{
    /// <summary>README.md as it stands there: its commands, its code, and a message that another process receives.</summary>
    [Fact]
    public void The_readme_s_lines_bring_a_message_to_another_process()
    {
        using var user = new UserFolder(package);
        using var shell = new Shell(user.Path, user.Settings);
        var readme = Page.Read("README.md");
        PageBlock code = readme.Blocks.Single(static block => block.Language == "csharp");
        PageBlock[] commands = [.. readme.Blocks.Where(static block => block.Language == "sh").Take(2)];

        shell.Type(commands[0].Text);
        File.WriteAllText(user.Of("shop", "Program.cs"), code.Text);
        string[] typed = commands[1].Text.Split('\n', StringSplitOptions.RemoveEmptyEntries);
        Assert.Equal(2, typed.Length);
        Assert.Equal("", shell.Type(typed[0]));
        Assert.Equal("working for Ada\nworking for Bob\n", shell.Type(typed[1]));
    }

    [Fact]
    public void The_analyzer_speaks_there()
    {
        using var user = new UserFolder(package);
        user.NewProject("BlitQueue", "[BlitQueue.QueueMessage] public class Order;");
        using var build = Command.Start(user.Of("app"), Command.Dotnet, ["build", "-nodeReuse:false"], user.Settings);
        Assert.Equal(1, build.Wait());
        Assert.Contains("error BQ0001: ", build.Output, StringComparison.Ordinal);
    }

    /// <summary>As an editor's light bulb does, for the whole project: the tool loads the fixes from the package.</summary>
    [Fact]
    public void The_code_fixes_correct_what_it_says_there()
    {
        using var user = new UserFolder(package);
        user.NewProject("BlitQueue", """
            using BlitQueue;

            using var orders = MappedQueue<Order>.Open("orders");
            orders.Enqueue(new Order { Customer = "Ada" });
            Console.WriteLine(orders.Dequeue().Customer);

            [QueueMessage]
            public class Order { public string? Customer { get; set; } }
            """);
        user.Dotnet("app", "restore");
        user.Dotnet("app", "format", "analyzers", "--no-restore", "--diagnostics", "BQ0001", "--severity", "error");
        Assert.Contains("public partial class Order", File.ReadAllText(user.Of("app", "Program.cs")), StringComparison.Ordinal);
        Assert.EndsWith("Ada\n", user.Dotnet("app", "run"), StringComparison.Ordinal);
    }

    [Fact]
    public void An_editor_finds_the_code_fixes_there()
    {
        using var user = new UserFolder(package);
        using (ZipArchive content = package.Open())
        {
            content.ExtractToDirectory(user.Of("content"));
        }
        var context = new AssemblyLoadContext("fixes", isCollectible: true);
        Assembly fixes = context.LoadFromAssemblyPath(user.Of("content", "analyzers", "dotnet", "cs", "BlitQueue.Generator.CodeFixes.dll"));
        string[] found =
        [
            .. fixes.GetTypes().Where(static type => type.IsSubclassOf(typeof(CodeFixProvider)) && !type.IsAbstract)
                .Where(static type => type.GetCustomAttribute<ExportCodeFixProviderAttribute>() is not null)
                .SelectMany(static type => ((CodeFixProvider)Activator.CreateInstance(type)!).FixableDiagnosticIds).Distinct().Order(),
        ];
        context.Unload();
        Assert.Subset(found.ToHashSet(), new HashSet<string> { "BQ0001", "BQ0003", "BQ0016", "BQ0101", "BQ0102", "BQ0201" });
    }

    /// <summary>Nothing is looked up by reflection, so the linker may remove what a program does not call.</summary>
    [Fact]
    public void A_trimmed_program_is_published_without_a_warning_and_runs()
    {
        using var user = new UserFolder(package);
        string code = Page.Read("README.md").Blocks.First(static block => block.Language == "csharp").Text;
        user.NewProject("BlitQueue", code);
        string said = user.Dotnet(
            "app", "publish", "-c", "Release", "-r", "linux-x64", "--self-contained", "-p:PublishTrimmed=true",
            "-p:TrimmerSingleWarn=false",
            "-p:DisableTransitiveFrameworkReferenceDownloads=true", "-warnaserror", "-o", "out", "-nodeReuse:false");
        Assert.DoesNotContain("warning", said, StringComparison.OrdinalIgnoreCase);
        Assert.Contains("Optimizing assemblies for size", said, StringComparison.Ordinal);
        Command.Run(user.Path, user.Of("app", "out", "app"), ["Ada"]);
        Assert.Equal("working for Ada\n", Command.Run(user.Path, user.Of("app", "out", "app"), []));
    }
}
