using Microsoft.CodeAnalysis.CSharp.Syntax;
using Microsoft.CodeAnalysis.Diagnostics;
using Microsoft.CodeAnalysis.Operations;

namespace BlitQueue.Generator.Diagnose.Usage;

/// <summary>BQ0106 for a queue that is added to a host, whose consumers are of named subscriptions alone.</summary>
/// <remarks>
/// Silent where the consumers are not all added in one method, with names that are constants; where the builder is handed on or another
/// package's methods are called on it; and where some code of the project takes messages from a queue itself.
/// </remarks>
internal static class HostedDefaultRule
{
    private const string Builder = "BlitQueue.Hosting.BlitQueueBuilder`1";
    private const string Services = "Microsoft.Extensions.DependencyInjection.BlitQueueServiceCollectionExtensions";

    public static void Register(CompilationStartAnalysisContext context)
    {
        if (context.Compilation.GetTypeByMetadataName(Builder) is null)
        {
            return;
        }

        var readers = new Lazy<bool>(() => context.Compilation.SyntaxTrees.Any(DefaultReaders.MayReadOne));
        context.RegisterOperationAction(
            operation =>
            {
                var call = (IInvocationOperation)operation.Operation;
                if (IsAdding(call) && FirstConsumer(call) is { } consumer && !readers.Value)
                {
                    operation.ReportDiagnostic(Diagnostic.Create(
                        Descriptors.UnreadDefault, NameOf(consumer), Text(call, 1)));
                }
            },
            OperationKind.Invocation);
    }

    // The first of the queue's consumers, where the method adds all of them and none of them reads that subscription.
    private static IInvocationOperation? FirstConsumer(IInvocationOperation adding)
    {
        if (Text(adding, 1) is not { } queue || !UnreadDefaultRule.SaysNothingOfDefault(Operations.Argument(adding, 2)))
        {
            return null;
        }

        IInvocationOperation[] all = [.. Operations.Root(adding).DescendantsAndSelf().OfType<IInvocationOperation>()];
        if (all.Any(other => other != adding && IsAdding(other) && Text(other, 1) is var name && (name is null || name == queue)))
        {
            return null;
        }

        var consumers = new List<IInvocationOperation>();
        foreach (IInvocationOperation call in all.Where(call => IsConsumer(call, adding, queue)))
        {
            if (!IsNamed(call))
            {
                return null;
            }

            consumers.Add(call);
        }

        return consumers.Count > 0 && new[] { adding }.Concat(consumers).All(IsHere)
            ? consumers.OrderBy(static call => NameOf(call).SourceSpan.Start).First()
            : null;
    }

    // Also of a queue that cannot be told from this one.
    private static bool IsConsumer(IInvocationOperation call, IInvocationOperation adding, string queue)
        => IsOnBuilder(call)
            ? Adding(call.Instance!) is var known && (known is null || known == adding)
            : IsOfServices(call) && (Text(call, 1) is not { } name || name == queue);

    // Whether what a call returns is used here alone: the next call is made on it, it is in a local, or nothing is done with it.
    private static bool IsHere(IInvocationOperation call) => IsOfServices(call) || call.Parent switch
    {
        IVariableInitializerOperation { Parent: IVariableDeclaratorOperation one }
            => Operations.References(one.Symbol, call).All(static builder => IsReceiver(builder)),
        ISimpleAssignmentOperation assignment => assignment.Target is IDiscardOperation,
        IExpressionStatementOperation => true,
        _ => IsReceiver(call),
    };

    private static bool IsReceiver(IOperation builder) => builder.Parent switch
    {
        IMemberReferenceOperation member => member.Instance == builder,
        IInvocationOperation next => next.Instance == builder,
        _ => false,
    };

    // The call that made a builder; null where that cannot be seen.
    private static IInvocationOperation? Adding(IOperation builder) => Operations.Bare(builder) switch
    {
        IInvocationOperation call when IsAdding(call) => call,
        IInvocationOperation { Instance: { } before } => Adding(before),
        ILocalReferenceOperation local => Operations.Root(local).Descendants().OfType<IVariableDeclaratorOperation>()
            .FirstOrDefault(one => SymbolEqualityComparer.Default.Equals(one.Symbol, local.Local))
            ?.GetVariableInitializer() is { } initializer ? Adding(initializer.Value) : null,
        _ => null,
    };

    private static bool IsAdding(IInvocationOperation call)
        => call.TargetMethod.Name == "AddBlitQueue" && KnownTypes.Is(call.TargetMethod.ContainingType, Services);

    private static bool IsOnBuilder(IInvocationOperation call) => KnownTypes.Is(call.TargetMethod.ContainingType, Builder);

    private static bool IsOfServices(IInvocationOperation call)
        => KnownTypes.Is(call.TargetMethod.ContainingType, Services) && !IsAdding(call);

    private static bool IsNamed(IInvocationOperation call)
        => Text(call, IsOnBuilder(call) ? 0 : 2) is { } name && name != UnreadDefaultRule.Default;

    private static string? Text(IInvocationOperation call, int parameter)
        => Operations.Argument(call, parameter)?.ConstantValue is { HasValue: true, Value: string text } ? text : null;

    // Of a chain of calls the last one alone.
    private static Location NameOf(IInvocationOperation call)
        => call.Syntax is InvocationExpressionSyntax { Expression: MemberAccessExpressionSyntax { Name: var name } } invocation
            ? Location.Create(call.Syntax.SyntaxTree, Microsoft.CodeAnalysis.Text.TextSpan.FromBounds(name.SpanStart, invocation.Span.End))
            : call.Syntax.GetLocation();
}
