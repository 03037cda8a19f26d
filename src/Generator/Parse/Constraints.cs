using Microsoft.CodeAnalysis.CSharp;

namespace BlitQueue.Generator.Parse;

/// <summary>Checks the constraints of a type that only generated code names, so that the compiler would report an error there.</summary>
internal static class Constraints
{
    /// <summary>The first argument that breaks a constraint; null if none does.</summary>
    public static string? Broken(INamedTypeSymbol closed, Compilation compilation)
    {
        Dictionary<ITypeParameterSymbol, ITypeSymbol> arguments = Substitution.ArgumentsOf(closed);
        var substitution = new Substitution(compilation, arguments);
        foreach (KeyValuePair<ITypeParameterSymbol, ITypeSymbol> pair in arguments)
        {
            if (IsBroken(pair.Key, pair.Value, substitution, compilation))
            {
                return TypeNames.Text(pair.Value);
            }
        }

        return null;
    }

    private static bool IsBroken(ITypeParameterSymbol parameter, ITypeSymbol argument, Substitution substitution, Compilation compilation)
        => (parameter.HasReferenceTypeConstraint && !argument.IsReferenceType)
        || (parameter.HasValueTypeConstraint && !IsNonNullableValue(argument))
        || (parameter.HasUnmanagedTypeConstraint && !argument.IsUnmanagedType)
        || (parameter.HasConstructorConstraint && !CanBeMade(argument))
        || parameter.ConstraintTypes.Any(constraint => !Is(argument, substitution.In(constraint), compilation));

    private static bool IsNonNullableValue(ITypeSymbol type)
        => type.IsValueType && type.OriginalDefinition.SpecialType != SpecialType.System_Nullable_T;

    private static bool CanBeMade(ITypeSymbol type) => type switch
    {
        ITypeParameterSymbol parameter => parameter.HasConstructorConstraint || parameter.HasValueTypeConstraint,
        INamedTypeSymbol { IsAbstract: false } named => named.IsValueType || named.InstanceConstructors.Any(
            static constructor => constructor.Parameters.IsEmpty && constructor.DeclaredAccessibility == Accessibility.Public),
        _ => type.IsValueType,
    };

    private static bool Is(ITypeSymbol argument, ITypeSymbol constraint, Compilation compilation)
        => compilation.ClassifyConversion(argument, constraint) is { IsIdentity: true } or { IsImplicit: true, IsReference: true }
            or { IsImplicit: true, IsBoxing: true };
}
