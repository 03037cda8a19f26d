using Microsoft.CodeAnalysis.CSharp;
using Microsoft.CodeAnalysis.Diagnostics;
using Microsoft.CodeAnalysis.Operations;

namespace BlitQueue.Generator.Diagnose.Usage;

/// <summary>
/// Reports uses of queues, leases and the packer that cannot work or that waste time or memory. Each rule has a class of its own.
/// </summary>
[DiagnosticAnalyzer(LanguageNames.CSharp)]
public sealed class UsageAnalyzer() : SourceAnalyzer(
    Descriptors.UnusableArgument,
    Descriptors.FreshInLoop,
    Descriptors.NoMessage,
    Descriptors.OpenLease,
    Descriptors.NullMessage,
    Descriptors.EscapingMessage,
    Descriptors.UnreadDefault)
{
    private protected override void Register(AnalysisContext context)
    {
        context.RegisterOperationAction(Analyze, OperationKind.Invocation);

        // By syntax: the compiler makes no operation for a call or a type that breaks a constraint.
        context.RegisterSyntaxNodeAction(NoMessageRule.CheckName, SyntaxKind.GenericName);
        context.RegisterSyntaxNodeAction(TypeArgumentRule.Check, SyntaxKind.GenericName);
        context.RegisterSyntaxNodeAction(NoMessageRule.CheckCall, SyntaxKind.InvocationExpression);
        context.RegisterCompilationStartAction(CarriedArgumentRule.Register);
        context.RegisterCompilationStartAction(HostedDefaultRule.Register);
        context.RegisterSymbolStartAction(UnreadDefaultFields.Register, SymbolKind.NamedType);
    }

    private static void Analyze(OperationAnalysisContext context)
    {
        var call = (IInvocationOperation)context.Operation;
        EscapingMessageRule.Check(context, call);
        switch (call.TargetMethod.Name)
        {
            case "TryDequeue" or "Dequeue" when IsOnQueue(call):
            case "ReadInto" when IsOn(call, KnownTypes.Lease):
                CheckFilled(context, call);
                break;
            case "TryReceive" or "Receive" when IsOn(call, KnownTypes.Subscription):
                OpenLeaseRule.Check(context, call);
                break;
            case "Subscribe" when IsOn(call, KnownTypes.MappedQueue):
                UnreadDefaultRule.Check(context, call);
                break;
            case "Enqueue" or "TryEnqueue" or "EnqueueAsync" or "EnqueueBatch" when IsOnQueue(call):
                NullMessageRule.Check(context, call);
                break;
        }
    }

    // Checks a local that each iteration of a loop fills.
    private static void CheckFilled(OperationAnalysisContext context, IInvocationOperation call)
    {
        if (call.TargetMethod.Parameters is [{ RefKind: RefKind.Ref }, ..]
            && Operations.Argument(call, 0) is ILocalReferenceOperation { IsDeclaration: false } target
            && Operations.Loop(call) is { } loop)
        {
            FreshInLoopRule.Check(context, call, target, loop);
        }
    }

    private static bool IsOnQueue(IInvocationOperation call) => IsOn(call, KnownTypes.MappedQueue) || IsOn(call, KnownTypes.Subscription);

    private static bool IsOn(IInvocationOperation call, string type) => KnownTypes.Is(call.TargetMethod.ContainingType, type);
}
