using System.Buffers.Binary;
using System.Globalization;

namespace BlitQueue;

/// <summary>Finds the member that stands at a byte offset, by walking the bytes with the schema: only after a fault, never on the way.</summary>
/// <remarks>The bytes are damaged by definition, so every answer is a best effort: null where they lead nowhere.</remarks>
internal static partial class MemberLocator
{
    /// <summary>The path of the member, such as <c>Items[3].Price</c>; null when the fault is in no member or cannot be told.</summary>
    public static string? Find(MessageSchema schema, ReadOnlySpan<byte> source, long offset)
        => offset < 0 || offset > source.Length ? null : InMessage(schema, source, 0, source.Length, offset, depth: 0);

    private static string? InMessage(MessageSchema schema, ReadOnlySpan<byte> source, int start, int end, long offset, int depth)
    {
        if (schema.Form is not ("" or "union" or "tolerant" or "circular") || depth > MessageFormat.MaxDepth || !TryLength(source, start, end, out var header))
            return null;

        var block = start + MessageFormat.HeaderSize;
        var blockEnd = block + (int)(header & 0xFFFF);
        if (header == MessageFormat.Null || offset < block || blockEnd > end)
            return null;

        if (schema.Form == "union")
            return InCase(schema, source, block, end, offset, depth);
        if (schema.Form == "tolerant")
            return InFields(schema, source, blockEnd, end, (int)(header >> 16), offset, depth);

        return offset < blockEnd
            ? InBlock(schema, block, offset)
            : InVariables(schema, source, blockEnd, end, (int)(header >> 16), offset, depth);
    }

    // The case has no name of its own: a path goes on with the members of what it is.
    private static string? InCase(MessageSchema schema, ReadOnlySpan<byte> source, int start, int end, long offset, int depth)
    {
        var variable = start + MessageFormat.UnionFixedLength;
        if (variable > end || !TryContent(source, variable, end, out var content, out var contentEnd))
            return null;

        var tag = BinaryPrimitives.ReadUInt16LittleEndian(source[start..]).ToString(CultureInfo.InvariantCulture);
        foreach (var option in schema.Members)
        {
            if (option.Name == tag && option.Nested is [var nested])
                return InMessage(nested, source, content, contentEnd, offset, depth + 1);
        }

        return null;
    }

    private static string? InFields(MessageSchema schema, ReadOnlySpan<byte> source, int start, int end, int count, long offset, int depth)
    {
        for (var number = 0; number < count && offset >= start; number++)
        {
            if (!TryLength(source, start, end, out var length))
                return null;

            var whole = TryContent(source, start, end, out var content, out var contentEnd);
            if (length == MessageFormat.Hole)
                contentEnd = content;
            else if (!whole || offset < contentEnd)
                return FieldAt(schema, number) is { } member ? Within(member, member.Kind, member.Name, source[..contentEnd], content, offset, depth) : null;
            start = contentEnd;
        }

        return null;
    }

    private static MemberSchema? FieldAt(MessageSchema schema, int number)
    {
        foreach (var member in schema.Members)
        {
            if (member.Number == number)
                return member;
        }

        return null;
    }

    private static string? InBlock(MessageSchema schema, int start, long offset)
    {
        foreach (var member in schema.Members)
        {
            if (!member.IsFixed)
                continue;
            start += member.FixedSize;
            if (offset < start)
                return member.Name;
        }

        return null;
    }

    private static string? InVariables(MessageSchema schema, ReadOnlySpan<byte> source, int start, int end, int count, long offset, int depth)
    {
        string? before = null;
        foreach (var member in schema.Members)
        {
            if (member.IsFixed)
                continue;
            if (count-- == 0)
                break;

            // A fault right at the end of one variable is that variable's, unless the next one's length is what is wrong.
            var whole = TryContent(source, start, end, out var content, out var contentEnd);
            if (offset == start && whole && before is not null)
                return before;
            if (!whole)
                return member.Name;
            if (offset < contentEnd)
                return offset < start ? null : Within(member, member.Kind, member.Name, source[..contentEnd], content, offset, depth);

            before = Within(member, member.Kind, member.Name, source[..contentEnd], content, offset, depth);
            start = contentEnd;
        }

        return offset == start ? before : null;
    }

    private static bool TryLength(ReadOnlySpan<byte> source, int start, int end, out uint length)
    {
        length = 0;
        return end - start >= sizeof(uint) && BinaryPrimitives.TryReadUInt32LittleEndian(source[start..end], out length);
    }

    // False when the content is not wholly here; it then ends where its parent does.
    private static bool TryContent(ReadOnlySpan<byte> source, int start, int end, out int content, out int contentEnd)
    {
        content = Math.Min(end, start + MessageFormat.HeaderSize);
        contentEnd = end;
        if (!TryLength(source, start, end, out var length))
            return false;
        if (length == MessageFormat.Null)
            length = 0;
        if (length > (uint)(end - content))
            return false;
        contentEnd = content + (int)length;
        return true;
    }
}
