using Microsoft.CodeAnalysis.Diagnostics;
using Microsoft.CodeAnalysis.Operations;

namespace BlitQueue.Generator.Diagnose.Usage;

/// <summary>BQ0101: a loop unpacks a message into a local that starts as null, or as a new instance, in each iteration.</summary>
/// <remarks>
/// Reports nothing if the message may be needed after its iteration: it is returned, stored, captured or added to a collection. With the
/// local outside of the loop, all of them would be the same instance. The rule does not look into other methods of the project.
/// </remarks>
internal static class FreshInLoopRule
{
    public static void Check(
        OperationAnalysisContext context, IInvocationOperation call, ILocalReferenceOperation target, ILoopOperation loop)
    {
        if (target.Local.Type.IsUnmanagedType
            || Operations.Declarator(target.Local, loop) is not { } declarator
            || !IsFresh(declarator))
        {
            return;
        }

        foreach (ILocalReferenceOperation reference in Operations.References(target.Local, call))
        {
            if (Outlives(reference, call))
            {
                return;
            }
        }

        context.ReportDiagnostic(Diagnostic.Create(
            Descriptors.FreshInLoop, target.Syntax.GetLocation(), [declarator.Syntax.GetLocation()], target.Local.Name));
    }

    private static bool IsFresh(IVariableDeclaratorOperation declarator)
        => declarator.GetVariableInitializer() is not { } initializer
        || Operations.Bare(initializer.Value) is IDefaultValueOperation or IObjectCreationOperation
        or { ConstantValue: { HasValue: true, Value: null } };

    private static bool Outlives(ILocalReferenceOperation reference, IOperation call)
    {
        for (IOperation? around = reference.Parent; around is not null; around = around.Parent)
        {
            if (Operations.IsFunction(around) && !around.Syntax.Span.Contains(call.Syntax.Span))
            {
                return true;
            }
        }

        return PossibleEscapes.Carrier(reference).Parent switch
        {
            // Assigned in another statement: the value may be an instance that is used again.
            IAssignmentOperation => true,
            IReturnOperation or IVariableInitializerOperation or IArrayInitializerOperation or ICollectionExpressionOperation
                or IObjectOrCollectionInitializerOperation => true,
            IArgumentOperation argument => PossibleEscapes.MayEscape(argument),
            var parent => PossibleEscapes.Carrier(reference) is ITupleOperation || parent is ITupleOperation,
        };
    }
}
