using System.Collections;
using System.Reflection;
using System.Runtime.CompilerServices;

namespace BlitQueue.Mutations;

/// <summary>What a value is packed as: its elements or parts, one after another.</summary>
internal static class PackingOrder
{
    /// <summary>The elements of any collection; null where the null mark is packed.</summary>
    /// <remarks>
    /// The same instance enumerates in the same order each time, one without an order too. A stack begins with its bottom.
    /// </remarks>
    public static IReadOnlyList<object?>? Items(object? value) => value switch
    {
        null => null,
        IEnumerable items => IsDefault(value) ? null
            : IsStack(value.GetType()) ? [.. items.Cast<object?>().Reverse()]
            : [.. items.Cast<object?>()],
        _ => value.GetType().Name == "PriorityQueue`2"
            ? Items(value.GetType().GetProperty("UnorderedItems")!.GetValue(value))
            : Items(ToArray(value, value.GetType())),
    };

    /// <summary>A part of a tuple, a key and its value, a key and its elements, or of a Lazy; null of null.</summary>
    public static object? Part(object? value, int index) => value switch
    {
        null => null,
        ITuple tuple => tuple[index],
        IEnumerable group => index == 1 ? group : KeyOf(group),
        _ => value.GetType().GetProperty(index == 0 && value.GetType().Name != "Lazy`1" ? "Key" : "Value")!.GetValue(value),
    };

    private static object? KeyOf(IEnumerable group)
        => Array.Find(group.GetType().GetInterfaces(), contract => contract.Name == "IGrouping`2")!.GetProperty("Key")!.GetValue(group);

    private static bool IsStack(Type? type)
        => type is not null && (type.Name is "Stack`1" or "ConcurrentStack`1" or "ImmutableStack`1" || IsStack(type.BaseType));

    private static bool IsDefault(object value) => value.GetType().Name switch
    {
        "ImmutableArray`1" => (bool)value.GetType().GetProperty("IsDefault")!.GetValue(value)!,
        "ArraySegment`1" => value.GetType().GetProperty("Array")!.GetValue(value) is null,
        _ => false,
    };

    // What lies in memory and cannot be enumerated.
    private static object? ToArray(object value, Type type)
    {
        MethodInfo toArray = type.GetMethod("ToArray", Type.EmptyTypes)
            ?? typeof(System.Buffers.BuffersExtensions).GetMethod("ToArray")!.MakeGenericMethod(type.GetGenericArguments());
        return toArray.Invoke(toArray.IsStatic ? null : value, toArray.IsStatic ? [value] : []);
    }
}
