using Microsoft.CodeAnalysis.Operations;

namespace BlitQueue.Generator.Diagnose.Usage;

/// <summary>Finds out where a reference to a message goes, and whether the message may be stored there.</summary>
internal static class PossibleEscapes
{
    /// <summary>
    /// Whether the argument may be stored: by a constructor, a task that is not awaited, or code that the analyzer does not know.
    /// </summary>
    public static bool MayEscape(IArgumentOperation argument) => argument.Parent switch
    {
        _ when argument.Parameter?.RefKind is RefKind.Ref or RefKind.Out => false,
        IObjectCreationOperation => true,
        IInvocationOperation call => StoringCalls.IsCollection(call) || IsUnawaited(call) || IsOthers(call.TargetMethod),
        _ => false,
    };

    /// <summary>The outermost expression around a value that still has this value as its result.</summary>
    public static IOperation Carrier(IOperation value)
    {
        while (value.Parent is IConversionOperation or IParenthesizedOperation or IConditionalOperation or ICoalesceOperation
            or ITupleOperation or IDelegateCreationOperation)
        {
            value = value.Parent;
        }

        return value;
    }

    // A task that is not awaited still runs in the next iteration.
    private static bool IsUnawaited(IInvocationOperation call)
        => StoringCalls.IsTask(call.Type) && Carrier(call).Parent switch
        {
            IExpressionStatementOperation => true,
            ISimpleAssignmentOperation { Target: IDiscardOperation } => true,
            IArgumentOperation { Parent: IInvocationOperation outer } => StoringCalls.IsCollection(outer),
            _ => false,
        };

    // Unknown code: a delegate, an overridable method, or a method of another assembly. Methods of .NET that store their arguments are
    // those of tasks and collections, which are checked above; a queue stores bytes.
    private static bool IsOthers(IMethodSymbol method)
        => method.MethodKind == MethodKind.DelegateInvoke || method.IsVirtual || method.IsAbstract
        || (method.IsOverride && !method.IsSealed)
            || (method.DeclaringSyntaxReferences.IsEmpty && !Framework.Has(method.ContainingType, part: null)
                && !IsQueues(method.ContainingType));

    private static bool IsQueues(ITypeSymbol type)
        => type.ContainingNamespace is { Name: "BlitQueue", ContainingNamespace.IsGlobalNamespace: true };
}
