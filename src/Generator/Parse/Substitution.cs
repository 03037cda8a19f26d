namespace BlitQueue.Generator.Parse;

/// <summary>Replaces type parameters by types. The results have neither nullable annotations nor names of tuple elements.</summary>
internal sealed class Substitution
{
    private readonly Compilation _compilation;
    private readonly IReadOnlyDictionary<ITypeParameterSymbol, ITypeSymbol> _arguments;

    public Substitution(Compilation compilation, IReadOnlyDictionary<ITypeParameterSymbol, ITypeSymbol> arguments)
    {
        _compilation = compilation;
        _arguments = arguments;
    }

    /// <summary>The arguments of a type and of those around it, by their parameters.</summary>
    public static Dictionary<ITypeParameterSymbol, ITypeSymbol> ArgumentsOf(INamedTypeSymbol type)
    {
        Dictionary<ITypeParameterSymbol, ITypeSymbol> arguments = new(SymbolEqualityComparer.Default);
        for (INamedTypeSymbol? part = type; part is not null; part = part.ContainingType)
        {
            for (int i = 0; i < part.Arity; i++)
            {
                arguments[part.OriginalDefinition.TypeParameters[i]] = part.TypeArguments[i];
            }
        }

        return arguments;
    }

    /// <summary>A substitution that replaces nothing.</summary>
    public static Substitution None(Compilation compilation)
        => new(compilation, new Dictionary<ITypeParameterSymbol, ITypeSymbol>(SymbolEqualityComparer.Default));

    /// <summary>The arguments of a type or method and of the types around it, by their parameters.</summary>
    public static Dictionary<ITypeParameterSymbol, ITypeSymbol> ArgumentsOf(ISymbol symbol)
    {
        if (symbol is not IMethodSymbol method)
        {
            return ArgumentsOf((INamedTypeSymbol)symbol);
        }

        Dictionary<ITypeParameterSymbol, ITypeSymbol> arguments = ArgumentsOf(method.ContainingType);
        for (int i = 0; i < method.Arity; i++)
        {
            arguments[method.OriginalDefinition.TypeParameters[i]] = method.TypeArguments[i];
        }

        return arguments;
    }

    public ISymbol In(ISymbol symbol) => symbol switch
    {
        ITypeSymbol type => In(type),
        IMethodSymbol method => In(method),
        _ => symbol,
    };

    public ITypeSymbol In(ITypeSymbol type) => type switch
    {
        ITypeParameterSymbol parameter => _arguments.TryGetValue(parameter, out ITypeSymbol? argument) ? argument : parameter,
        IArrayTypeSymbol array => _compilation.CreateArrayTypeSymbol(In(array.ElementType), array.Rank),
        INamedTypeSymbol named => In(named),
        _ => type,
    };

    public INamedTypeSymbol In(INamedTypeSymbol type)
    {
        INamedTypeSymbol named = type.TupleUnderlyingType ?? type;
        INamedTypeSymbol definition = named.OriginalDefinition;
        if (named.ContainingType is { } outer && IsGeneric(outer))
        {
            // An error type has no members.
            if (In(outer).GetTypeMembers(named.Name, named.Arity) is not [var nested, ..])
            {
                return type;
            }

            definition = nested;
        }

        return named.Arity == 0 ? definition : definition.Construct([.. named.TypeArguments.Select(In)]);
    }

    private IMethodSymbol In(IMethodSymbol method)
    {
        // A local function is no member of the type around it.
        INamedTypeSymbol? outer = method.MethodKind == MethodKind.LocalFunction ? null : In(method.ContainingType);
        IMethodSymbol definition = outer?.GetMembers(method.Name).OfType<IMethodSymbol>()
            .FirstOrDefault(member => SymbolEqualityComparer.Default.Equals(member.OriginalDefinition, method.OriginalDefinition))
            ?? method.OriginalDefinition;
        return method.Arity == 0 ? definition : definition.Construct([.. method.TypeArguments.Select(In)]);
    }

    private static bool IsGeneric(INamedTypeSymbol? type) => type is not null && (type.Arity > 0 || IsGeneric(type.ContainingType));
}
