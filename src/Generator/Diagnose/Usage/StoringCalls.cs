using Microsoft.CodeAnalysis.Operations;

namespace BlitQueue.Generator.Diagnose.Usage;

/// <summary>The methods of .NET that store an argument.</summary>
internal static class StoringCalls
{
    // By name alone: no method of a collection or a channel that only looks something up has one of these names.
    private static readonly HashSet<string> Adders = new(StringComparer.Ordinal)
    {
        "Add", "AddAfter", "AddBefore", "AddFirst", "AddLast", "AddOrUpdate", "Append", "Enqueue", "EnqueueDequeue", "GetOrAdd", "Insert",
        "Prepend", "Push", "SetItem", "TryAdd", "TryInsert", "TryUpdate", "TryWrite", "WriteAsync",
    };

    private static readonly HashSet<string> RangeAdders = new(StringComparer.Ordinal)
    {
        "AddRange", "EnqueueRange", "InsertRange", "PushRange", "SetItems", "UnionWith",
    };

    private static readonly HashSet<string> Starters = new(StringComparer.Ordinal)
    {
        "ContinueWith", "Post", "QueueUserWorkItem", "Register", "RegisterWaitForSingleObject", "Run", "Start", "StartNew",
        "UnsafeQueueUserWorkItem", "UnsafeRegister", "UnsafeStart",
    };

    /// <summary>Whether a call puts an argument into a collection or a channel.</summary>
    public static bool IsAdder(IInvocationOperation call)
        => (Adders.Contains(call.TargetMethod.Name) || RangeAdders.Contains(call.TargetMethod.Name)) && IsCollection(call);

    /// <summary>Whether a call puts an argument's elements into a collection.</summary>
    public static bool IsRange(IInvocationOperation call) => RangeAdders.Contains(call.TargetMethod.Name);

    /// <summary>
    /// Whether a call stores the argument in a variable that another argument names, such as <c>Interlocked.Exchange</c>.
    /// </summary>
    public static bool IsSetter(IInvocationOperation call, IArgumentOperation argument, out IOperation? target)
    {
        target = call.TargetMethod is { ContainingType.Name: "Interlocked" or "Volatile", Name: "Exchange" or "CompareExchange" or "Write" }
            && argument.Parameter is { Ordinal: 1, RefKind: RefKind.None }
            && Framework.Has(call.TargetMethod.ContainingType, "Threading")
            ? Operations.Argument(call, 0)
            : null;
        return target is not null;
    }

    /// <summary>Whether a call runs an argument on another thread, or later.</summary>
    public static bool IsLater(IInvocationOperation call)
        => Starters.Contains(call.TargetMethod.Name) && Framework.Has(call.TargetMethod.ContainingType, "Threading");

    /// <summary>Whether a call sets a task's result.</summary>
    public static bool IsSource(IInvocationOperation call)
        => call.TargetMethod is { Name: "SetResult" or "TrySetResult", ContainingType.Name: "TaskCompletionSource" }
            && Framework.Has(call.TargetMethod.ContainingType, "Threading");

    /// <summary>Whether a type is Task or ValueTask.</summary>
    public static bool IsTask(ITypeSymbol? type) => type is { Name: "Task" or "ValueTask" } && Framework.Has(type, "Threading");

    /// <summary>Whether a call is one of a collection's or a channel's methods.</summary>
    public static bool IsCollection(IInvocationOperation call)
        => IsCollection(Operations.Receiver(call)?.Type) || IsCollection(call.TargetMethod.ContainingType);

    private static bool IsCollection(ITypeSymbol? type)
        => type is not null && (Framework.Has(type, "Collections") || type.ContainingNamespace?.Name == "Channels");
}
