using Microsoft.CodeAnalysis.Diagnostics;
using Microsoft.CodeAnalysis.Operations;

namespace BlitQueue.Generator.Diagnose.Usage;

/// <summary>BQ0105: a message is kept, and the next round of the loop fills it again.</summary>
/// <remarks>Silent where the loop sets the local to something else, and about structs, which are copied.</remarks>
internal static class EscapingMessageRule
{
    public static void Check(
        OperationAnalysisContext context, IInvocationOperation call, ILocalReferenceOperation target, ILoopOperation loop)
    {
        if (call.TargetMethod.Parameters[0].RefKind != RefKind.Ref
            || target.Local.Type.IsValueType
            || Operations.Declarator(target.Local, loop) is not null)
        {
            return;
        }

        var inLoop = Operations.References(target.Local, call)
            .Where(reference => loop.Syntax.Span.Contains(reference.Syntax.Span))
            .ToList();
        if (inLoop.Exists(reference => reference.Parent is IAssignmentOperation assignment && assignment.Target == reference))
        {
            return;
        }

        foreach (ILocalReferenceOperation reference in inLoop.Where(reference => Escapes.IsEscaping(reference, loop)))
        {
            context.ReportDiagnostic(Diagnostic.Create(Descriptors.EscapingMessage, reference.Syntax.GetLocation(), target.Local.Name));
        }
    }
}
