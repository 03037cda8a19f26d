using BlitQueue.Generator.Diagnose;

namespace BlitQueue.Generator.Parse;

/// <summary>Finds the methods marked [OnPacking] and so on: those of base classes first, in the order of their declaration.</summary>
internal static class CallbackFinder
{
    private static readonly (string Attribute, CallbackPhase Phase)[] Phases =
    [
        (KnownTypes.OnPacking, CallbackPhase.Packing),
        (KnownTypes.OnPacked, CallbackPhase.Packed),
        (KnownTypes.OnUnpacking, CallbackPhase.Unpacking),
        (KnownTypes.OnUnpacked, CallbackPhase.Unpacked),
    ];

    public static EquatableArray<CallbackModel> Find(INamedTypeSymbol message, Compilation compilation, DiagnosticBag diagnostics)
    {
        List<CallbackModel> callbacks = [];
        foreach (INamedTypeSymbol type in BaseTypes.BasesFirst(message))
        {
            foreach (IMethodSymbol method in type.GetMembers().OfType<IMethodSymbol>())
            {
                foreach ((string? attribute, CallbackPhase phase) in Phases)
                {
                    if (IsMarked(method, attribute) && IsUsable(message, method, compilation, diagnostics))
                    {
                        callbacks.Add(Model(phase, method));
                    }
                }
            }
        }

        return new EquatableArray<CallbackModel>(callbacks);
    }

    private static CallbackModel Model(CallbackPhase phase, IMethodSymbol method)
        => new(
            phase, TypeNames.Identifier(method.Name), method.IsStatic ? TypeNames.Code(method.ContainingType) : "",
            UserMarks.IsObsoleteAsError(method));

    // Not an override of a marked method: the call of that method calls it.
    private static bool IsMarked(IMethodSymbol method, string attribute)
    {
        if (!KnownTypes.Has(method, attribute))
        {
            return false;
        }

        for (IMethodSymbol? overridden = method.OverriddenMethod; overridden is not null; overridden = overridden.OverriddenMethod)
        {
            if (KnownTypes.Has(overridden, attribute))
            {
                return false;
            }
        }

        return true;
    }

    private static bool IsInReach(INamedTypeSymbol message, IMethodSymbol method, Compilation compilation)
        => compilation.IsSymbolAccessibleWithin(method, message, method.IsStatic ? null : message);

    private static bool IsHidden(INamedTypeSymbol message, IMethodSymbol method)
    {
        if (method.IsStatic)
        {
            return false;
        }

        for (INamedTypeSymbol type = message; !SymbolEqualityComparer.Default.Equals(type, method.ContainingType); type = type.BaseType!)
        {
            if (type.GetMembers(method.Name).Any(other => other is { IsOverride: false } and not IMethodSymbol { Parameters.Length: > 0 }))
            {
                return true;
            }
        }

        return false;
    }

    private static bool IsUsable(INamedTypeSymbol message, IMethodSymbol method, Compilation compilation, DiagnosticBag diagnostics)
    {
        string? fault = method.Parameters.Length > 0 ? "it has parameters"
            : method.TypeParameters.Length > 0 ? "it has type parameters"
            : !method.ReturnsVoid ? "it returns something, which no code would look at or wait for"
            : method.IsAsync ? "it is async, and no code would wait for it"
            : IsHidden(message, method) ? $"a method of its name hides it in {TypeNames.Text(message)}"
            : !IsInReach(message, method, compilation) ? $"it is out of reach in {TypeNames.Text(method.ContainingType)}"
            : null;
        if (fault is null)
        {
            return true;
        }

        diagnostics.Add(Descriptors.UnusableCallback, Locations.In(message, method), method.Name, fault);
        return false;
    }
}
