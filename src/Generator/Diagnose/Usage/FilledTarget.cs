using Microsoft.CodeAnalysis.Operations;

namespace BlitQueue.Generator.Diagnose.Usage;

/// <summary>The variable that a call of the library unpacks into: a local, a parameter, or a field of its own class.</summary>
internal sealed class FilledTarget
{
    private readonly ISymbol _symbol;

    private FilledTarget(ISymbol symbol, ITypeSymbol type, IOperation reference)
    {
        _symbol = symbol;
        Type = type;
        Reference = reference;
    }

    /// <summary>The target's type.</summary>
    public ITypeSymbol Type { get; }

    /// <summary>The call's reference to the target.</summary>
    public IOperation Reference { get; }

    /// <summary>The target's name.</summary>
    public string Name => _symbol.Name;

    /// <summary>The target that a call fills; null for a call that fills none.</summary>
    public static FilledTarget? Of(IInvocationOperation call)
    {
        if (!IsLibrary(call.TargetMethod.ContainingType))
        {
            return null;
        }

        foreach (IArgumentOperation argument in call.Arguments)
        {
            if (argument is { ArgumentKind: ArgumentKind.Explicit, Parameter: { } parameter } && IsFilled(parameter)
                && Operations.Bare(argument.Value) is var reference && SymbolOf(reference) is { } symbol)
            {
                return new FilledTarget(symbol, reference.Type!, reference);
            }
        }

        return null;
    }

    /// <summary>Whether an operation names the target.</summary>
    public bool IsNamedBy(IOperation operation) => SymbolEqualityComparer.Default.Equals(SymbolOf(operation), _symbol);

    /// <summary>All references to the target in a body, except in the call itself and in declarations.</summary>
    public IEnumerable<IOperation> References(IOperation root)
        => root.Descendants().Where(operation => operation != Reference && IsNamedBy(operation));

    /// <summary>Whether the target is declared inside a loop or function: then each iteration or call has its own.</summary>
    public bool IsDeclaredIn(IOperation scope) => _symbol is not IFieldSymbol && _symbol.DeclaringSyntaxReferences.Any(
        part => part.SyntaxTree == scope.Syntax.SyntaxTree && scope.Syntax.Span.Contains(part.Span));

    // A ref parameter, or one that is read, filled and returned, as in DequeueAsync(order).
    private static bool IsFilled(IParameterSymbol parameter)
        => parameter.OriginalDefinition.Type is ITypeParameterSymbol
        && (parameter.RefKind == RefKind.Ref || (parameter.RefKind == RefKind.None && parameter.Name is "reuse" or "into"));

    private static ISymbol? SymbolOf(IOperation operation) => operation switch
    {
        ILocalReferenceOperation { IsDeclaration: false } local => local.Local,
        IParameterReferenceOperation parameter => parameter.Parameter,
        IFieldReferenceOperation { Instance: null or IInstanceReferenceOperation } field => field.Field,
        _ => null,
    };

    private static bool IsLibrary(ITypeSymbol type)
        => type.ContainingNamespace is { Name: "BlitQueue", ContainingNamespace.IsGlobalNamespace: true }
            or { Name: "Views", ContainingNamespace: { Name: "BlitQueue", ContainingNamespace.IsGlobalNamespace: true } };
}
