using System.Collections.Immutable;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;

namespace BlitQueue.Generator.Tests.Harness;

/// <summary>A generator driver that lives through a script of edits, with its steps tracked.</summary>
internal sealed class GeneratorRun
{
    private GeneratorDriver _driver;
    private CSharpCompilation _compilation;

    private GeneratorRun(CSharpCompilation compilation)
    {
        _compilation = compilation;
        _driver = CSharpGeneratorDriver.Create(
            [new QueueMessageGenerator().AsSourceGenerator()],
            parseOptions: (CSharpParseOptions)compilation.SyntaxTrees[0].Options,
            driverOptions: new GeneratorDriverOptions(IncrementalGeneratorOutputKind.None, trackIncrementalGeneratorSteps: true));
        Run();
    }

    /// <summary>The user's sources with what was generated.</summary>
    public Compilation Output { get; private set; } = null!;

    public GeneratorDriver Driver => _driver;

    public GeneratorRunResult Result => _driver.GetRunResult().Results.Single();

    public static GeneratorRun Of(params string[] sources) => new(Compile.Source(sources));

    public static GeneratorRun Of(CSharpCompilation compilation) => new(compilation);

    /// <summary>The driver for a snapshot, after its output was found to compile without a warning.</summary>
    public static GeneratorDriver Clean(params string[] sources)
    {
        GeneratorRun run = Of(sources);
        Assert.Empty(Compile.Complaints(run.Output));
        return run.Driver;
    }

    /// <summary>The generated file with this hint name.</summary>
    public string File(string hintName) => Result.GeneratedSources.Single(source => source.HintName == hintName).SourceText.ToString();

    /// <summary>Replaces a source by its index and runs again.</summary>
    public GeneratorRun Edit(int index, string text)
    {
        SyntaxTree old = _compilation.SyntaxTrees.Single(tree => tree.FilePath == $"Source{index}.cs");
        _compilation = _compilation.ReplaceSyntaxTree(old, Compile.Tree(text, old.FilePath));
        return Run();
    }

    /// <summary>Adds a source and runs again.</summary>
    public GeneratorRun Add(int index, string text)
    {
        _compilation = _compilation.AddSyntaxTrees(Compile.Tree(text, $"Source{index}.cs"));
        return Run();
    }

    private GeneratorRun Run()
    {
        _driver = _driver.RunGeneratorsAndUpdateCompilation(
            _compilation, out Compilation? output, out ImmutableArray<Diagnostic> diagnostics);
        Assert.Empty(diagnostics);
        Output = output;
        return this;
    }
}
