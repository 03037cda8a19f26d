using Microsoft.CodeAnalysis.Diagnostics;
using Microsoft.CodeAnalysis.Operations;

namespace BlitQueue.Generator.Diagnose.Usage;

/// <summary>BQ0105: code stores a message, or a part of it, and the loop's next iteration overwrites it.</summary>
/// <remarks>
/// Reports nothing if the loop assigns another instance to the target, ends right after the message is stored, or stores it no longer than
/// one iteration; and nothing for messages that are unpacked into a new instance each time.
/// </remarks>
internal static class EscapingMessageRule
{
    public static void Check(OperationAnalysisContext context, IInvocationOperation call)
    {
        if (FilledTarget.Of(call) is not { } target || !FilledTypes.IsFilled(target.Type))
        {
            return;
        }

        IOperation root = Operations.Root(call);
        List<Round> rounds = [.. Round.Around(call, target)];
        if (rounds.Count == 0)
        {
            return;
        }

        // Two calls in a loop may fill one target: each reference is reported once.
        var earlier = Earlier(call, target, root).SelectMany(other => Round.Around(other, target)).ToList();
        foreach (IOperation reference in target.References(root))
        {
            if (rounds.Exists(round => Escapes(reference, round, target)) && !earlier.Exists(round => Escapes(reference, round, target)))
            {
                context.ReportDiagnostic(Diagnostic.Create(
                    Descriptors.EscapingMessage, reference.Syntax.GetLocation(), [target.Reference.Syntax.GetLocation()], target.Name));
            }
        }
    }

    private static bool Escapes(IOperation reference, Round round, FilledTarget target)
        => round.Has(reference) && !round.EndsAfter(reference) && !round.Sets(target)
        && new EscapeAnalysis(round, target).Escapes(reference);

    private static IEnumerable<IInvocationOperation> Earlier(IInvocationOperation call, FilledTarget target, IOperation root)
        => root.Descendants().OfType<IInvocationOperation>().Where(other => other.Syntax.SpanStart < call.Syntax.SpanStart
            && FilledTarget.Of(other) is { } filled && target.IsNamedBy(filled.Reference));
}
