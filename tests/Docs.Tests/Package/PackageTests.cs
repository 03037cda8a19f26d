using System.IO.Compression;
using System.Reflection;
using System.Reflection.Metadata;
using System.Reflection.PortableExecutable;
using System.Security.Cryptography;
using System.Text;
using System.Xml.Linq;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;

namespace BlitQueue.Docs.Package;

/// <summary>What users install: the library, its generator and analyzers, and nothing that was only used to build them.</summary>
[Collection(PackedPackage.Name)]
public sealed class PackageTests(PackedPackage packed)
{
    // Of a portable PDB: where the sources are published.
    private static readonly Guid SourceLink = new("CC110556-A091-4D38-9FEC-25AB9A351A6A");

    public static TheoryData<string> Ids { get; } = [.. PackedPackage.Ids];

    [Fact]
    public void It_contains_what_users_need_and_depends_on_nothing()
    {
        using ZipArchive package = packed.Open();
        Assert.Equal(
            [
                "BlitQueue.nuspec", "README.md",
                "analyzers/dotnet/cs/BlitQueue.Generator.CodeFixes.dll", "analyzers/dotnet/cs/BlitQueue.Generator.dll",
                "icon.png",
                "lib/net10.0/BlitQueue.dll", "lib/net10.0/BlitQueue.xml",
                "runtimes/linux-x64/lib/net10.0/BlitQueue.dll",
            ],
            package.Entries.Select(static entry => entry.FullName).Where(IsOurs).Order(StringComparer.Ordinal));
        // The same code, and machine code beside it.
        Assert.InRange(
            package.GetEntry("runtimes/linux-x64/lib/net10.0/BlitQueue.dll")!.Length,
            package.GetEntry("lib/net10.0/BlitQueue.dll")!.Length * 3 / 2, int.MaxValue);
        Assert.DoesNotContain(
            Nuspec(package, "BlitQueue").Descendants(), static element => element.Name.LocalName == "dependency");
    }

    /// <summary>Each of the others is one library, and brings the queue of its own version along, with its generator.</summary>
    [Theory]
    [InlineData("BlitQueue.Hosting", "BlitQueue Microsoft.Extensions.Diagnostics.HealthChecks Microsoft.Extensions.Hosting")]
    [InlineData("BlitQueue.RabbitMq", "BlitQueue RabbitMQ.Client")]
    [InlineData("BlitQueue.RabbitMq.Hosting", "BlitQueue.Hosting BlitQueue.RabbitMq")]
    public void Another_package_contains_one_library_and_asks_for_the_queue_of_its_own_version(string id, string dependencies)
    {
        using ZipArchive package = packed.Open(id);
        Assert.Equal(
            [$"{id}.nuspec", "README.md", "icon.png", $"lib/net10.0/{id}.dll", $"lib/net10.0/{id}.xml"],
            package.Entries.Select(static entry => entry.FullName).Where(IsOurs).Order(StringComparer.Ordinal));
        XElement[] asked =
            [.. Nuspec(package, id).Descendants().Where(static element => element.Name.LocalName == "dependency")];
        Assert.Equal(
            dependencies.Split(' '), asked.Select(static element => (string)element.Attribute("id")!).Order(StringComparer.Ordinal));
        Assert.All(asked.Where(static element => PackedPackage.Ids.Contains((string?)element.Attribute("id"))), static ours =>
        {
            Assert.Equal(PackedPackage.Version, (string?)ours.Attribute("version"));
            Assert.DoesNotContain("Analyzers", (string?)ours.Attribute("exclude") ?? "", StringComparison.Ordinal);
        });
    }

    [Theory]
    [MemberData(nameof(Ids))]
    public void It_says_what_it_is_and_where_it_comes_from(string id)
    {
        using ZipArchive package = packed.Open(id);
        XDocument nuspec = Nuspec(package, id);
        string Fact(string name) => nuspec.Descendants().Single(element => element.Name.LocalName == name).Value;

        Assert.Equal((id, PackedPackage.Version, "MIT"), (Fact("id"), Fact("version"), Fact("license")));
        Assert.Equal(("README.md", "icon.png"), (Fact("readme"), Fact("icon")));
        Assert.InRange(Fact("tags").Split(' ').Length, 5, 20);
        Assert.InRange(Fact("description").Length, 50, 300);
        XElement repository = nuspec.Descendants().Single(static element => element.Name.LocalName == "repository");
        Assert.Equal("git", (string?)repository.Attribute("type"));
        Assert.Equal("https://github.com/blitqueue/blitqueue", (string?)repository.Attribute("url"));
        Assert.Matches("^[0-9a-f]{40}$", (string?)repository.Attribute("commit"));

        // Its links lead out of the package.
        string readme = Encoding.UTF8.GetString(Bytes(package, "README.md"));
        Assert.Contains("](https://github.com/blitqueue/blitqueue/blob/main/docs/", readme, StringComparison.Ordinal);
        Assert.DoesNotMatch(@"\]\((?!https?:|#)", readme);
        string source = id == "BlitQueue" ? "README.md" : Path.Combine("src", id["BlitQueue.".Length..], "README.md");
        Assert.Equal(File.ReadLines(Repository.Of(source)).Count(), readme.TrimEnd('\n').Split('\n').Length);
    }

