using System.Collections.Immutable;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CodeActions;
using Microsoft.CodeAnalysis.CodeFixes;
using Microsoft.CodeAnalysis.CSharp;
using Microsoft.CodeAnalysis.Diagnostics;

namespace BlitQueue.Generator.Tests.Harness;

/// <summary>Applies a code fix as an editor does: to the first diagnostic that it knows, again until there is none left.</summary>
internal static class FixRun
{
    private const int MaxRounds = 10;

    /// <summary>
    /// The source after the fix, which must compile together with what is then generated, unless that is told apart. A source with the
    /// other ends of lines must come out with those.
    /// </summary>
    public static async Task<string> Apply(CodeFixProvider fix, string source, bool mustCompile = true)
    {
        string text = await ApplyTo(source, fix, mustCompile);
        if (source.Contains('\n', StringComparison.Ordinal))
        {
            string newLine = source.Contains('\r', StringComparison.Ordinal) ? "\n" : "\r\n";
            Assert.Equal(text.ReplaceLineEndings(newLine), await ApplyTo(source.ReplaceLineEndings(newLine), fix, mustCompile));
        }

        return text;
    }

    private static async Task<string> ApplyTo(string source, CodeFixProvider fix, bool mustCompile)
    {
        using var workspace = new AdhocWorkspace();
        Document document = Document(workspace, source);
        for (int round = 0; round < MaxRounds; round++)
        {
            Diagnostic? diagnostic = await First(document, fix.FixableDiagnosticIds);
            if (diagnostic is null)
            {
                break;
            }

            document = await Apply(fix, document, diagnostic);
        }

        string text = (await document.GetTextAsync()).ToString();
        if (mustCompile)
        {
            Assert.Empty(Compile.Complaints(GeneratorRun.Of(text).Output));
        }

        return text;
    }

    /// <summary>The source after the fix of each diagnostic alone, of those that the fix offers something for.</summary>
    public static async Task<IReadOnlyList<string>> Each(CodeFixProvider fix, string source)
    {
        using var workspace = new AdhocWorkspace();
        Document document = Document(workspace, source);
        List<string> texts = [];
        foreach (Diagnostic diagnostic in await All(document, fix.FixableDiagnosticIds))
        {
            List<CodeAction> actions = await Offered(fix, document, diagnostic);
            if (actions.Count > 0)
            {
                texts.Add((await (await Apply(document, Assert.Single(actions))).GetTextAsync()).ToString());
            }
        }

        return texts;
    }

    /// <summary>The source after the fix of all diagnostics at once.</summary>
    public static async Task<string> All(CodeFixProvider fix, string source)
    {
        using var workspace = new AdhocWorkspace();
        Document document = Document(workspace, source);
        IReadOnlyList<Diagnostic> found = await All(document, fix.FixableDiagnosticIds);
        CodeAction one = Assert.Single(await Offered(fix, document, found[0]));
        var context = new FixAllContext(
            document, fix, FixAllScope.Document, one.EquivalenceKey!, fix.FixableDiagnosticIds, new Found(found), CancellationToken.None);
        CodeAction? all = await fix.GetFixAllProvider()!.GetFixAsync(context);
        return (await (await Apply(document, all!)).GetTextAsync()).ToString();
    }

    private sealed class Found(IEnumerable<Diagnostic> all) : FixAllContext.DiagnosticProvider
    {
        public override Task<IEnumerable<Diagnostic>> GetAllDiagnosticsAsync(Project project, CancellationToken cancellationToken)
            => Task.FromResult(all);

        public override Task<IEnumerable<Diagnostic>> GetDocumentDiagnosticsAsync(Document document, CancellationToken cancellationToken)
            => Task.FromResult(all);

        public override Task<IEnumerable<Diagnostic>> GetProjectDiagnosticsAsync(Project project, CancellationToken cancellationToken)
            => Task.FromResult(all);
    }

    private static Document Document(AdhocWorkspace workspace, string source)
    {
        CSharpCompilation compilation = Compile.Source();
        Project project = workspace.AddProject("Sample", LanguageNames.CSharp)
            .WithCompilationOptions(compilation.Options)
            .WithParseOptions(Compile.ParseOptions)
            .WithMetadataReferences(References.All)
            .AddDocument("Usings.cs", compilation.SyntaxTrees[0].GetText()).Project;
        return project.AddDocument("Source0.cs", source);
    }

    private static async Task<Diagnostic?> First(Document document, ImmutableArray<string> ids)
        => (await All(document, ids)).FirstOrDefault();

    private static async Task<IReadOnlyList<Diagnostic>> All(Document document, ImmutableArray<string> ids)
    {
        var compilation = (CSharpCompilation)(await document.Project.GetCompilationAsync())!;
        ImmutableArray<Diagnostic> found = await GeneratorRun.Of(compilation).Output.WithAnalyzers(AnalyzerRun.All)
            .GetAnalyzerDiagnosticsAsync();
        return [.. found.Where(diagnostic => ids.Contains(diagnostic.Id)).OrderBy(diagnostic => diagnostic.Location.SourceSpan)];
    }

    private static async Task<Document> Apply(CodeFixProvider fix, Document document, Diagnostic diagnostic)
        => await Apply(document, Assert.Single(await Offered(fix, document, diagnostic)));

    private static async Task<List<CodeAction>> Offered(CodeFixProvider fix, Document document, Diagnostic diagnostic)
    {
        List<CodeAction> actions = [];
        await fix.RegisterCodeFixesAsync(
            new CodeFixContext(document, diagnostic, (action, _) => actions.Add(action), CancellationToken.None));
        return actions;
    }

    private static async Task<Document> Apply(Document document, CodeAction action)
    {
        ImmutableArray<CodeActionOperation> operations = await action.GetOperationsAsync(CancellationToken.None);
        return operations.OfType<ApplyChangesOperation>().Single().ChangedSolution.GetDocument(document.Id)!;
    }
}
