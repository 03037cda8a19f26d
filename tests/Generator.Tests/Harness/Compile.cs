using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;

namespace BlitQueue.Generator.Tests.Harness;

/// <summary>From source text to a compilation with the strict options that a careful user has.</summary>
internal static class Compile
{
    public static readonly CSharpParseOptions ParseOptions = new(LanguageVersion.CSharp14, DocumentationMode.Diagnose);

    private const string Usings = "global using System; global using System.Collections.Generic; global using BlitQueue; global using "
        + "BlitQueue.Views;";

    private static readonly CSharpCompilationOptions Options = new CSharpCompilationOptions(OutputKind.DynamicallyLinkedLibrary)
        .WithNullableContextOptions(NullableContextOptions.Enable)
        .WithOverflowChecks(true)
        .WithWarningLevel(9999);

    public static CSharpCompilation Source(params string[] sources) => Named("Sample", sources);

    public static CSharpCompilation Named(string assembly, params string[] sources)
        => CSharpCompilation.Create(
            assembly,
            sources.Select((text, index) => Tree(text, $"Source{index}.cs")).Append(Tree(Usings, "Usings.cs")),
            References.All,
            Options);

    public static SyntaxTree Tree(string text, string path) => CSharpSyntaxTree.ParseText(text, ParseOptions, path);

    /// <summary>The same compilation, read as an older version of the language.</summary>
    public static Compilation As(LanguageVersion version, Compilation compilation)
        => compilation.RemoveAllSyntaxTrees().AddSyntaxTrees(compilation.SyntaxTrees.Select(tree =>
            CSharpSyntaxTree.ParseText(tree.GetText(), ParseOptions.WithLanguageVersion(version), tree.FilePath)));

    /// <summary>What a user would see in the build: errors anywhere, warnings in generated code.</summary>
    public static IReadOnlyList<Diagnostic> Complaints(Compilation output)
        => [.. output.GetDiagnostics().Where(diagnostic => IsComplaint(diagnostic))];

    private static bool IsComplaint(Diagnostic diagnostic)
        => diagnostic.Severity == DiagnosticSeverity.Error
        || (diagnostic.Severity == DiagnosticSeverity.Warning && IsGenerated(diagnostic.Location.SourceTree));

    private static bool IsGenerated(SyntaxTree? tree) => tree is not null && tree.FilePath.EndsWith(".g.cs", StringComparison.Ordinal);
}
