using System.Collections.Immutable;
using BlitQueue.Generator.Diagnose;
using BlitQueue.Generator.Diagnose.Migration;
using BlitQueue.Generator.Diagnose.Usage;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;
using Microsoft.CodeAnalysis.Diagnostics;

namespace BlitQueue.Generator.Tests.Harness;

/// <summary>
/// Runs the analyzers as a build does: after the generator. <c>[|marks|]</c> in the source are where a diagnostic is expected.
/// </summary>
internal static class AnalyzerRun
{
    public static readonly ImmutableArray<DiagnosticAnalyzer> All = [new MessageAnalyzer(), new UsageAnalyzer(), new MigrationAnalyzer()];

    /// <summary>Expects exactly one diagnostic with this id at each mark, and no other.</summary>
    /// <returns>The messages, in source order.</returns>
    public static async Task<IReadOnlyList<string>> Expect(string id, string marked)
    {
        (string? source, IReadOnlyList<Microsoft.CodeAnalysis.Text.TextSpan>? spans) = Markup.Parse(marked);
        IReadOnlyList<Diagnostic> found = await Diagnostics(source);
        Assert.Equal(
            spans.Select(span => $"{id} {source[span.Start..span.End]} at {span}"),
            found.Select(diagnostic => $"{diagnostic.Id} {TextOf(diagnostic)} at {diagnostic.Location.SourceSpan}"));
        return [.. found.Select(diagnostic => diagnostic.GetMessage())];
    }

    /// <summary>Expects silence.</summary>
    public static async Task ExpectNone(string source) => Assert.Empty(await Diagnostics(source));

    public static Task<IReadOnlyList<Diagnostic>> Diagnostics(params string[] sources) => Diagnostics(Compile.Source(sources));

    public static async Task<IReadOnlyList<Diagnostic>> Diagnostics(CSharpCompilation compilation)
    {
        var run = GeneratorRun.Of(compilation);
        CompilationWithAnalyzers analyzed = run.Output.WithAnalyzers(All);
        ImmutableArray<Diagnostic> found = await analyzed.GetAnalyzerDiagnosticsAsync();
        return [.. found.OrderBy(diagnostic => diagnostic.Location.SourceTree?.FilePath)
            .ThenBy(diagnostic => diagnostic.Location.SourceSpan)];
    }

    private static string TextOf(Diagnostic diagnostic)
        => diagnostic.Location.SourceTree?.GetText().ToString(diagnostic.Location.SourceSpan) ?? "";
}
