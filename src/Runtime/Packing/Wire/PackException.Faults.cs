namespace BlitQueue;

/// <content>The texts: code reports every fault by one call that does not return.</content>
public sealed partial class PackException
{
    /// <summary>For generated code: an instance of a derived type, whose own members would be lost.</summary>
    /// <param name="value">The instance.</param>
    /// <param name="declared">The message type as which it was to be packed.</param>
    /// <exception cref="PackException">Always.</exception>
    [DoesNotReturn]
    public static void ThrowDerived(object value, Type declared)
        => throw new PackException(
            $"A {value?.GetType()} cannot be packed as {declared}: its own members would be lost. Make {declared} a union, or pack the "
                + "exact type.");

    /// <summary>For generated code: a type that a union does not list.</summary>
    /// <param name="value">The instance.</param>
    /// <param name="union">The union's type.</param>
    /// <exception cref="PackException">Always.</exception>
    [DoesNotReturn]
    public static void ThrowNotInUnion(object value, Type union)
        => throw new PackException($"{value?.GetType()} is no case of {union}: list it with [PackUnion].");

    /// <summary>For generated code: a tag that a union does not list.</summary>
    /// <param name="reader">The reader, right behind the tag.</param>
    /// <param name="tag">The tag.</param>
    /// <param name="union">The union's type.</param>
    /// <exception cref="PackException">Always.</exception>
    [DoesNotReturn]
    public static void ThrowUnknownTag(scoped in PackReader reader, int tag, Type union)
        => throw new PackException($"{tag} is no tag of {union}", reader.Position);

    /// <summary>For generated code: null bytes where a struct is unpacked.</summary>
    /// <param name="reader">The reader, right behind the null mark.</param>
    /// <param name="type">The struct.</param>
    /// <exception cref="PackException">Always.</exception>
    [DoesNotReturn]
    public static void ThrowNullStruct(scoped in PackReader reader, Type type)
        => throw new PackException($"Null cannot be a {type}", reader.Position - MessageFormat.HeaderSize);

    /// <summary>For generated code: an element that a user's own collection refuses.</summary>
    /// <param name="reader">The reader, right behind the element.</param>
    /// <param name="collection">The collection's type.</param>
    /// <param name="cause">The exception of its Add.</param>
    /// <exception cref="PackException">Always.</exception>
    [DoesNotReturn]
    public static void ThrowNotTaken(scoped in PackReader reader, Type collection, Exception cause)
        => throw new PackException($"{collection} does not take the element before this: {cause?.Message}", reader.Position, cause);

    /// <summary>For generated code: an inline array with more elements than its type has.</summary>
    /// <param name="reader">The reader, right in front of the elements.</param>
    /// <param name="count">How many there are.</param>
    /// <param name="most">How many the type has.</param>
    /// <exception cref="PackException">Always.</exception>
    [DoesNotReturn]
    public static void ThrowTooMany(scoped in PackReader reader, int count, int most)
        => throw new PackException($"{count} elements are more than the {most} that there is room for", reader.Position);

    [DoesNotReturn]
    internal static void ThrowCutOff(int offset, long needed, long left) => throw CutOff(offset, needed, left);

    [DoesNotReturn]
    internal static void ThrowHeader(int offset, uint header) => throw Header(offset, header);

    [DoesNotReturn]
    internal static void ThrowNoUnion(int offset, int fixedLength, int variableCount) => throw NoUnion(offset, fixedLength, variableCount);

    [DoesNotReturn]
    internal static void ThrowNotTolerant(int offset, int fixedLength) => throw NotTolerant(offset, fixedLength);

    [DoesNotReturn]
    internal static void ThrowFieldSize(int offset, Type type, uint length) => throw FieldSize(offset, type, length);

    [DoesNotReturn]
    internal static void ThrowNoObject(int offset, uint number, Type type)
        => throw new PackException($"{number} is not the number of a {type} before this", offset);

    [DoesNotReturn]
    internal static void ThrowTooDeep(int offset) => throw TooDeep(offset);

    [DoesNotReturn]
    internal static void ThrowTooManyOpen(int offset)
        => throw new PackException($"More than {MessageFormat.MaxOpenVariables} variables inside each other", offset);

    [DoesNotReturn]
    internal static void ThrowTooLarge(long bytes)
        => throw new PackException($"A packed message ends at {Array.MaxLength:N0} bytes; this one wants {bytes:N0}");

    [DoesNotReturn]
    internal static void ThrowTooLong(long bytes, int limit)
        => throw new PackException($"{bytes:N0} bytes are too many to compress: the limit is {limit:N0}");

    [DoesNotReturn]
    internal static void ThrowLeftOver(int offset, long left) => throw LeftOver(offset, left);

    [DoesNotReturn]
    internal static void ThrowRagged(int offset, uint length, int elementSize) => throw Ragged(offset, length, elementSize);

    [DoesNotReturn]
    internal static void ThrowCount(int offset, long count, long left) => throw Count(offset, count, left);

