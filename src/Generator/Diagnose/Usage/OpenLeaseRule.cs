using Microsoft.CodeAnalysis.Diagnostics;
using Microsoft.CodeAnalysis.Operations;

namespace BlitQueue.Generator.Diagnose.Usage;

/// <summary>
/// BQ0103: code takes a lease and never ends it. Nothing is reported if the lease is handed on: its receiver has to end it.
/// </summary>
internal static class OpenLeaseRule
{
    public static void Check(OperationAnalysisContext context, IInvocationOperation call)
    {
        // TryReceive gives the lease as its out argument, Receive as its result.
        IOperation? taken = call.TargetMethod.ReturnType.SpecialType == SpecialType.System_Boolean
            ? Operations.Argument(call, 0)
            : call;
        // One that may not be there is asked for its value first.
        if (taken is null or { Type.OriginalDefinition.SpecialType: SpecialType.System_Nullable_T })
        {
            return;
        }

        Location? at = taken switch
        {
            IInvocationOperation { Parent: IExpressionStatementOperation } => call.Syntax.GetLocation(),
            IDiscardOperation discard => discard.Syntax.GetLocation(),
            _ when Local(taken) is { } local && IsLeftOpen(local, call) => local.Locations[0],
            _ => null,
        };
        if (at is not null)
        {
            context.ReportDiagnostic(Diagnostic.Create(Descriptors.OpenLease, at));
        }
    }

    private static ILocalSymbol? Local(IOperation taken) => taken switch
    {
        IDeclarationExpressionOperation { Expression: ILocalReferenceOperation declared } => declared.Local,
        ILocalReferenceOperation reference => reference.Local,
        { Parent: IVariableInitializerOperation { Parent: IVariableDeclaratorOperation declarator } } => declarator.Symbol,
        { Parent: ISimpleAssignmentOperation { Target: ILocalReferenceOperation target, Parent: IExpressionStatementOperation } }
            => target.Local,
        _ => null,
    };

    private static bool IsLeftOpen(ILocalSymbol local, IOperation call)
        => !local.IsUsing && !local.IsRef && Operations.References(local, call).All(IsOnlyLook);

    private static bool IsOnlyLook(ILocalReferenceOperation reference) => reference.Parent switch
    {
        IInvocationOperation call => call.TargetMethod.Name is "ReadInto" or "Read",
        IPropertyReferenceOperation => true,
        ISimpleAssignmentOperation assignment => assignment.Target == reference && assignment.Parent is IExpressionStatementOperation,
        IArgumentOperation { Parameter.RefKind: RefKind.Out } => true,
        _ => false,
    };
}