    /// <summary>Of all that the compiler documents, what a user can name, and no more.</summary>
    [Theory]
    [MemberData(nameof(Ids))]
    public void Its_documentation_is_that_of_public_members(string id)
    {
        using ZipArchive package = packed.Open(id);
        var compilation = CSharpCompilation.Create(
            "Docs", references: [.. Pages.PageProgram.References, .. Pages.PageProgram.WebReferences()],
            options: new CSharpCompilationOptions(OutputKind.DynamicallyLinkedLibrary, metadataImportOptions: MetadataImportOptions.All));
        string[] all = Documented(XDocument.Load(Path.Combine(AppContext.BaseDirectory, $"{id}.xml")));
        string[] visible = [.. all.Where(name => IsVisible(DocumentationCommentId.GetFirstSymbolForDeclarationId(name, compilation)))];
        Assert.InRange(visible.Length, 5, all.Length - 1);
        Assert.Equal(visible, Documented(XDocument.Load(Content(package, $"lib/net10.0/{id}.xml"))));
    }

    [Theory]
    [MemberData(nameof(Ids))]
    public void A_debugger_finds_its_symbols_and_sources(string id)
    {
        using ZipArchive symbols = packed.OpenSymbols(id), package = packed.Open(id);
        using var library = new PEReader([.. Bytes(package, $"lib/net10.0/{id}.dll")]);
        using var provider = MetadataReaderProvider.FromPortablePdbStream(
            new MemoryStream(Bytes(symbols, $"lib/net10.0/{id}.pdb")));
        MetadataReader pdb = provider.GetMetadataReader();
        CodeViewDebugDirectoryData named = library.ReadCodeViewDebugDirectoryData(
            library.ReadDebugDirectory().Single(static entry => entry.Type == DebugDirectoryEntryType.CodeView));
        Assert.Equal(named.Guid, new BlobContentId(pdb.DebugMetadataHeader!.Id).Guid);

        string links = Encoding.UTF8.GetString(pdb.GetBlobBytes(
            pdb.CustomDebugInformation.Select(pdb.GetCustomDebugInformation).Single(one => pdb.GetGuid(one.Kind) == SourceLink).Value));
        Assert.Matches("\"https://raw.githubusercontent.com/blitqueue/blitqueue/[0-9a-f]{40}/\\*\"", links);
    }

    /// <summary>A clone elsewhere, in which the library is built anew.</summary>
    [ReleaseFact]
    public void Another_clone_builds_the_same_bytes()
    {
        DirectoryInfo folder = Directory.CreateTempSubdirectory("blitqueue-again-");
        try
        {
            Command.Run(Repository.Root, "git", ["clone", "-q", "--shared", Repository.Root, folder.FullName]);
            // What is not committed yet counts, too.
            Directory.Delete(Path.Combine(folder.FullName, "src"), recursive: true);
            string files = Command.Run(Repository.Root, "git", ["ls-files", "-co", "--exclude-standard", "src", "Directory.*"]);
            foreach (string file in files.Split('\n').Where(static file => File.Exists(Repository.Of(file))))
            {
                string copy = Path.Combine(folder.FullName, file);
                Directory.CreateDirectory(Path.GetDirectoryName(copy)!);
                File.Copy(Repository.Of(file), copy, overwrite: true);
            }
            Command.Run(
                folder.FullName, Command.Dotnet,
                [
                    "build", Path.Combine("src", "Runtime", "BlitQueue.csproj"), "-c", Repository.Configuration,
                    "-p:BuildProjectReferences=false", "-p:RunAnalyzers=false", "-nodeReuse:false",
                ]);
            string again = Path.Combine(folder.FullName, "src", "Runtime", "bin", Repository.Configuration, "net10.0", "BlitQueue.dll");
            Assert.Equal(Hash(typeof(QueueMessageAttribute).Assembly.Location), Hash(again));
        }
        finally
        {
            folder.Delete(recursive: true);
        }
    }

    private static string Hash(string path) => Convert.ToHexString(SHA256.HashData(File.ReadAllBytes(path)));

    // Every package has a few files that say that it is one.
    private static bool IsOurs(string file) => file[0] is not ('_' or '[') && !file.StartsWith("package/", StringComparison.Ordinal);

    private static XDocument Nuspec(ZipArchive package, string id) => XDocument.Load(Content(package, $"{id}.nuspec"));

    private static Stream Content(ZipArchive package, string file) => new MemoryStream(Bytes(package, file));

    private static byte[] Bytes(ZipArchive package, string file)
    {
        using Stream content = package.GetEntry(file)!.Open();
        using var bytes = new MemoryStream();
        content.CopyTo(bytes);
        return bytes.ToArray();
    }

    private static string[] Documented(XDocument docs) =>
        [.. docs.Descendants("member").Select(static member => member.Attribute("name")!.Value)];

    private static bool IsVisible(ISymbol? symbol) =>
        symbol is INamespaceSymbol
        || (symbol?.DeclaredAccessibility is Accessibility.Public or Accessibility.Protected or Accessibility.ProtectedOrInternal
            && IsVisible(symbol.ContainingSymbol));
}