    [DoesNotReturn]
    internal static void ThrowStringLengths(int offset, long chars, long bytes) => throw StringLengths(offset, chars, bytes);

    [DoesNotReturn]
    internal static void ThrowStringContent(int offset, int chars)
        => throw new PackException($"The bytes are no text of {chars} chars", offset);

    [DoesNotReturn]
    internal static void ThrowMemberCut(int offset, int needed, int left) => throw MemberCut(offset, needed, left);

    [DoesNotReturn]
    internal static void ThrowNullKey(int offset)
        => throw new PackException("Null cannot be a key", offset);

    [DoesNotReturn]
    internal static void ThrowObject(int offset, string type) => throw Object(offset, type, null);

    [DoesNotReturn]
    internal static void ThrowMemory(int offset, long memory, int bytes)
        => throw new PackException(
            $"{bytes:N0} bytes do not warrant the {memory:N0} bytes of memory that would be taken up to here", offset);

    [DoesNotReturn]
    internal static void ThrowZone(string id)
        => throw new PackException(
            $"The time zone '{id}' has rules that only its system can make, and this one finds no such zone by its id; or more than "
            + $"{TimeZoneFormat.MaxLength:N0} bytes of them");

    [MethodImpl(MethodImplOptions.NoInlining)]
    internal static PackException NoZone(int offset, string id)
        => new($"This system has no time zone '{(id.Length > 64 ? id[..64] + "..." : id)}'", offset);

    [MethodImpl(MethodImplOptions.NoInlining)]
    internal static PackException Object(int offset, string type, Exception? cause) => new($"The bytes are no {type}", offset, cause);

    [MethodImpl(MethodImplOptions.NoInlining)]
    internal static PackException Invalid<V>(int offset, long bits)
        => new($"0x{bits:X} is no valid {typeof(V).Name}", offset);

    [MethodImpl(MethodImplOptions.NoInlining)]
    internal static PackException CutOff(int offset, long needed, long left)
        => new($"{needed} bytes are needed here and {Math.Max(0, left)} are left", offset);

    [MethodImpl(MethodImplOptions.NoInlining)]
    internal static PackException NullView(int offset)
        => new("Null is no message that could be viewed", offset);

    [MethodImpl(MethodImplOptions.NoInlining)]
    internal static PackException Header(int offset, uint header)
        => new($"0x{header:X8} is no message header", offset);

    [MethodImpl(MethodImplOptions.NoInlining)]
    internal static PackException MemberCut(int offset, int needed, int left)
        => new($"The fixed block ends inside a member: {needed} bytes are needed and {left} are left", offset);

    [MethodImpl(MethodImplOptions.NoInlining)]
    internal static PackException Ragged(int offset, uint length, int elementSize)
        => new($"{length} bytes are no whole number of elements of {elementSize} bytes", offset);

    [MethodImpl(MethodImplOptions.NoInlining)]
    internal static PackException Count(int offset, long count, long left)
        => new($"{count} elements cannot stand in the {left} bytes left", offset);

    [MethodImpl(MethodImplOptions.NoInlining)]
    internal static PackException StringLengths(int offset, long chars, long bytes)
        => new($"A string of {chars} chars cannot have {bytes} bytes", offset);

    [MethodImpl(MethodImplOptions.NoInlining)]
    internal static PackException TooDeep(int offset)
        => new($"More than {MessageFormat.MaxDepth} messages inside each other: is there a cycle?", offset);

    [MethodImpl(MethodImplOptions.NoInlining)]
    internal static PackException NotTolerant(int offset, int fixedLength)
        => new($"A version-tolerant message has no fixed block; here is one of {fixedLength} bytes", offset);

    [MethodImpl(MethodImplOptions.NoInlining)]
    internal static PackException NoUnion(int offset, int fixedLength, int variableCount)
        => new($"A union is a tag of 2 bytes and one variable, not {fixedLength} bytes and {variableCount} variables", offset);

    [MethodImpl(MethodImplOptions.NoInlining)]
    internal static PackException FieldSize(int offset, Type type, uint length)
        => new(
            length == MessageFormat.Null ? $"Null cannot be a {type.Name}" : $"{length} bytes cannot be one {type.Name}", offset);

    [MethodImpl(MethodImplOptions.NoInlining)]
    internal static PackException LeftOver(int offset, long left)
        => new($"{left} bytes are left over behind the last value", offset);

    [MethodImpl(MethodImplOptions.NoInlining)]
    internal static PackException WrongEncoding(int offset, bool isUtf16)
        => new(isUtf16 ? "The text is UTF-16, not UTF-8" : "The text is UTF-8, not UTF-16", offset);

    [MethodImpl(MethodImplOptions.NoInlining)]
    internal static PackException NoObject(int offset, uint number)
        => new($"{number} is not the number of an object before this", offset);

    [MethodImpl(MethodImplOptions.NoInlining)]
    internal static PackException NoMemberOfRepeated(int offset, int number)
        => new($"Object {number} is repeated here: its members are where it occurs first", offset);
}
