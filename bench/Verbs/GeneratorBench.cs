using System.Diagnostics;
using System.Globalization;
using System.Text;
using BlitQueue.Bench.Measuring;
using BlitQueue.Generator;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;
using Microsoft.CodeAnalysis.Text;

namespace BlitQueue.Bench.Verbs;

/// <summary>What the generator costs the compiler and the editor of a project with 1,000 message types.</summary>
internal static class GeneratorBench
{
    private const int Types = 1000;
    private const int Keystrokes = 31;
    // An editor has typed much before: the JIT must have done its best here too.
    private const int WarmUp = 100;

    private static readonly CSharpParseOptions ParseOptions = new(LanguageVersion.Preview);

    public static int Run()
    {
        CSharpCompilation compilation = Compilation();
        if (compilation.GetDeclarationDiagnostics().FirstOrDefault(found => found.Severity == DiagnosticSeverity.Error) is { } error)
        {
            Console.Error.WriteLine(error);
            return 1;
        }

        // The first run in this process compiles the generator and the compiler to machine code; the second is the one that a compiler
        // server or an editor sees. Each has a compilation of its own, with no symbol bound yet.
        Console.WriteLine(Line("cold, first in the process", Cold(Compilation(), out _)));
        Console.WriteLine(
            Line(
                "cold, warmed up: median of 3",
                Statistics.Median(Enumerable.Range(0, 3).Select(_ => Cold(Compilation(), out GeneratorDriver _)))));
        Cold(compilation, out GeneratorDriver driver);
        Console.WriteLine(Line("keystroke in a method of one message", Type(driver, compilation, number => $"// {number}\n")));
        Console.WriteLine(
            Line(
                "keystroke that adds a member to one", Type(driver, compilation, number => $"public int Added{number} {{ get; set; }}\n")));
        return 0;
    }

    private static double Cold(Compilation compilation, out GeneratorDriver driver)
    {
        long started = Stopwatch.GetTimestamp();
        driver = CSharpGeneratorDriver.Create([new QueueMessageGenerator().AsSourceGenerator()], parseOptions: ParseOptions)
            .RunGenerators(compilation);
        double took = Stopwatch.GetElapsedTime(started).TotalMilliseconds;
        int files = driver.GetRunResult().GeneratedTrees.Length;
        return files == Types ? took : throw new InvalidOperationException($"{files} files were generated for {Types} types.");
    }

    // Each edit has a new compilation, as an editor has; making that is not the generator's cost.
    private static double Type(GeneratorDriver driver, CSharpCompilation compilation, Func<int, string> typed)
    {
        var times = new List<double>();
        for (int i = 0; i < WarmUp + Keystrokes; i++)
        {
            SyntaxTree old = compilation.SyntaxTrees[i];
            SourceText text = old.GetText();
            int place = text.ToString().IndexOf("public", text.ToString().IndexOf('{', StringComparison.Ordinal), StringComparison.Ordinal);
            SyntaxTree edited = old.WithChangedText(text.WithChanges(new TextChange(new TextSpan(place, 0), typed(i))));
            compilation = compilation.ReplaceSyntaxTree(old, edited);
            long started = Stopwatch.GetTimestamp();
            driver = driver.RunGenerators(compilation);
            times.Add(Stopwatch.GetElapsedTime(started).TotalMilliseconds);
        }
        return Statistics.Median(times.Skip(WarmUp));
    }

    private static CSharpCompilation Compilation()
        => CSharpCompilation.Create(
            "Messages",
            Enumerable.Range(0, Types).Select(number => CSharpSyntaxTree.ParseText(Source(number), ParseOptions, $"Message{number}.cs")),
            References(),
            new CSharpCompilationOptions(OutputKind.DynamicallyLinkedLibrary, nullableContextOptions: NullableContextOptions.Enable));

    private static IEnumerable<MetadataReference> References()
        => ((string)AppContext.GetData("TRUSTED_PLATFORM_ASSEMBLIES")!).Split(Path.PathSeparator)
            .Where(
                path => Path.GetFileName(path) is "BlitQueue.dll" || Path.GetFileName(path).StartsWith("System.", StringComparison.Ordinal))
            .Select(path => MetadataReference.CreateFromFile(path));

    // Ten members: numbers, text, times, lists, and another of these messages.
    private static string Source(int number)
    {
        var source = new StringBuilder();
        source.Append(CultureInfo.InvariantCulture, $$"""
            using System;
            using System.Collections.Generic;
            using BlitQueue;

            namespace Messages.Part{{number % 20}};

            [QueueMessage]
            public partial class Message{{number}}
            {
                public long Id { get; set; }
                public int Count { get; set; }
                public string? Name { get; set; }
                public string? Note { get; set; }
                public decimal Price { get; set; }
                public DateTime Placed { get; set; }
                public Guid? Reference { get; set; }
                public List<int>? Numbers { get; set; }
                public string[]? Tags { get; set; }
                public List<Messages.Part{{(number + 1) % Types % 20}}.Message{{(number + 1) % Types}}>? Others { get; set; }

                public long Twice() => Id * 2;
            }

            """);
        return source.ToString();
    }

    private static string Line(string what, double milliseconds)
        => string.Create(CultureInfo.InvariantCulture, $"{Types} message types, {what}: {milliseconds:F1} ms");
}
