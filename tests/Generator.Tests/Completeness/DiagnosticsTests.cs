using System.Reflection;
using System.Runtime.CompilerServices;
using BlitQueue.Generator.Diagnose;
using Microsoft.CodeAnalysis;

namespace BlitQueue.Generator.Tests.Completeness;

public class DiagnosticsTests
{
    private static readonly IReadOnlyList<DiagnosticDescriptor> All =
    [
        .. typeof(Descriptors).GetFields(BindingFlags.Public | BindingFlags.Static)
            .Select(field => field.GetValue(null))
            .OfType<DiagnosticDescriptor>(),
    ];

    [Fact]
    public void Every_id_is_described_and_supported()
    {
        var ids = typeof(DiagnosticIds).GetFields().Select(field => (string)field.GetRawConstantValue()!).Order(StringComparer.Ordinal)
            .ToList();
        Assert.Equal(ids, All.Select(descriptor => descriptor.Id).Order(StringComparer.Ordinal));
        Assert.Equal(ids, AnalyzerRun.All.SelectMany(analyzer => analyzer.SupportedDiagnostics).Select(descriptor => descriptor.Id)
            .Order(StringComparer.Ordinal));
    }

    [Fact]
    public void Every_diagnostic_has_a_page_a_test_and_a_release_row()
    {
        string releases = File.ReadAllText(Path.Combine(Repository(), "src/Generator/AnalyzerReleases.Shipped.md"))
            + File.ReadAllText(Path.Combine(Repository(), "src/Generator/AnalyzerReleases.Unshipped.md"));
        foreach (DiagnosticDescriptor descriptor in All)
        {
            Assert.Contains($"{descriptor.Id} | {descriptor.Category} | {descriptor.DefaultSeverity} | {descriptor.Title}\n", releases,
                StringComparison.Ordinal);
            Assert.Single(Directory.EnumerateFiles(Path.Combine(Repository(), "tests/Generator.Tests/Diagnose"), descriptor.Id + "_*.cs"));
            Assert.Equal($"https://github.com/blitqueue/blitqueue/blob/main/docs/diagnostics/{descriptor.Id}.md", descriptor.HelpLinkUri);

            string page = File.ReadAllText(Path.Combine(Repository(), "docs/diagnostics", descriptor.Id + ".md"));
            Assert.StartsWith($"# {descriptor.Id}: {descriptor.Title}\n", page, StringComparison.Ordinal);
            foreach (string part in (string[])["## Wrong\n", "## Right\n", "## Why\n"])
            {
                Assert.Contains(part, page, StringComparison.Ordinal);
            }
        }
    }

    private static string Repository([CallerFilePath] string file = "")
        => Path.GetFullPath(Path.Combine(Path.GetDirectoryName(file)!, "../../.."));
}
