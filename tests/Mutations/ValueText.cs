using System.Collections;
using System.Globalization;
using System.Reflection;
using System.Runtime.CompilerServices;
using System.Text;

namespace BlitQueue.Mutations;

/// <summary>
/// A value as text, the same for equal values: what a collection without an order holds is sorted, objects with identity are numbered.
/// </summary>
public static class ValueText
{
    public static string Of(object? value) => Of(value, []);

    /// <summary>The public members of a message, by name.</summary>
    public static IEnumerable<(string Name, object? Value)> Members(object message)
    {
        foreach (PropertyInfo? property in message.GetType().GetProperties(BindingFlags.Instance | BindingFlags.Public).Where(IsMember))
        {
            yield return (property.Name, property.GetValue(message));
        }

        foreach (FieldInfo field in message.GetType().GetFields(BindingFlags.Instance | BindingFlags.Public))
        {
            yield return (field.Name, field.GetValue(message));
        }
    }

    private static string Of(object? value, List<object> shared) => value switch
    {
        null => "null",
        string text => $"'{text}'",
        StringBuilder text => $"'{text}'",
        double number => BitConverter.DoubleToInt64Bits(number).ToString("X", CultureInfo.InvariantCulture),
        float number => BitConverter.SingleToInt32Bits(number).ToString("X", CultureInfo.InvariantCulture),
        Half number => BitConverter.HalfToInt16Bits(number).ToString("X", CultureInfo.InvariantCulture),
        DateTime time => $"{time.Ticks} {time.Kind}",
        DateTimeOffset time => $"{time.Ticks} {time.Offset}",
        Uri uri => $"{uri.IsAbsoluteUri} {uri.OriginalString}",
        TimeZoneInfo zone => $"{zone.ToSerializedString()} {zone.SupportsDaylightSavingTime}",
        CultureInfo culture => $"'{culture.Name}'",
        ITuple tuple => $"({string.Join(',', Enumerable.Range(0, tuple.Length).Select(i => Of(tuple[i], shared)))})",
        Array { Rank: > 1 } grid => $"{string.Join('x', Enumerable.Range(0, grid.Rank).Select(grid.GetLength))}[{Items(grid, shared)}]",
        _ => OfType(value, value.GetType(), shared),
    };

    private static string OfType(object value, Type type, List<object> shared)
    {
        if (type.IsPrimitive || type.IsEnum
            || value is decimal or Guid or Version or IFormattable { } and not IEnumerable and not ITuple
            && type.Namespace!.StartsWith("System", StringComparison.Ordinal) && !IsVector(type))
        {
            return Convert.ToString(value, CultureInfo.InvariantCulture)!;
        }

        if (type.IsGenericType && type.Name is "Memory`1" or "ReadOnlyMemory`1" or "ReadOnlySequence`1" or "ArraySegment`1"
            or "ImmutableArray`1")
        {
            return PackingOrder.Items(value) is { } items ? $"[{Items(items, shared)}]" : "null";
        }

        if (type.IsGenericType && type.Name is "KeyValuePair`2" or "Lazy`1")
        {
            IEnumerable<PropertyInfo> parts = type.GetProperties().Where(part => part.Name is "Key" or "Value");
            return $"({string.Join(',', parts.Select(part => Of(part.GetValue(value), shared)))})";
        }

        if (type.Name == "PriorityQueue`2")
        {
            return $"[{Items(PackingOrder.Items(value)!, shared)}]";
        }

        if (Array.Find(type.GetInterfaces(), contract => contract.Name == "IGrouping`2") is { } group)
        {
            return $"({Of(group.GetProperty("Key")!.GetValue(value), shared)},[{Items((IEnumerable)value, shared)}])";
        }

        if (value is IEnumerable all)
        {
            return $"[{Items(IsUnordered(type) ? Sorted(all, shared) : all, shared)}]";
        }

        return type.GetCustomAttribute<QueueMessageAttribute>() is { } message
            ? OfMessage(value, message, shared)
            : OfBits(value, type, shared);
    }

    private static string OfMessage(object value, QueueMessageAttribute message, List<object> shared)
    {
        if (message.Layout == PackLayout.CircularReference)
        {
            int number = shared.FindIndex(other => ReferenceEquals(other, value));
            if (number >= 0)
            {
                return "#" + number;
            }

            shared.Add(value);
        }

        IEnumerable<string> members = Members(value).Select(member => $"{member.Name}:{Of(member.Value, shared)}");
        return $"{value.GetType().Name}{{{string.Join(',', members)}}}";
    }

    // Blitted structs, and what is no message but has a packer.
    private static string OfBits(object value, Type type, List<object> shared)
    {
        FieldInfo[] fields = type.GetFields(BindingFlags.Instance | BindingFlags.Public | BindingFlags.NonPublic);
        return $"{{{string.Join(',', fields.Select(field => Of(field.GetValue(value), shared)))}}}";
    }

    private static string Items(IEnumerable items, List<object> shared)
        => string.Join(',', items.Cast<object?>().Select(item => Of(item, shared)));

    // By the texts that they have each alone: which of two comes first decides where a shared object is written out.
    private static IEnumerable<object?> Sorted(IEnumerable items, List<object> shared)
        => items.Cast<object?>().OrderBy(item => Of(item, [.. shared]), StringComparer.Ordinal);

    private static bool IsUnordered(Type type)
        => type.Name == "ConcurrentBag`1"
        || type.GetInterfaces().Any(
            contract => contract.IsGenericType
                && contract.Name is "IDictionary`2" or "IReadOnlyDictionary`2" or "ISet`1" or "IReadOnlySet`1");

    // Their texts do not tell one NaN from another.
    private static bool IsVector(Type type) => type.Namespace == "System.Numerics" && type.Name is not "BigInteger";

    private static bool IsMember(PropertyInfo property)
        => property.GetIndexParameters().Length == 0 && property.Name != "EqualityContract"
        && property.GetCustomAttribute<PackIgnoreAttribute>() is null;
}
