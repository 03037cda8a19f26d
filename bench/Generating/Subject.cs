using System.Globalization;
using System.Reflection;
using System.Text;
using BlitQueue.Bench.Measuring;
using BlitQueue.Generator;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;

namespace BlitQueue.Bench.Generating;

/// <summary>A generator, and the project of message types that it works for: the same for all but for the attribute.</summary>
/// <param name="Name">What the tables call it.</param>
/// <param name="Space">The namespace of its attribute.</param>
/// <param name="Attribute">What makes a type one of its messages.</param>
/// <param name="Make">Makes one that has seen nothing yet.</param>
internal sealed record Subject(string Name, string Space, string Attribute, Func<IIncrementalGenerator> Make)
{
    /// <summary>How many message types the project has.</summary>
    public const int Types = 1000;

    private const int Spaces = 20;

    private static readonly CSharpParseOptions ParseOptions = new(LanguageVersion.Preview);

    private static readonly CSharpCompilationOptions Options =
        new(OutputKind.DynamicallyLinkedLibrary, nullableContextOptions: NullableContextOptions.Enable);

    /// <summary>Ours.</summary>
    public static Subject Ours { get; } = new("ours", "BlitQueue", "QueueMessage", static () => new QueueMessageGenerator());

    /// <summary>MemoryPack's, which the build has put beside this program.</summary>
    public static Subject Peer { get; } = new("MemoryPack", "MemoryPack", "MemoryPackable", MakePeer);

    /// <summary>The project, with no symbol bound yet. Behind the messages' files is one that has to do with none of them.</summary>
    public CSharpCompilation Project() =>
        CSharpCompilation.Create(
            "Messages",
            Enumerable.Range(0, Types).Select(number => Parse(Message(number), $"Message{number}.cs")).Append(Parse(Unrelated, "Other.cs")),
            References(), Options);

    /// <summary>Runs it for the first time.</summary>
    /// <returns>How many milliseconds it took.</returns>
    public double Cold(CSharpCompilation project) => Cold(project, out _);

    /// <summary>Runs it for the first time.</summary>
    /// <param name="project">What for.</param>
    /// <param name="driver">What goes on with it, edit by edit.</param>
    /// <returns>How many milliseconds it took.</returns>
    public double Cold(CSharpCompilation project, out GeneratorDriver driver)
    {
        TimeSpan before = ProcessorClock.Spent();
        driver = CSharpGeneratorDriver.Create([Make().AsSourceGenerator()], parseOptions: ParseOptions).RunGenerators(project);
        double took = (ProcessorClock.Spent() - before).TotalMilliseconds;
        GeneratorDriverRunResult result = driver.GetRunResult();
        return result.GeneratedTrees.Length == Types && result.Diagnostics.IsEmpty
            ? took
            : throw new InvalidOperationException(
                $"{Name}: {result.GeneratedTrees.Length} files were generated for {Types} types. {result.Diagnostics.FirstOrDefault()}");
    }

    /// <summary>The first declaration that does not compile; null where all do.</summary>
    public Diagnostic? Error() =>
        Project().GetDeclarationDiagnostics().FirstOrDefault(static found => found.Severity == DiagnosticSeverity.Error);

    private static SyntaxTree Parse(string text, string path) => CSharpSyntaxTree.ParseText(text, ParseOptions, path);

    private static IIncrementalGenerator MakePeer()
    {
        string path = Path.Combine(AppContext.BaseDirectory, "MemoryPack.Generator.dll");
        Type type = Assembly.LoadFrom(path).GetType("MemoryPack.Generator.MemoryPackGenerator", throwOnError: true)!;
        return (IIncrementalGenerator)Activator.CreateInstance(type)!;
    }

    private static IEnumerable<MetadataReference> References() =>
        ((string)AppContext.GetData("TRUSTED_PLATFORM_ASSEMBLIES")!).Split(Path.PathSeparator)
            .Where(static path =>
                Path.GetFileName(path) is "BlitQueue.dll" or "MemoryPack.Core.dll"
                || Path.GetFileName(path).StartsWith("System.", StringComparison.Ordinal))
            .Select(static path => MetadataReference.CreateFromFile(path));

    private const string Unrelated = """
        namespace Messages;

        public static class Other
        {
            public static int Twice(int number) => number * 2;
        }

        """;

    // Ten members: numbers, text, times, lists, and another of these messages.
    private string Message(int number)
    {
        int next = (number + 1) % Types;
        var source = new StringBuilder();
        source.Append(CultureInfo.InvariantCulture, $$"""
            using System;
            using System.Collections.Generic;
            using {{Space}};

            namespace Messages.Part{{number % Spaces}};

            [{{Attribute}}]
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
                public List<Messages.Part{{next % Spaces}}.Message{{next}}>? Others { get; set; }

                public long Twice() => Id * 2;
            }

            """);
        return source.ToString();
    }
}
