using Microsoft.CodeAnalysis.Diagnostics;
using Microsoft.CodeAnalysis.Operations;

namespace BlitQueue.Generator.Diagnose.Usage;

/// <summary>BQ0106: a queue is consumed through named subscriptions alone, and was made with the one that no code reads.</summary>
/// <remarks>
/// Only a queue is looked at that is opened in the method and stays in it, or is opened into a private field and stays in its class: of
/// another it cannot be seen who reads what. Silent where nothing is enqueued to it there and it gets no capacity, so that others seem to
/// make it, and where the options are not written in the call.
/// </remarks>
internal static class UnreadDefaultRule
{
    public const string Default = "default";
    private const string Option = "CreateDefaultSubscription", Limit = "Capacity";

    public static void Check(OperationAnalysisContext context, IInvocationOperation call)
    {
        if (call.Instance is not ILocalReferenceOperation { Local: var queue } || !IsNamed(call) || Opening(queue, call) is not { } open)
        {
            return;
        }

        ILocalReferenceOperation[] references = [.. Operations.References(queue, call)];
        // Of several subscriptions the first tells.
        if (IsUnread(open, references)
            && !references.Any(reference => reference.Syntax.SpanStart < call.Instance.Syntax.SpanStart && IsSubscribe(reference)))
        {
            Report(context.ReportDiagnostic, call, queue);
        }
    }

    /// <summary>Reports a private field, by all references to it and all values that it is given.</summary>
    public static void Check(
        Action<Diagnostic> report, ISymbol queue, IReadOnlyCollection<IOperation> values, IReadOnlyCollection<IOperation> references)
    {
        if (values.Count > 0 && values.All(value => AsOpening(value) is { } open && IsUnread(open, references))
            && references.Where(IsSubscribe).OrderBy(static reference => reference.Syntax.SyntaxTree.FilePath, StringComparer.Ordinal)
                .ThenBy(static reference => reference.Syntax.SpanStart).FirstOrDefault() is { } first)
        {
            Report(report, (IInvocationOperation)first.Parent!, queue);
        }
    }

    private static bool IsUnread(IInvocationOperation open, IReadOnlyCollection<IOperation> references)
        => SaysNothingOf(Option, Operations.Argument(open, 1)) && references.All(IsOfAnother)
        && (references.Any(IsEnqueued) || !SaysNothingOf(Limit, Operations.Argument(open, 1)));

    private static void Report(Action<Diagnostic> report, IInvocationOperation call, ISymbol queue)
        => report(Diagnostic.Create(Descriptors.UnreadDefault, call.Syntax.GetLocation(), queue.Name));

    private static bool IsNamed(IInvocationOperation call)
        => Operations.Argument(call, 0)?.ConstantValue is { HasValue: true, Value: string name } && name != Default;

    private static bool IsSubscribe(IOperation reference)
        => reference.Parent is IInvocationOperation { TargetMethod.Name: "Subscribe" } call && call.Instance == reference;

    private static bool IsEnqueued(IOperation reference)
        => reference.Parent is IInvocationOperation { TargetMethod.Name: var name }
        && (name.StartsWith("Enqueue", StringComparison.Ordinal) || name.StartsWith("TryEnqueue", StringComparison.Ordinal));

    // A use of the queue that neither reads its default subscription nor hands the queue on.
    private static bool IsOfAnother(IOperation reference) => reference.Parent switch
    {
        IInvocationOperation call when call.Instance == reference => IsOfAnother(call),
        IConditionalAccessOperation { WhenNotNull: IInvocationOperation call } access when access.Operation == reference
            => IsOfAnother(call),
        ISimpleAssignmentOperation assignment => assignment.Target == reference && reference is IFieldReferenceOperation,
        IPropertyReferenceOperation or IEventReferenceOperation => true,
        _ => false,
    };

    private static bool IsOfAnother(IInvocationOperation call)
        => call.TargetMethod.Name == "Subscribe" ? IsNamed(call) : !DefaultReaders.Contains(call.TargetMethod.Name);

    private static IInvocationOperation? Opening(ILocalSymbol queue, IOperation inside)
    {
        IVariableDeclaratorOperation? declarator = Operations.Root(inside).Descendants().OfType<IVariableDeclaratorOperation>()
            .FirstOrDefault(found => SymbolEqualityComparer.Default.Equals(found.Symbol, queue));
        return declarator?.GetVariableInitializer() is { } initializer ? AsOpening(initializer.Value) : null;
    }

    private static IInvocationOperation? AsOpening(IOperation value)
        => Operations.Bare(value) is IInvocationOperation { TargetMethod.Name: "Open" or "OpenExpress" } open
            && KnownTypes.Is(open.TargetMethod.ContainingType, KnownTypes.MappedQueue)
            ? open
            : null;

    /// <summary>Whether a callback that sets options, if there is one, leaves out the one of that subscription.</summary>
    public static bool SaysNothingOfDefault(IOperation? callback) => callback is null || Operations.Bare(callback) switch
    {
        IDelegateCreationOperation { Target: IAnonymousFunctionOperation function }
            => !function.Descendants().Any(part => MaySetOption(part, function.Symbol)),
        { ConstantValue: { HasValue: true, Value: null } } => true,
        _ => false,
    };

    // Also where the options are handed on, as to a configuration that fills them.
    private static bool MaySetOption(IOperation part, IMethodSymbol callback) => part switch
    {
        IPropertyReferenceOperation set => set.Property.Name == Option,
        IParameterReferenceOperation options => options.Parent is not IMemberReferenceOperation
            && SymbolEqualityComparer.Default.Equals(options.Parameter.ContainingSymbol, callback),
        _ => false,
    };

    private static bool SaysNothingOf(string option, IOperation? options) => options is null || Operations.Bare(options) switch
    {
        IObjectCreationOperation { Initializer: var initializer } => initializer?.Initializers.OfType<ISimpleAssignmentOperation>()
            .Any(set => set.Target is IPropertyReferenceOperation property && property.Property.Name == option) != true,
        { ConstantValue: { HasValue: true, Value: null } } => true,
        _ => false,
    };
}
