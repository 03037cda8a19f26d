using System.Reflection;
using System.Runtime.CompilerServices;
using System.Text.RegularExpressions;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;

namespace BlitQueue.Generator.Tests.Completeness;

/// <summary>
/// Models outlive the compilation that they were parsed from, so what holds and what prints them must know nothing of it.
/// </summary>
public partial class FoldersTests
{
    // It alone asks the compiler something: how a text is written as a literal.
    private const string Literals = "SymbolDisplay";

    private static readonly HashSet<string> OfTheCompiler =
    [
        .. from type in TypesOf(typeof(ISymbol)).Concat(TypesOf(typeof(CSharpCompilation)))
           where type.Namespace!.StartsWith("Microsoft.CodeAnalysis", StringComparison.Ordinal)
           select type.Name,
    ];

    [Fact]
    public void Models_and_emitters_name_nothing_of_the_compiler()
        => Assert.Empty(
            from room in (string[])["Model", "Emit"]
            from path in Directory.EnumerateFiles(Path.Combine(Root(), room), "*.cs", SearchOption.AllDirectories)
            from word in NamesIn(File.ReadAllText(path))
            select $"{Path.GetRelativePath(Root(), path)} names {word}");

    [Fact]
    public void The_parser_names_it_everywhere()
        => Assert.Contains("INamedTypeSymbol", NamesIn(File.ReadAllText(Path.Combine(Root(), "Parse", "MessageParser.cs"))));

    private static IEnumerable<string> NamesIn(string text)
        => Names().Matches(Asides().Replace(text, "")).Select(static name => name.Value).Distinct()
            .Where(static name => OfTheCompiler.Contains(name) && name != Literals);

    private static Type[] TypesOf(Type one) => one.Assembly.GetExportedTypes();

    private static string Root([CallerFilePath] string self = "")
        => Path.GetFullPath(Path.Combine(Path.GetDirectoryName(self)!, "..", "..", "..", "src", "Generator"));

    [GeneratedRegex("\"[^\"\n]*\"|//.*")]
    private static partial Regex Asides();

    // A type is named where no dot stands in front.
    [GeneratedRegex(@"(?<![.\w])[A-Z]\w+")]
    private static partial Regex Names();
}
