using System.Collections;
using System.Globalization;
using System.Reflection;
using System.Runtime.CompilerServices;

namespace BlitQueue.Peers;

/// <summary>One value through both serializers.</summary>
internal static class Both
{
    public static T? ThroughPeer<T>(T? value) => MemoryPackSerializer.Deserialize<T>(MemoryPackSerializer.Serialize(value));

    public static T? ThroughOurs<T>(T? value)
        where T : IPackable<T> => Packer.Unpack<T>(Packer.Pack(value));

    /// <summary>Fails unless both give back what they were given.</summary>
    public static void AssertPreserved<T>(T? value)
        where T : IPackable<T>
    {
        string given = Describe(value);
        Assert.Equal(given, Describe(ThroughPeer(value)));
        Assert.Equal(given, Describe(ThroughOurs(value)));
    }

    /// <summary>A value's text, with types, members and elements.</summary>
    public static string Describe(object? value) => value switch
    {
        null => "null",
        string text => $"\"{text}\"",
        Type or CultureInfo or Uri or Version or TimeZoneInfo or System.Text.StringBuilder => value.ToString()!,
        IFormattable simple when value is not IEnumerable
            => simple.ToString(value is DateTime or DateTimeOffset ? "O" : null, CultureInfo.InvariantCulture),
        bool truth => truth ? "true" : "false",
        ITuple tuple => $"({string.Join(", ", Enumerable.Range(0, tuple.Length).Select(i => Describe(tuple[i])))})",
        IEnumerable elements => Elements(value.GetType(), elements),
        _ => Members(value),
    };

    private static string Elements(Type type, IEnumerable elements)
    {
        IEnumerable<string> texts = elements.Cast<object?>().Select(Describe);
        bool isOrdered = !type.Name.Contains("Bag", StringComparison.Ordinal) && !type.Name.StartsWith("Frozen", StringComparison.Ordinal);
        string lengths = elements is Array { Rank: > 1 } grid ? Lengths(grid) : "";
        return $"{type.Name}[{string.Join(", ", isOrdered ? texts : texts.Order())}]{lengths}";
    }

    private static string Lengths(Array grid) => string.Join('x', Enumerable.Range(0, grid.Rank).Select(grid.GetLength));

    private static string Members(object value)
    {
        const BindingFlags All = BindingFlags.Instance | BindingFlags.Public | BindingFlags.NonPublic;
        IEnumerable<string> fields = value.GetType().GetFields(All).Select(field => $"{field.Name}: {Describe(field.GetValue(value))}");
        return $"{value.GetType().Name}{{{string.Join(", ", fields)}}}";
    }
}
