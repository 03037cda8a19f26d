using System.Runtime.CompilerServices;
using Microsoft.CodeAnalysis.CSharp.Syntax;
using Microsoft.CodeAnalysis.Text;

namespace BlitQueue.Generator.Caching;

/// <summary>
/// What the generator reads from the syntax of one source file, without symbols. Read once for each syntax tree; collected with the tree.
/// </summary>
internal sealed class SourceFile
{
    private static readonly ConditionalWeakTable<SyntaxTree, SourceFile> Known = new();

    private readonly FileReader _content;
    private readonly string?[] _texts;

    private SourceFile(FileReader content)
    {
        _content = content;
        _texts = new string?[content.Outermost.Count];
    }

    /// <summary>Everything in this file that decides which type a name stands for, here or in other files.</summary>
    public string Outline => _content.Outline;

    /// <summary>
    /// Classes, structs, interfaces and records, nested ones included. While the outline is the same, so are their number and their order.
    /// </summary>
    public IReadOnlyList<TypeDeclarationSyntax> Types => _content.Types;

    /// <summary>Whether the file has a using static: members of other types can be named by their bare names.</summary>
    public bool HasStaticUsing => _content.HasStaticUsing;

    /// <summary>Whether the file has a global using static, which applies to all files.</summary>
    public bool HasGlobalStaticUsing => _content.HasGlobalStaticUsing;

    public bool HasGlobalAlias => _content.HasGlobalAlias;

    public static SourceFile Of(SyntaxTree tree, CancellationToken cancellation)
    {
        if (Known.TryGetValue(tree, out SourceFile? known))
        {
            return known;
        }

        var file = new SourceFile(FileReader.Read(tree, cancellation));
        return Known.GetValue(tree, _ => file);
    }

    /// <summary>Whether a type's attributes, by their names, may make it a message.</summary>
    public bool MayBeMessage(int type, bool isAnyAlias)
        => Types[type].AttributeLists.Count > 0 && (isAnyAlias || _content.HasAlias || Types[type].AttributeLists.Any(IsNamedAsMessage));

    /// <summary>The index of the outermost declaration that contains a position of the file; -1 for none.</summary>
    public int OutermostAt(int position)
    {
        (int from, int to) = (0, _content.Outermost.Count - 1);
        while (from <= to)
        {
            int middle = (from + to) / 2;
            TextSpan span = _content.Outermost[middle].Span;
            if (span.Contains(position))
            {
                return middle;
            }

            if (position < span.Start)
            {
                to = middle - 1;
            }
            else
            {
                from = middle + 1;
            }
        }

        return -1;
    }

    /// <summary>The text of an outermost declaration without its methods' bodies, as <see cref="DeclarationText"/> gives it.</summary>
    public string TextOf(int outermost) => _texts[outermost] ??= DeclarationText.Of(_content.Outermost[outermost]);

    private static bool IsNamedAsMessage(AttributeListSyntax list) => list.Attributes.Any(attribute => attribute.Name switch
    {
        SimpleNameSyntax name => IsMessage(name),
        QualifiedNameSyntax name => IsMessage(name.Right),
        AliasQualifiedNameSyntax name => IsMessage(name.Name),
        _ => true,
    });

    private static bool IsMessage(SimpleNameSyntax name) => name.Identifier.ValueText is "QueueMessage" or "QueueMessageAttribute";
}
