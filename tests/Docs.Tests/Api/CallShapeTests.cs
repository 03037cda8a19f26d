using System.Reflection;

namespace BlitQueue.Docs.Api;

/// <summary>
/// The shapes of public calls, read from the assemblies of all packages: a call that waits can be ended, and receiving ones can be given a
/// time.
/// </summary>
public sealed class CallShapeTests
{
    // Every other public method takes a token. A new method without one is an error until it stands here, with the others of its reason.
    private static readonly string[] NamesWithoutWait =
    [
        // It says at once that there is nothing, or no room; TryEnqueue waits for a stopped process 50 ms at most.
        "TryAbandonUncounted", "TryAcquire", "TryAcquireRead", "TryAcquireWrite", "TryCommit", "TryDequeue", "TryEnqueue",
        "TryEnqueueBatch", "TryGet", "TryPeek", "TryRead", "TryReadBytes", "TryReceive", "TryTake", "TryGetValue",
        // It changes the process's own words of shared memory.
        "Abandon", "Commit", "Renew", "Rollback", "Seek", "SkipCorrupt", "Begin",
        // It reads what was received, or what is in shared memory.
        "OpenBytes", "ReadInto", "ReadProperties", "CopyTo", "CopyFrom", "AsSpanView",
        // It looks at files, and takes no lock.
        "Exists", "GetStatus", "List", "ListSubscriptions", "GetState", "GetStatistics", "OpenCursor", "GetEnumerator",
        // No lock that another process has stops it: PurgeTests measures that.
        "Purge",
        // It makes an object of this process.
        "AsChannelReader", "AsChannelWriter", "AsMemory", "AsStream", "AsWriter",
        // It changes an object of this process alone.
        "Advance", "Clear", "GetMemory", "GetSpan", "CompareTo",
        // It packs, unpacks or compares types.
        "Pack", "Unpack", "Difference", "Obstacles",
        // It writes down what the host is to do.
        "AddBatchConsumer", "AddBlitQueue", "AddBlitQueueBatchConsumer", "AddBlitQueueConsumer", "AddConsumer", "AddForwarder",
        "AddReceiver",
        // It waits for the process's own calls to end.
        "Dispose", "DisposeAsync",
    ];

    // By type and name, where others of the name wait. A transaction's enqueue packs. What was received is there already.
    private static readonly HashSet<string> CallsWithoutWait =
    [
        "QueueTransaction.Enqueue", "QueueTransaction.EnqueueBatch", "QueueTransaction.EnqueueToAll", "Lease`1.Read",
        "DeadLetterLease`1.Read", "SharedValue`1.Read", "SharedBuffer.Read", "SharedBuffer.Write",
        // It looks at files, and takes no lock.
        "QueueReader`1.Open",
        // The bytes are in memory.
        "BodyFormat`1.Read", "BodyFormat`1.Write", "JsonBody`1.Read", "JsonBody`1.Write",
        "BrokerOptions.SetUri",
    ];

    private static readonly string[] ReceivingNames = ["Dequeue", "Receive", "Read", "Call", "Acquire", "WaitForChange"];

    private static readonly MethodInfo[] Calls =
        [.. PublicApi.Calls.Where(static call => call.DeclaringType!.Name is not ("PackReader" or "PackWriter" or "PackException"))];

    [Fact]
    public void A_token_is_the_last_parameter_may_be_left_out_and_has_the_name_that_dot_net_gives_it()
    {
        (MethodInfo Call, ParameterInfo Token)[] tokens =
        [
            .. from call in Calls
               from parameter in call.GetParameters()
               where parameter.ParameterType == typeof(CancellationToken)
               select (call, parameter),
        ];
        Assert.True(tokens.Length > 80);
        Assert.Empty(
            from taken in tokens
            where taken.Token.Position != taken.Call.GetParameters().Length - 1 || !taken.Token.IsOptional
                || taken.Token.Name != "cancellationToken"
            select $"{PublicApi.Name(taken.Call)}: {taken.Token.Name}");
    }

