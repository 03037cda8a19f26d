using Microsoft.CodeAnalysis.Operations;

namespace BlitQueue.Generator.Diagnose.Usage;

/// <summary>Where a message goes that is referred to: what keeps it is there when the next one is unpacked.</summary>
internal static class Escapes
{
    // The methods of collections and channels that only look something up have other names.
    private static readonly HashSet<string> Adders = new(StringComparer.Ordinal)
    {
        "Add", "AddAfter", "AddBefore", "AddFirst", "AddLast", "AddOrUpdate", "Append", "Enqueue", "EnqueueDequeue", "GetOrAdd", "Insert",
        "Prepend", "Push", "SetItem", "TryAdd", "TryInsert", "TryUpdate", "TryWrite", "WriteAsync",
    };

    /// <summary>
    /// Surely kept: in a collection or a channel, a field, a property or an element, by a task that nobody
    /// awaits or a lambda that is called later.
    /// </summary>
    public static bool IsEscaping(ILocalReferenceOperation reference, IOperation loop)
    {
        IOperation value = Carrier(Lambda(reference, loop) ?? reference);
        return value.Parent switch
        {
            IArgumentOperation argument => value is IDelegateCreationOperation ? CallsLater(argument) : LetsEscape(argument),
            IEventAssignmentOperation => true,
            IAssignmentOperation assignment => assignment.Value == value && IsLasting(assignment.Target),
            _ => false,
        };
    }

    /// <summary>Perhaps kept: by a constructor, a task, or code that may be anybody's.</summary>
    public static bool MayEscape(IArgumentOperation argument) => argument.Parent switch
    {
        _ when argument.Parameter?.RefKind is RefKind.Ref or RefKind.Out => false,
        IObjectCreationOperation => true,
        IInvocationOperation call => IsCollection(call) || IsUnawaited(call) || IsOthers(call.TargetMethod),
        _ => false,
    };

    /// <summary>The value with all that carries it on as it is.</summary>
    public static IOperation Carrier(IOperation value)
    {
        while (value.Parent is IConversionOperation or IParenthesizedOperation or IConditionalOperation or ICoalesceOperation
            or ITupleOperation or IDelegateCreationOperation)
        {
            value = value.Parent;
        }

        return value;
    }

    // The lambda that the reference is in, if it is made in each round.
    private static IOperation? Lambda(IOperation reference, IOperation loop)
    {
        IOperation? lambda = null;
        for (IOperation? around = reference.Parent; around is not null && around != loop; around = around.Parent)
        {
            if (around is IAnonymousFunctionOperation)
            {
                lambda = around;
            }
        }

        return lambda;
    }

    private static bool LetsEscape(IArgumentOperation argument)
        => argument.Parent is IInvocationOperation call
        && ((IsCollection(call) && Adders.Contains(call.TargetMethod.Name)) || IsUnawaited(call));

    private static bool CallsLater(IArgumentOperation argument) => argument.Parent switch
    {
        IObjectCreationOperation { Type: { } type } => IsIn(type, "Threading"),
        IInvocationOperation call => IsIn(call.TargetMethod.ContainingType, "Threading")
            || (IsCollection(call) && Adders.Contains(call.TargetMethod.Name)),
        _ => false,
    };

    private static bool IsLasting(IOperation target)
        => target is IFieldReferenceOperation or IPropertyReferenceOperation or IArrayElementReferenceOperation;

    // What has been begun goes on in the next round.
    private static bool IsUnawaited(IInvocationOperation call)
        => call.Type is { Name: "Task" or "ValueTask" } type && IsIn(type, "Threading") && Carrier(call).Parent switch
        {
            IExpressionStatementOperation => true,
            ISimpleAssignmentOperation { Target: IDiscardOperation } => true,
            IArgumentOperation { Parent: IInvocationOperation outer } => IsCollection(outer),
            _ => false,
        };

    // Code that stands in no project here, or that another may stand for. What the framework keeps are
    // tasks and collections; a queue keeps bytes.
    private static bool IsOthers(IMethodSymbol method)
        => method.MethodKind == MethodKind.DelegateInvoke || method.IsVirtual || method.IsAbstract
        || (method.IsOverride && !method.IsSealed)
            || (method.DeclaringSyntaxReferences.IsEmpty && !IsIn(method.ContainingType, part: null) && !IsQueues(method.ContainingType));

    private static bool IsQueues(ITypeSymbol type)
        => type.ContainingNamespace is { Name: "BlitQueue", ContainingNamespace.IsGlobalNamespace: true };

    private static bool IsCollection(IInvocationOperation call)
        => IsCollection(call.Instance?.Type) || IsCollection(call.TargetMethod.ContainingType);

    private static bool IsCollection(ITypeSymbol? type)
        => type is not null && (IsIn(type, "Collections") || type.ContainingNamespace?.Name == "Channels");

    // In the framework's namespace, or in that part of it.
    private static bool IsIn(ITypeSymbol type, string? part)
    {
        for (INamespaceSymbol space = type.ContainingNamespace; space is { IsGlobalNamespace: false }; space = space.ContainingNamespace)
        {
            if (part is null ? IsSystem(space) : space.Name == part && IsSystem(space.ContainingNamespace))
            {
                return true;
            }
        }

        return false;
    }

    private static bool IsSystem(INamespaceSymbol space) => space is { Name: "System", ContainingNamespace.IsGlobalNamespace: true };
}
