using Microsoft.CodeAnalysis.Diagnostics;
using Microsoft.CodeAnalysis.Operations;

namespace BlitQueue.Generator.Diagnose.Usage;

/// <summary>BQ0104: the source enqueues a literal null. The compiler reports values that may be null.</summary>
internal static class NullMessageRule
{
    public static void Check(OperationAnalysisContext context, IInvocationOperation call)
    {
        if (Operations.Argument(call, 0) is not { } argument)
        {
            return;
        }

        foreach (IOperation message in call.TargetMethod.Name == "EnqueueBatch" ? Elements(Operations.Bare(argument)) : [argument])
        {
            // Not the default of a struct, which is a message.
            if (message.Type?.IsReferenceType != false
                && Operations.Bare(message) is { ConstantValue: { HasValue: true, Value: null } } value)
            {
                context.ReportDiagnostic(Diagnostic.Create(Descriptors.NullMessage, value.Syntax.GetLocation(), call.TargetMethod.Name));
            }
        }
    }

    private static IEnumerable<IOperation> Elements(IOperation messages) => messages switch
    {
        IArrayCreationOperation { Initializer: { } initializer } => initializer.ElementValues,
        ICollectionExpressionOperation collection => collection.Elements,
        _ => [],
    };
}
