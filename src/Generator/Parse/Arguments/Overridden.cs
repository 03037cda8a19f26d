namespace BlitQueue.Generator.Parse.Arguments;

/// <summary>The methods through which a method can also be called.</summary>
internal static class Overridden
{
    /// <summary>The base class's method and the interfaces' methods. Generic interfaces are not looked at.</summary>
    public static IEnumerable<IMethodSymbol> By(IMethodSymbol method)
    {
        if (method.OverriddenMethod is { } overridden)
        {
            yield return overridden.OriginalDefinition;
        }

        foreach (IMethodSymbol contract in method.ExplicitInterfaceImplementations)
        {
            yield return contract.OriginalDefinition;
        }

        foreach (INamedTypeSymbol contract in method.ContainingType.AllInterfaces.Where(static contract => contract.Arity == 0))
        {
            foreach (IMethodSymbol member in contract.GetMembers(method.Name).OfType<IMethodSymbol>())
            {
                ISymbol? implementation = method.ContainingType.FindImplementationForInterfaceMember(member);
                if (SymbolEqualityComparer.Default.Equals(implementation, method))
                {
                    yield return member;
                }
            }
        }
    }
}
