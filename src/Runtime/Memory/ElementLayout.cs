using System.Reflection;

namespace BlitQueue.Memory;

/// <summary>
/// What a type without references looks like in memory, as a text: its name, its size, and each field with its type and where it is. Two
/// processes understand each other's values if the texts are the same.
/// </summary>
internal static class ElementLayout
{
    /// <summary>For example <c>Quote, 24 bytes: Bid Double at 0, Ask Double at 8, Time Int64 at 16</c>.</summary>
    /// <exception cref="ArgumentException">The type contains a pointer, which leads nowhere in another process.</exception>
    public static string Of<[DynamicallyAccessedMembers(Fields)] T>()
        where T : unmanaged
    {
        var text = new StringBuilder();
        text.Append(CultureInfo.InvariantCulture, $"{NameOf(typeof(T), withSize: false)}, {Unsafe.SizeOf<T>()} bytes");
        if (!typeof(T).IsPrimitive && !typeof(T).IsEnum)
        {
            FieldInfo[] fields = typeof(T).GetFields(BindingFlags.Instance | BindingFlags.Public | BindingFlags.NonPublic);
            (FieldInfo Field, int Offset)[] found = [.. fields.Select(static field => (field, OffsetOf<T>(field)))];
            text.Append(": ").AppendJoin(
                ", ",
                found.OrderBy(static one => one.Offset).ThenBy(static one => one.Field.Name, StringComparer.Ordinal)
                    .Select(static one => string.Create(
                        CultureInfo.InvariantCulture, $"{one.Field.Name} {NameOf(one.Field.FieldType, withSize: true)} at {one.Offset}")));
        }
        return text.ToString();
    }

    /// <summary>What is needed of a type to read its layout.</summary>
    public const DynamicallyAccessedMemberTypes Fields =
        DynamicallyAccessedMemberTypes.PublicFields | DynamicallyAccessedMemberTypes.NonPublicFields;

    // The bytes that change when the field of a value full of ones is set to zero. The runtime may order the fields of a type as it likes,
    // and nothing else tells how it did.
    private static int OffsetOf<T>(FieldInfo field)
        where T : unmanaged
    {
        if (field.FieldType.IsPointer || field.FieldType.IsFunctionPointer)
        {
            throw new ArgumentException(
                $"{NameOf(typeof(T), withSize: false)} cannot be shared: its field {field.Name} is a pointer, which leads nowhere in "
                + "another process.");
        }
        T ones = default;
        MemoryMarshal.AsBytes(new Span<T>(ref ones)).Fill(0xFF);
        object boxed = ones;
        var before = (T)boxed;
        field.SetValue(boxed, field.GetValue(default(T)));
        var changed = (T)boxed;
        return MemoryMarshal.AsBytes(new Span<T>(ref before)).CommonPrefixLength(MemoryMarshal.AsBytes(new Span<T>(ref changed)));
    }

    // Without the namespace, which may differ between two programs; with the size of a type that is no basic one, whose own fields are not
    // looked at.
    private static string NameOf(Type type, bool withSize)
    {
        IEnumerable<string> arguments = type.GenericTypeArguments.Select(static one => NameOf(one, withSize: true));
        string name = type.IsGenericType ? $"{type.Name.Split('`')[0]}<{string.Join(", ", arguments)}>" : type.Name;
        return withSize && type is { IsValueType: true, IsPrimitive: false } && type != typeof(decimal)
            ? string.Create(CultureInfo.InvariantCulture, $"{name}({RuntimeHelpers.SizeOf(type.TypeHandle)})") : name;
    }
}
