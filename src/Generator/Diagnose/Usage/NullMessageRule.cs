using Microsoft.CodeAnalysis.Diagnostics;
using Microsoft.CodeAnalysis.Operations;

namespace BlitQueue.Generator.Diagnose.Usage;

/// <summary>BQ0104: null is written where a message is enqueued. What only may be null is the compiler's to find.</summary>
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
            // A null in the source, not the default of a struct, which is a message.
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
