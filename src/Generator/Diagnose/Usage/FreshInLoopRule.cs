using Microsoft.CodeAnalysis.Diagnostics;
using Microsoft.CodeAnalysis.Operations;

namespace BlitQueue.Generator.Diagnose.Usage;

/// <summary>BQ0101: a message is unpacked into a local that begins as null, or as new, in each round of a loop.</summary>
/// <remarks>
/// Silent where the message may be needed after its round: it is returned, stored, captured or added to a collection. Moving its local out
/// of the loop would then make all of them one. What another method of the project does with it cannot be seen.
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

        return Escapes.Carrier(reference).Parent switch
        {
            // Given a value elsewhere: it may be an instance that is used again.
            IAssignmentOperation => true,
            IReturnOperation or IVariableInitializerOperation or IArrayInitializerOperation or ICollectionExpressionOperation
                or IObjectOrCollectionInitializerOperation => true,
            IArgumentOperation argument => Escapes.MayEscape(argument),
            var parent => Escapes.Carrier(reference) is ITupleOperation || parent is ITupleOperation,
        };
    }
}
