using BlitQueue.Generator.Diagnose;
using BlitQueue.Generator.Model;
using Microsoft.CodeAnalysis;

namespace BlitQueue.Generator.Parse;

/// <summary>The methods marked [OnPacking] and so on: those of base classes first, in declaration order.</summary>
internal static class CallbackFinder
{
    private static readonly (string Attribute, CallbackPhase Phase)[] Phases =
    [
        (KnownTypes.OnPacking, CallbackPhase.Packing),
        (KnownTypes.OnPacked, CallbackPhase.Packed),
        (KnownTypes.OnUnpacking, CallbackPhase.Unpacking),
        (KnownTypes.OnUnpacked, CallbackPhase.Unpacked),
    ];

    public static EquatableArray<CallbackModel> Find(INamedTypeSymbol message, Compilation compilation, Findings findings)
    {
        List<CallbackModel> callbacks = [];
        foreach (var type in Lineage.BasesFirst(message))
        {
            foreach (var method in type.GetMembers().OfType<IMethodSymbol>())
            {
                foreach (var (attribute, phase) in Phases)
                {
                    if (IsMarked(method, attribute) && IsUsable(message, method, compilation, findings))
                        callbacks.Add(new CallbackModel(phase, TypeNames.Identifier(method.Name), method.IsStatic ? TypeNames.Code(type) : ""));
                }
            }
        }

        return new EquatableArray<CallbackModel>(callbacks);
    }

    // An override is called where its base is marked already.
    private static bool IsMarked(IMethodSymbol method, string attribute)
    {
        if (!KnownTypes.Has(method, attribute))
            return false;

        for (var overridden = method.OverriddenMethod; overridden is not null; overridden = overridden.OverriddenMethod)
        {
            if (KnownTypes.Has(overridden, attribute))
                return false;
        }

        return true;
    }

    private static bool IsUsable(INamedTypeSymbol message, IMethodSymbol method, Compilation compilation, Findings findings)
    {
        var fault = method.Parameters.Length > 0 ? "it has parameters"
            : method.TypeParameters.Length > 0 ? "it has type parameters"
            : !method.ReturnsVoid ? "it returns something, which nobody would look at or wait for"
            : method.IsAsync ? "it is async, and nobody would wait for it"
            : !compilation.IsSymbolAccessibleWithin(method, message, method.IsStatic ? null : message) ? $"it is out of reach in {TypeNames.Text(method.ContainingType)}"
            : null;
        if (fault is null)
            return true;

        findings.Add(Descriptors.UnusableCallback, Places.In(message, method), method.Name, fault);
        return false;
    }
}
