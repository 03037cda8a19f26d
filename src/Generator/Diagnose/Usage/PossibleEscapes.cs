using Microsoft.CodeAnalysis.Operations;

namespace BlitQueue.Generator.Diagnose.Usage;

/// <summary>Where a message goes that is referred to, and whether it may be kept there.</summary>
internal static class Escapes
{
    /// <summary>Perhaps kept: by a constructor, a task, or code that may be anybody's.</summary>
    public static bool MayEscape(IArgumentOperation argument) => argument.Parent switch
    {
        _ when argument.Parameter?.RefKind is RefKind.Ref or RefKind.Out => false,
        IObjectCreationOperation => true,
        IInvocationOperation call => Keepers.IsCollection(call) || IsUnawaited(call) || IsOthers(call.TargetMethod),
        _ => false,
    };

    /// <summary>The value with all that carries it on as it is.</summary>
    public static IOperation Carrier(IOperation value)
    {
        while (value.Parent is IConversionOperation or IParenthesizedOperation or IConditionalOperation or ICoalesceOperation
            or ITupleOperation or IDelegateCreationOperation)
        {
            value = value.Parent;
        }

        return value;
    }

    // What has been begun goes on in the next round.
    private static bool IsUnawaited(IInvocationOperation call)
        => Keepers.IsTask(call.Type) && Carrier(call).Parent switch
        {
            IExpressionStatementOperation => true,
            ISimpleAssignmentOperation { Target: IDiscardOperation } => true,
            IArgumentOperation { Parent: IInvocationOperation outer } => Keepers.IsCollection(outer),
            _ => false,
        };

    // Code that stands in no project here, or that another may stand for. What the framework keeps are
    // tasks and collections; a queue keeps bytes.
    private static bool IsOthers(IMethodSymbol method)
        => method.MethodKind == MethodKind.DelegateInvoke || method.IsVirtual || method.IsAbstract
        || (method.IsOverride && !method.IsSealed)
            || (method.DeclaringSyntaxReferences.IsEmpty && !Framework.Has(method.ContainingType, part: null)
                && !IsQueues(method.ContainingType));

    private static bool IsQueues(ITypeSymbol type)
        => type.ContainingNamespace is { Name: "BlitQueue", ContainingNamespace.IsGlobalNamespace: true };
}
