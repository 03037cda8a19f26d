using Microsoft.CodeAnalysis.Operations;

namespace BlitQueue.Generator.Diagnose.Usage;

/// <summary>The methods of the framework that keep what they are given.</summary>
internal static class Keepers
{
    // The methods of collections and channels that only look something up have other names.
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

    /// <summary>One that puts what it is given into a collection or a channel.</summary>
    public static bool IsAdder(IInvocationOperation call)
        => (Adders.Contains(call.TargetMethod.Name) || RangeAdders.Contains(call.TargetMethod.Name)) && IsCollection(call);

    /// <summary>One that puts the elements of what it is given into a collection.</summary>
    public static bool IsRange(IInvocationOperation call) => RangeAdders.Contains(call.TargetMethod.Name);

    /// <summary>One that sets the variable that it is given beside: <c>Interlocked.Exchange</c>, say.</summary>
    public static bool IsSetter(IInvocationOperation call, IArgumentOperation argument, out IOperation? place)
    {
        place = call.TargetMethod is { ContainingType.Name: "Interlocked" or "Volatile", Name: "Exchange" or "CompareExchange" or "Write" }
            && argument.Parameter is { Ordinal: 1, RefKind: RefKind.None }
            && Framework.Has(call.TargetMethod.ContainingType, "Threading")
            ? Operations.Argument(call, 0)
            : null;
        return place is not null;
    }

    /// <summary>One that has something done on another thread, or at another time.</summary>
    public static bool IsLater(IInvocationOperation call)
        => Starters.Contains(call.TargetMethod.Name) && Framework.Has(call.TargetMethod.ContainingType, "Threading");

    /// <summary>One that gives a task its result.</summary>
    public static bool IsSource(IInvocationOperation call)
        => call.TargetMethod is { Name: "SetResult" or "TrySetResult", ContainingType.Name: "TaskCompletionSource" }
            && Framework.Has(call.TargetMethod.ContainingType, "Threading");

    /// <summary>A type of tasks.</summary>
    public static bool IsTask(ITypeSymbol? type) => type is { Name: "Task" or "ValueTask" } && Framework.Has(type, "Threading");

    /// <summary>A call on a collection or a channel.</summary>
    public static bool IsCollection(IInvocationOperation call)
        => IsCollection(Operations.Receiver(call)?.Type) || IsCollection(call.TargetMethod.ContainingType);

    private static bool IsCollection(ITypeSymbol? type)
        => type is not null && (Framework.Has(type, "Collections") || type.ContainingNamespace?.Name == "Channels");
}
