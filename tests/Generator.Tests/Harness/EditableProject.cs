using System.Text.RegularExpressions;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;

namespace BlitQueue.Generator.Tests.Harness;

/// <summary>A project of messages and of what they lean on, with places where an edit changes what they come out as.</summary>
internal sealed partial class EditableProject
{
    private readonly Random _random;
    private readonly Dictionary<string, int> _chosen = Slots.ToDictionary(slot => slot.Name, _ => 0);
    private readonly Dictionary<string, string> _texts = [];
    private (string Slot, int Way) _undo;

    public EditableProject(int seed)
    {
        _random = new Random(seed);
        _undo = (Slots[0].Name, 0);
        Compilation = CSharpCompilation.Create("Sample", [], References.All, OptionsFor(nullable: true)).AddReferences(Library());
        Apply();
    }

    public CSharpCompilation Compilation { get; private set; }

    /// <summary>Changes one place; says which, and into what.</summary>
    public string Edit()
    {
        Slot slot = Slots[_random.Next(Slots.Count)];
        int way = _random.Next(2) == 0 ? 0 : _random.Next(slot.Ways.Length);
        string name = slot.Name;
        if (_random.Next(5) == 0)
        {
            (name, way) = _undo;
        }
        else if (way == _chosen[name])
        {
            way = (way + 1) % slot.Ways.Length;
        }

        return Set(name, way);
    }

    /// <summary>Fills one place in a way of its own.</summary>
    public string Set(string name, int way)
    {
        _undo = (name, _chosen[name]);
        _chosen[name] = way;
        Apply();
        return $"{name}: {Slots.Single(slot => slot.Name == name).Ways[way]}";
    }

    // What did not change keeps its tree, as it does in an editor.
    private void Apply()
    {
        foreach ((string? path, string? template) in Files)
        {
            string text = SlotMark().Replace(template, match => Way(match.Groups[1].Value));
            SyntaxTree? old = Compilation.SyntaxTrees.FirstOrDefault(tree => tree.FilePath == path);
            if (_texts.TryGetValue(path, out string? before) && before == text)
            {
                continue;
            }

            _texts[path] = text;
            if (old is not null && text.Length == 0)
            {
                Compilation = Compilation.RemoveSyntaxTrees(old);
            }
            else if (old is not null)
            {
                Compilation = Compilation.ReplaceSyntaxTree(old, Compile.Tree(text, path));
            }
            else if (text.Length > 0)
            {
                Compilation = Compilation.AddSyntaxTrees(Compile.Tree(text, path));
            }
        }

        ApplyOptions();
    }

    private void ApplyOptions()
    {
        bool isNullable = Way("options") == "nullable";
        if (isNullable != (Compilation.Options.NullableContextOptions == NullableContextOptions.Enable))
        {
            Compilation = Compilation.WithOptions(OptionsFor(isNullable));
        }

        CompilationReference library = Compilation.References.OfType<CompilationReference>().Single();
        if (library.Compilation.SyntaxTrees.First().ToString() != Way("library"))
        {
            Compilation = Compilation.ReplaceReference(library, Library());
        }

        // The compiler takes a partial type's members in the order of its files.
        SyntaxTree? first = Compilation.SyntaxTrees.FirstOrDefault(tree => tree.FilePath.StartsWith("Part", StringComparison.Ordinal));
        if (first is not null && first.FilePath != Way("order"))
        {
            Compilation = Compilation.RemoveSyntaxTrees(first).AddSyntaxTrees(first);
        }
    }

    private CompilationReference Library() => Compile.Named("Library", Way("library")).ToMetadataReference();

    private string Way(string slot) => Slots.Single(other => other.Name == slot).Ways[_chosen[slot]];

    private static CSharpCompilationOptions OptionsFor(bool nullable)
        => new(OutputKind.DynamicallyLinkedLibrary, nullableContextOptions: nullable ? NullableContextOptions.Enable
            : NullableContextOptions.Disable);

    [GeneratedRegex(@"\$(\w+)\$")]
    private static partial Regex SlotMark();
}
