using System.Reflection;
using Xunit;

namespace BlitQueue.Tests.House;

/// <summary>
/// The shapes of public calls, read from the assembly: a call that waits can be ended, and receiving ones can be given a time.
/// </summary>
public sealed class CallShapeTests
{
    private static readonly MethodInfo[] Calls =
    [
        .. from type in typeof(MappedQueue<>).Assembly.GetExportedTypes()
           where type.Namespace == "BlitQueue"
           from method in type.GetMethods(BindingFlags.Public | BindingFlags.Instance | BindingFlags.Static | BindingFlags.DeclaredOnly)
           where !method.IsSpecialName && !type.IsInterface
           select method,
    ];

    // What waits until others have enqueued, made room, or brought to the disk.
    private static readonly string[] Waiting = ["Enqueue", "EnqueueBatch", "Dequeue", "Receive", "Read", "Flush", "Commit"];

    // By type and name. A transaction's enqueue packs, and waits for nothing. What was received is there already: to read it waits for
    // nothing, nor does to end its lease.
    private static readonly HashSet<string> NotWaiting =
    [
        "QueueTransaction.Enqueue", "QueueTransaction.EnqueueBatch", "Lease`1.Read", "Lease`1.Commit", "Subscription`1.Commit",
        "DeadLetterLease`1.Read", "DeadLetterLease`1.Commit", "SharedValue`1.Read", "SharedBuffer.Read",
    ];

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
        Assert.True(tokens.Length > 40);
        Assert.Empty(
            from taken in tokens
            where taken.Token.Position != taken.Call.GetParameters().Length - 1 || !taken.Token.IsOptional
                || taken.Token.Name != "cancellationToken"
            select $"{Name(taken.Call)}: {taken.Token.Name}");
    }

    [Fact]
    public void Every_call_that_can_wait_takes_a_token() => Assert.Empty(
        from call in Calls
        where (Waiting.Contains(call.Name) && !NotWaiting.Contains(Name(call))) || (IsAwaited(call) && call.Name != "DisposeAsync")
        where call.GetParameters().LastOrDefault()?.ParameterType != typeof(CancellationToken)
        select call.ToString());

    [Fact]
    public void What_is_said_not_to_wait_is_there() =>
        Assert.Empty(NotWaiting.Except(Calls.Select(Name)));

    [Theory]
    [InlineData("Dequeue", new[] { "MappedQueue`1", "Subscription`1", "LaneSubscription`1" })]
    [InlineData("Receive", new[] { "Subscription`1", "LaneSubscription`1", "QueueTransaction" })]
    [InlineData("ReceiveAsync", new[] { "Subscription`1", "LaneSubscription`1" })]
    [InlineData("Read", new[] { "QueueCursor`1" })]
    public void A_receiving_call_can_be_given_a_time(string name, string[] types) => Assert.All(types, type => Assert.Contains(
        Calls,
        call => call.Name == name && call.DeclaringType!.Name == type
            && call.GetParameters() is [.., { ParameterType: var time, Name: "timeout" }, _] && time == typeof(TimeSpan)));

    [Theory]
    [InlineData(typeof(MappedQueue<>))]
    [InlineData(typeof(Subscription<>))]
    [InlineData(typeof(MappedStore))]
    [InlineData(typeof(MappedLanes<>))]
    [InlineData(typeof(LaneSubscription<>))]
    public void What_is_disposed_can_be_awaited(Type type) => Assert.True(type.IsAssignableTo(typeof(IAsyncDisposable)));

    private static bool IsAwaited(MethodInfo call)
    {
        Type type = call.ReturnType.IsGenericType ? call.ReturnType.GetGenericTypeDefinition() : call.ReturnType;
        return type == typeof(Task) || type == typeof(Task<>) || type == typeof(ValueTask) || type == typeof(ValueTask<>)
            || type == typeof(IAsyncEnumerable<>);
    }

    private static string Name(MethodInfo call) => $"{call.DeclaringType!.Name}.{call.Name}";
}
