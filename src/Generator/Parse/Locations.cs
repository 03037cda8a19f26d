using Microsoft.CodeAnalysis.CSharp.Syntax;

namespace BlitQueue.Generator.Parse;

/// <summary>Finds the source location for a diagnostic.</summary>
internal static class Locations
{
    /// <summary>The location of the member; of the message's identifier if the member is inherited.</summary>
    public static Location? In(INamedTypeSymbol message, ISymbol member)
        => SymbolEqualityComparer.Default.Equals(member.ContainingType, message) && member.Locations is [{ IsInSource: true } location, ..]
            ? location
            : HeaderParser.Declaration(message)?.Identifier.GetLocation();

    /// <summary>The location of the type in the member's declaration.</summary>
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
