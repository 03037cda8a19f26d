using System.Diagnostics.CodeAnalysis;
using System.Reflection;

namespace BlitQueue.Docs.Api;

/// <summary>
/// After a call that gave a message the compiler knows that it is not null: no receiving call makes a user write <c>!</c>.
/// </summary>
public sealed class NullabilityTests
{
    // What is packed may be null, and comes out as null.
    private static readonly HashSet<string> Packing = ["Packer", "PackReader", "PackWriter", "PackStream"];

    private static readonly (MethodInfo Call, ParameterInfo Filled)[] Filled =
    [
        .. from call in PublicApi.Calls
           where !Packing.Contains(call.DeclaringType!.Name) && call.Name is not ("Unpack" or "Pack" or "TryUnpackFixed" or "Deconstruct")
           from parameter in call.GetParameters()
           where parameter.ParameterType.IsByRef && !parameter.IsIn && MayBeNull(parameter.ParameterType.GetElementType()!)
           select (call, parameter),
    ];

    [Fact]
    public void Where_true_was_returned_what_was_filled_is_not_null() => Assert.Empty(
        from one in Filled
        where one.Call.ReturnType == typeof(bool)
        where one.Filled.GetCustomAttribute<NotNullWhenAttribute>()?.ReturnValue != true
            // What is declared as not null, but for false.
            && one.Filled.GetCustomAttribute<MaybeNullWhenAttribute>()?.ReturnValue != false
        select $"{one.Call.DeclaringType}: {one.Call}");

    [Fact]
    public void Behind_a_call_that_waited_what_was_filled_is_not_null() => Assert.Empty(
        from one in Filled
        where one.Call.ReturnType != typeof(bool) && one.Filled.GetCustomAttribute<NotNullAttribute>() is null
        select $"{one.Call.DeclaringType}: {one.Call}");

    [Fact]
    public void All_ways_to_receive_are_looked_at() => Assert.Superset(
        new HashSet<string>
        {
            "MappedQueue`1", "Subscription`1", "LaneSubscription`1", "QueueCursor`1", "QueueReader`1", "DequeueExtensions", "Lease`1",
        },
        Filled.Select(static one => one.Call.DeclaringType!.Name).ToHashSet());

    private static bool MayBeNull(Type type) => type.IsGenericParameter
        ? (type.GenericParameterAttributes
            & (GenericParameterAttributes.NotNullableValueTypeConstraint | GenericParameterAttributes.AllowByRefLike)) == 0
        : !type.IsValueType;
}
