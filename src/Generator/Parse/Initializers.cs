using Microsoft.CodeAnalysis.CSharp.Syntax;

namespace BlitQueue.Generator.Parse;

/// <summary>Finds out which members of a new message may have a value before unpacking sets any.</summary>
internal static class Initializers
{
    /// <summary>Whether construction may set the member; true if its source is not available.</summary>
    public static bool MaySet(INamedTypeSymbol message, ISymbol member)
    {
        for (INamedTypeSymbol? type = message; type is not null; type = type.BaseType)
        {
            if (type.DeclaringSyntaxReferences.IsEmpty || type.InstanceConstructors.Any(HasBody))
            {
                return true;
            }

            if (SymbolEqualityComparer.Default.Equals(type, member.ContainingType))
            {
                break;
            }
        }

        return member.IsVirtual || member.IsAbstract || member.IsOverride
            || member.DeclaringSyntaxReferences.Any(reference => IsInitialized(reference.GetSyntax()));
    }

    private static bool HasBody(IMethodSymbol constructor)
        => constructor.DeclaringSyntaxReferences.Any(reference => reference.GetSyntax() is ConstructorDeclarationSyntax);

    private static bool IsInitialized(SyntaxNode declaration) => declaration switch
    {
        VariableDeclaratorSyntax { Initializer: null } => false,
        PropertyDeclarationSyntax { Initializer: null, AccessorList.Accessors: var accessors }
            => accessors.Any(accessor => accessor.Body is not null || accessor.ExpressionBody is not null),
        _ => true,
    };
}