    [Fact]
    public void Every_call_that_can_wait_takes_a_token() => Assert.Empty(
        from call in Calls
        where !TakesToken(call) && !IsCompilers(call)
        where !CallsWithoutWait.Contains(PublicApi.Name(call))
        where !NamesWithoutWait.Contains(call.Name) || (IsAwaited(call) && call.Name != "DisposeAsync") || IsGivenTime(call)
        select $"{call.DeclaringType}: {call}");

    [Fact]
    public void What_is_said_not_to_wait_is_there_and_takes_none()
    {
        ILookup<string, MethodInfo> byName = Calls.Where(static call => !TakesToken(call)).ToLookup(static call => call.Name);
        Assert.DoesNotContain(NamesWithoutWait, name => !byName.Contains(name));
        Assert.Empty(CallsWithoutWait.Except(Calls.Where(static call => !TakesToken(call)).Select(PublicApi.Name)));
    }

    // Receiving is what a call of a handle does that waits for another process's message, answer, value or lock. An enumeration waits
    // again and again, so a time for one wait would not be its own.
    [Fact]
    public void A_receiving_call_can_be_given_a_time()
    {
        MethodInfo[] receiving =
        [
            .. from call in Calls
               where !call.IsStatic && TakesToken(call) && !IsEnumerated(call)
               where ReceivingNames.Any(name => call.Name.StartsWith(name, StringComparison.Ordinal))
               select call,
        ];
        Assert.True(receiving.Length > 50);
        Assert.Empty(
            from call in receiving
            where !receiving.Any(
                other => other.DeclaringType == call.DeclaringType && other.Name == call.Name && IsGivenTime(other)
                    && What(other).SequenceEqual(What(call)))
            select $"{call.DeclaringType}: {call}");
    }

    // The parameters without the time, the token, and what gives the message: the form with a time returns whether there is one.
    private static IEnumerable<string> What(MethodInfo call) =>
        from parameter in call.GetParameters()
        where parameter.Name is not ("timeout" or "cancellationToken" or "message")
        select $"{parameter.ParameterType} {parameter.Name}";

    [Fact]
    public void What_is_disposed_and_has_calls_that_are_awaited_can_be_disposed_so() => Assert.Empty(
        from type in PublicApi.Types
        where type.IsClass && type.IsAssignableTo(typeof(IDisposable)) && !type.IsAssignableTo(typeof(IAsyncDisposable))
        where type == typeof(MappedStore) || type == typeof(MappedLanes<>)
            || Calls.Any(call => call.DeclaringType == type && IsAwaited(call))
        // A cursor and a transaction are objects of this process alone, and Dispose waits for nothing.
        where type != typeof(QueueCursor<>) && type != typeof(QueueTransaction)
        select type.Name);

    private static bool TakesToken(MethodInfo call) => call.GetParameters().LastOrDefault()?.ParameterType == typeof(CancellationToken);

    private static bool IsGivenTime(MethodInfo call) => call.GetParameters().Any(static parameter => parameter.Name == "timeout");

    // What the compiler writes for records.
    private static bool IsCompilers(MethodInfo call) =>
        call.Name is "Equals" or "GetHashCode" or "ToString" or "PrintMembers" or "Deconstruct" || call.Name[0] == '<';

    private static bool IsEnumerated(MethodInfo call) =>
        call.ReturnType is { IsGenericType: true } type && type.GetGenericTypeDefinition() == typeof(IAsyncEnumerable<>);

    private static bool IsAwaited(MethodInfo call)
    {
        Type type = call.ReturnType.IsGenericType ? call.ReturnType.GetGenericTypeDefinition() : call.ReturnType;
        return type == typeof(Task) || type == typeof(Task<>) || type == typeof(ValueTask) || type == typeof(ValueTask<>)
            || type == typeof(IAsyncEnumerable<>);
    }
}
