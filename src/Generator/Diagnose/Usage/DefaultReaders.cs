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

    /// <summary>Whether a file may have such a call; by its text alone, so that it need not be bound.</summary>
    public static bool MayReadOne(SyntaxTree tree)
    {
        SyntaxNode root = tree.GetRoot();
        var names = root.DescendantNodes().OfType<SimpleNameSyntax>().Select(static name => name.Identifier.ValueText).ToList();
        return names.Any(OtherPackages.Contains)
            || (names.Contains("MappedQueue") && root.DescendantNodes().OfType<InvocationExpressionSyntax>().Any(IsReading));
    }

    private static bool IsReading(InvocationExpressionSyntax call) => NameOf(call.Expression) is { } name
        && (Contains(name) || (name == "Subscribe" && !IsOfAnother(call)));

    private static string? NameOf(ExpressionSyntax called) => called switch
    {
        MemberAccessExpressionSyntax access => access.Name.Identifier.ValueText,
        MemberBindingExpressionSyntax binding => binding.Name.Identifier.ValueText,
        _ => null,
    };

    private static bool IsOfAnother(InvocationExpressionSyntax call)
        => call.ArgumentList.Arguments.FirstOrDefault()?.Expression is LiteralExpressionSyntax literal
        && literal.IsKind(SyntaxKind.StringLiteralExpression) && literal.Token.ValueText != UnreadDefaultRule.Default;
}
