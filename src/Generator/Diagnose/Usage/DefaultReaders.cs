using Microsoft.CodeAnalysis.CSharp;
using Microsoft.CodeAnalysis.CSharp.Syntax;

namespace BlitQueue.Generator.Diagnose.Usage;

/// <summary>What takes messages from a queue's default subscription, by the names of the methods.</summary>
internal static class DefaultReaders
{
    // What the queue itself consumes, or asks of, is that subscription.
    private static readonly HashSet<string> Names = new(StringComparer.Ordinal)
    {
        "TryDequeue", "Dequeue", "DequeueAsync", "ReadAllAsync", "ReceiveAllAsync", "ProcessAsync", "AsChannelReader", "TryPeek",
        "SkipCorrupt", "DeleteSubscription",
    };

    // Their options name a subscription.
    private static readonly HashSet<string> OtherPackages = new(StringComparer.Ordinal) { "AddForwarder", "Forwarder" };

    public static bool Contains(string method) => Names.Contains(method);

    /// <summary>
    /// Whether a file may read that subscription, or say that a host's queue has none; by its text alone, so that it need not be bound.
    /// </summary>
    public static bool MayReadOne(SyntaxTree tree)
    {
        SyntaxNode root = tree.GetRoot();
        List<SimpleNameSyntax> names = [.. root.DescendantNodes().OfType<SimpleNameSyntax>()];
        return names.Any(name => OtherPackages.Contains(name.Identifier.ValueText) || MayAddConsumer(name) || SetsOption(name))
            || (names.Exists(static name => name.Identifier.ValueText == "MappedQueue")
                && root.DescendantNodes().OfType<InvocationExpressionSyntax>().Any(IsReading));
    }

    // Of a queue that another method adds: HostedDefaultRule looks at the consumers in the same one.
    private static bool MayAddConsumer(SimpleNameSyntax name)
        => name.Identifier.ValueText is "AddBlitQueueConsumer" or "AddBlitQueueBatchConsumer"
        && name.FirstAncestorOrSelf<InvocationExpressionSyntax>() is { ArgumentList.Arguments: var arguments }
        && !arguments.Skip(1).Any(static argument => IsNameOfAnother(argument.Expression))
        && name.FirstAncestorOrSelf<MemberDeclarationSyntax>()?.DescendantNodes().OfType<SimpleNameSyntax>()
            .Any(static other => other.Identifier.ValueText == "AddBlitQueue") != true;

    // As in services.Configure<BlitQueueOptions>("orders", options => options.CreateDefaultSubscription = false).
    private static bool SetsOption(SimpleNameSyntax name)
        => name.Identifier.ValueText == "CreateDefaultSubscription"
        && name.Parent is MemberAccessExpressionSyntax { Parent: AssignmentExpressionSyntax }
        && !name.Ancestors().OfType<InvocationExpressionSyntax>().Any(static call => NameOf(call.Expression) == "AddBlitQueue");

    private static bool IsReading(InvocationExpressionSyntax call) => NameOf(call.Expression) is { } name
        && (Contains(name)
            || (name == "Subscribe" && !IsNameOfAnother(call.ArgumentList.Arguments.FirstOrDefault()?.Expression)));

    private static string? NameOf(ExpressionSyntax called) => called switch
    {
        MemberAccessExpressionSyntax access => access.Name.Identifier.ValueText,
        MemberBindingExpressionSyntax binding => binding.Name.Identifier.ValueText,
        _ => null,
    };

    private static bool IsNameOfAnother(ExpressionSyntax? name)
        => name is LiteralExpressionSyntax literal
        && literal.IsKind(SyntaxKind.StringLiteralExpression) && literal.Token.ValueText != UnreadDefaultRule.Default;
}
