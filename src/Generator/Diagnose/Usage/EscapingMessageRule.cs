using Microsoft.CodeAnalysis.Diagnostics;
using Microsoft.CodeAnalysis.Operations;

namespace BlitQueue.Generator.Diagnose.Usage;

/// <summary>BQ0105: a message, or a part of it, is kept, and the next round of the loop fills it again.</summary>
/// <remarks>
/// Silent where the loop sets the target to something else, ends with what is kept, or keeps it no longer than a round; and about messages
/// of which unpacking makes new ones.
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

        // Two calls may fill one target in a loop: what is kept is reported once.
        var earlier = Earlier(call, target, root).SelectMany(other => Round.Around(other, target)).ToList();
        foreach (IOperation reference in target.References(root))
        {
            if (rounds.Exists(round => IsKept(reference, round, target)) && !earlier.Exists(round => IsKept(reference, round, target)))
            {
                context.ReportDiagnostic(Diagnostic.Create(
                    Descriptors.EscapingMessage, reference.Syntax.GetLocation(), [target.Reference.Syntax.GetLocation()], target.Name));
            }
        }
    }

    private static bool IsKept(IOperation reference, Round round, FilledTarget target)
        => round.Has(reference) && !round.EndsAfter(reference) && !round.Sets(target) && new Keeping(round, target).IsKept(reference);

    private static IEnumerable<IInvocationOperation> Earlier(IInvocationOperation call, FilledTarget target, IOperation root)
        => root.Descendants().OfType<IInvocationOperation>().Where(other => other.Syntax.SpanStart < call.Syntax.SpanStart
            && FilledTarget.Of(other) is { } filled && target.IsNamedBy(filled.Reference));
}
