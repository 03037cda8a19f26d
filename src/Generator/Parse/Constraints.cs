using Microsoft.CodeAnalysis.CSharp;

namespace BlitQueue.Generator.Parse;

/// <summary>What the compiler asks of the arguments of a type that only generated code names.</summary>
internal static class Constraints
{
    /// <summary>The first argument that a constraint forbids; null where all may stand there.</summary>
    public static string? Broken(INamedTypeSymbol closed, Compilation compilation)
    {
        Dictionary<ITypeParameterSymbol, ITypeSymbol> arguments = Substitution.ArgumentsOf(closed);
        var substitution = new Substitution(compilation, arguments);
        foreach (KeyValuePair<ITypeParameterSymbol, ITypeSymbol> place in arguments)
        {
            if (IsBroken(place.Key, place.Value, substitution, compilation))
            {
                return TypeNames.Text(place.Value);
            }
        }

        return null;
    }

    private static bool IsBroken(ITypeParameterSymbol parameter, ITypeSymbol argument, Substitution substitution, Compilation compilation)
        => (parameter.HasReferenceTypeConstraint && !argument.IsReferenceType)
        || (parameter.HasValueTypeConstraint && !IsPlainValue(argument))
        || (parameter.HasUnmanagedTypeConstraint && !argument.IsUnmanagedType)
        || (parameter.HasConstructorConstraint && !CanBeMade(argument))
        || parameter.ConstraintTypes.Any(constraint => !Is(argument, substitution.In(constraint), compilation));

    private static bool IsPlainValue(ITypeSymbol type)
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
