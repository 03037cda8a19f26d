using Microsoft.CodeAnalysis.CSharp.Syntax;

namespace BlitQueue.Generator.Parse;

/// <summary>Where in the source a finding belongs.</summary>
internal static class Locations
{
    /// <summary>The member itself, or the message's identifier when the member is inherited.</summary>
    public static Location? In(INamedTypeSymbol message, ISymbol member)
        => SymbolEqualityComparer.Default.Equals(member.ContainingType, message) && member.Locations is [{ IsInSource: true } location, ..]
            ? location
            : HeaderParser.Declaration(message)?.Identifier.GetLocation();

    /// <summary>The type that the member is declared with.</summary>
    public static Location? OfType(INamedTypeSymbol message, ISymbol member)
    {
        bool isOwn = SymbolEqualityComparer.Default.Equals(member.ContainingType, message);
        return isOwn && member.DeclaringSyntaxReferences is [var reference, ..] && TypeOf(reference.GetSyntax()) is { } type
            ? type.GetLocation()
            : In(message, member);
    }

    /// <summary>The part of a partial type that declares the member; null for a compiled one.</summary>
    public static SyntaxNode? Part(ISymbol member)
        => member.DeclaringSyntaxReferences is [var reference, ..]
            ? reference.GetSyntax().FirstAncestorOrSelf<TypeDeclarationSyntax>()
            : null;

    private static TypeSyntax? TypeOf(SyntaxNode declaration) => declaration switch
    {
        BasePropertyDeclarationSyntax property => property.Type,
        ParameterSyntax parameter => parameter.Type,
        VariableDeclaratorSyntax { Parent: VariableDeclarationSyntax variables } => variables.Type,
        _ => null,
    };
}
