using System.Text;
using Microsoft.CodeAnalysis.CSharp;
using Microsoft.CodeAnalysis.CSharp.Syntax;

namespace BlitQueue.Generator.Caching;

/// <summary>Visits a file's namespaces and types, but not the bodies of their members.</summary>
internal sealed class FileReader
{
    private readonly StringBuilder _outline = new();
    private readonly List<MemberDeclarationSyntax> _outermost = [];
    private readonly List<TypeDeclarationSyntax> _types = [];
    private readonly CancellationToken _cancellation;
    private bool _hasStatements;

    private FileReader(CancellationToken cancellation) => _cancellation = cancellation;

    public string Outline { get; private set; } = "";

    /// <summary>Types, enums and delegates that are not nested.</summary>
    public IReadOnlyList<MemberDeclarationSyntax> Outermost => _outermost;

    public IReadOnlyList<TypeDeclarationSyntax> Types => _types;

    public bool HasAlias { get; private set; }

    public bool HasGlobalAlias { get; private set; }

    public bool HasStaticUsing { get; private set; }

    public bool HasGlobalStaticUsing { get; private set; }

    public static FileReader Read(SyntaxTree tree, CancellationToken cancellation)
    {
        var reader = new FileReader(cancellation);
        var root = (CompilationUnitSyntax)tree.GetRoot(cancellation);
        reader.ReadOptions(tree, root);
        reader.ReadUsings(root.Externs, root.Usings);
        reader.ReadAttributes(root.AttributeLists);
        reader.ReadMembers(root.Members, isOutermost: true);
        reader.Outline = reader._outline.ToString();
        return reader;
    }

    private void ReadOptions(SyntaxTree tree, CompilationUnitSyntax root)
    {
        var options = (CSharpParseOptions)tree.Options;
        Write(tree.FilePath);
        Write(options.Kind.ToString());
        Write(options.LanguageVersion.ToString());
        foreach (KeyValuePair<string, string> feature in options.Features.OrderBy(feature => feature.Key, StringComparer.Ordinal))
        {
            Write(feature.Key + "=" + feature.Value);
        }

        // In generated code, nullable annotations are off by default, whatever the project sets. The compiler knows generated code by this
        // comment.
        foreach (SyntaxTrivia trivia in root.GetLeadingTrivia())
        {
            if (trivia.ToString() is var text && text.Contains("<auto"))
            {
                Write(text);
            }
        }
    }

    private void ReadUsings(SyntaxList<ExternAliasDirectiveSyntax> externs, SyntaxList<UsingDirectiveSyntax> usings)
    {
        foreach (ExternAliasDirectiveSyntax directive in externs)
        {
            WriteTokens(directive);
        }

        foreach (UsingDirectiveSyntax directive in usings)
        {
            WriteTokens(directive);
            bool isGlobal = directive.GlobalKeyword.IsKind(SyntaxKind.GlobalKeyword);
            bool isStatic = directive.StaticKeyword.IsKind(SyntaxKind.StaticKeyword);
            HasAlias |= directive.Alias is not null;
            HasGlobalAlias |= isGlobal && directive.Alias is not null;
            HasStaticUsing |= isStatic;
            HasGlobalStaticUsing |= isGlobal && isStatic;
        }
    }

    // Attributes of the assembly: one that names a type (PackWith) applies in every message.
    private void ReadAttributes(SyntaxList<AttributeListSyntax> lists)
    {
        foreach (AttributeListSyntax list in lists)
        {
            WriteTokens(list);
        }
    }

    private void ReadMembers(SyntaxList<MemberDeclarationSyntax> members, bool isOutermost)
    {
        foreach (MemberDeclarationSyntax member in members)
        {
            _cancellation.ThrowIfCancellationRequested();
            if (isOutermost && member is BaseTypeDeclarationSyntax or DelegateDeclarationSyntax)
            {
                _outermost.Add(member);
            }

            ReadMember(member);
        }
    }

    private void ReadMember(MemberDeclarationSyntax member)
    {
        switch (member)
        {
            case BaseNamespaceDeclarationSyntax space:
                Open(SyntaxKind.NamespaceDeclaration);
                WriteTokens(space.Name);
                ReadUsings(space.Externs, space.Usings);
                ReadMembers(space.Members, isOutermost: true);
                Close();
                break;
            case TypeDeclarationSyntax type:
                _types.Add(type);
                Open(type.Kind());
                WriteHeader(type, type.Identifier);
                WriteTokens(type.TypeParameterList);
                foreach (TypeParameterConstraintClauseSyntax constraint in type.ConstraintClauses)
                {
                    WriteTokens(constraint);
                }

                ReadMembers(type.Members, isOutermost: false);
                Close();
                break;
            case BaseTypeDeclarationSyntax type:
                Open(type.Kind());
                WriteHeader(type, type.Identifier);
                Close();
                break;
            case DelegateDeclarationSyntax type:
                Open(SyntaxKind.DelegateDeclaration);
                WriteTokens(type.Modifiers);
                Write(type.Identifier.Text);
                WriteTokens(type.TypeParameterList);
                Close();
                break;
            case GlobalStatementSyntax when !_hasStatements:
                // Top-level statements declare the type Program.
                _hasStatements = true;
                Write("");
                break;
        }
    }

    private void WriteHeader(BaseTypeDeclarationSyntax type, SyntaxToken name)
    {
        WriteTokens(type.Modifiers);
        Write(name.Text);
        WriteTokens(type.BaseList);
    }

    private void Open(SyntaxKind kind) => _outline.Append('{').Append((int)kind).Append(' ');

    private void Close() => _outline.Append('}');

    private void WriteTokens(SyntaxNode? node)
    {
        if (node is null)
        {
            return;
        }

        foreach (SyntaxToken token in node.DescendantTokens())
        {
            Write(token.Text);
        }
    }

    private void WriteTokens(SyntaxTokenList tokens)
    {
        foreach (SyntaxToken token in tokens)
        {
            Write(token.Text);
        }
    }

    private void Write(string text) => DeclarationText.Write(_outline, text);
}
