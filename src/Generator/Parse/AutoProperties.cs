using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp.Syntax;

namespace BlitQueue.Generator.Parse;

/// <summary>Whether a property keeps a value of its own, and whether reading or setting it runs code.</summary>
internal static class AutoProperties
{
    public static bool HasStorage(IPropertySymbol property)
    {
        foreach (var member in property.ContainingType.GetMembers())
        {
            if (member is IFieldSymbol { AssociatedSymbol: { } owner } && SymbolEqualityComparer.Default.Equals(owner, property))
                return true;
        }

        return IsCompiledAuto(property);
    }

    public static bool HasGetterBody(IPropertySymbol property) => HasBody(property, property.GetMethod);

    public static bool HasSetterBody(IPropertySymbol property) => HasBody(property, property.SetMethod);

    private static bool HasBody(IPropertySymbol property, IMethodSymbol? method)
    {
        if (method is null)
            return false;

        // Of a compiled property only this mark says that the compiler wrote its methods.
        if (method.DeclaringSyntaxReferences is not [var reference, ..])
            return property.DeclaringSyntaxReferences.IsEmpty && !IsCompiledAuto(property);

        return reference.GetSyntax() switch
        {
            AccessorDeclarationSyntax accessor => accessor.Body is not null || accessor.ExpressionBody is not null,
            ParameterSyntax => false,
            _ => true,
        };
    }

    private static bool IsCompiledAuto(IPropertySymbol property)
        => property.DeclaringSyntaxReferences.IsEmpty
        && property.GetMethod is { } getter
        && KnownTypes.Has(getter, KnownTypes.CompilerGenerated);
}
