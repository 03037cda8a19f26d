using System.Diagnostics;
using System.IO.Compression;
using System.Reflection;
using System.Runtime.CompilerServices;
using System.Xml.Linq;
using Microsoft.CodeAnalysis;

namespace BlitQueue.Generator.Tests.Completeness;

/// <summary>What users install: the library, its generator and analyzers, and nothing that was only used to build them.</summary>
public sealed class PackageTests : IDisposable
{
    private readonly DirectoryInfo _folder = Directory.CreateTempSubdirectory("blitqueue-package-");

    public void Dispose() => _folder.Delete(recursive: true);

    [Fact]
    public void It_contains_what_users_need_and_depends_on_nothing()
    {
        using ZipArchive package = Pack();
        Assert.Equal(
            [
                "BlitQueue.nuspec",
                "analyzers/dotnet/cs/BlitQueue.Generator.CodeFixes.dll", "analyzers/dotnet/cs/BlitQueue.Generator.dll",
                "lib/net10.0/BlitQueue.dll", "lib/net10.0/BlitQueue.xml",
                "runtimes/linux-x64/lib/net10.0/BlitQueue.dll",
            ],
            package.Entries.Select(static entry => entry.FullName).Where(IsOurs).Order(StringComparer.Ordinal));
        // The same code, and machine code beside it.
        Assert.InRange(
            package.GetEntry("runtimes/linux-x64/lib/net10.0/BlitQueue.dll")!.Length,
            package.GetEntry("lib/net10.0/BlitQueue.dll")!.Length * 3 / 2, int.MaxValue);
        Assert.DoesNotContain(Read(package, "BlitQueue.nuspec").Descendants(), static element => element.Name.LocalName == "dependency");

        // Of all that the compiler documents, what a user can name, and no more.
        Compilation compilation = Compile.Source();
        string[] all = Documented(XDocument.Load(Path.Combine(AppContext.BaseDirectory, "BlitQueue.xml")));
        string[] visible = [.. all.Where(id => IsVisible(DocumentationCommentId.GetFirstSymbolForDeclarationId(id, compilation)))];
        Assert.InRange(visible.Length, 500, all.Length - 500);
        Assert.Equal(visible, Documented(Read(package, "lib/net10.0/BlitQueue.xml")));
    }

    private ZipArchive Pack()
    {
        string configuration = typeof(PackageTests).Assembly.GetCustomAttribute<AssemblyConfigurationAttribute>()!.Configuration;
        // For one platform of those that the package is precompiled for.
        string[] command =
        [
            "pack", Runtime(), "--no-build", "-c", configuration, "-p:Precompiled=linux-x64", "-o", _folder.FullName, "-nodeReuse:false",
        ];
        using Process pack = Process.Start(new ProcessStartInfo(Environment.ProcessPath!, command) { RedirectStandardOutput = true })!;
        string said = pack.StandardOutput.ReadToEnd();
        pack.WaitForExit();
        Assert.True(pack.ExitCode == 0, said);
        return ZipFile.OpenRead(Assert.Single(_folder.GetFiles("*.nupkg")).FullName);
    }

    // Every package has a few files that say that it is one.
    private static bool IsOurs(string file) => file[0] is not ('_' or '[') && !file.StartsWith("package/", StringComparison.Ordinal);

    private static XDocument Read(ZipArchive package, string file)
    {
        using Stream content = package.GetEntry(file)!.Open();
        return XDocument.Load(content);
    }

    private static string[] Documented(XDocument docs) =>
        [.. docs.Descendants("member").Select(static member => member.Attribute("name")!.Value)];

    private static bool IsVisible(ISymbol? symbol) =>
        symbol is INamespaceSymbol
        || (symbol?.DeclaredAccessibility is Accessibility.Public or Accessibility.Protected or Accessibility.ProtectedOrInternal
            && IsVisible(symbol.ContainingSymbol));

    private static string Runtime([CallerFilePath] string file = "") =>
        Path.GetFullPath(Path.Combine(Path.GetDirectoryName(file)!, "../../../src/Runtime"));
}
