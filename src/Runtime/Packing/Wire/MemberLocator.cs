namespace BlitQueue;

/// <summary>Finds the member at a byte offset, by going through the bytes with the schema. It is called only after a fault.</summary>
/// <remarks>The bytes are damaged, so every answer is a best effort: null if they lead nowhere.</remarks>
internal static partial class MemberLocator
{
    /// <summary>The path of the member, such as <c>Items[3].Price</c>; null when the fault is in no member or cannot be told.</summary>
    public static string? Find(MessageSchema schema, ReadOnlySpan<byte> source, long offset)
        => offset < 0 || offset > source.Length ? null : InMessage(schema, source, 0, source.Length, offset, depth: 0);

    private static string? InMessage(MessageSchema schema, ReadOnlySpan<byte> source, int start, int end, long offset, int depth)
    {
        if (schema.Form is not ("" or "union" or "tolerant" or "circular") || depth > MessageFormat.MaxDepth
            || !TryLength(source, start, end, out uint header))
        {
            return null;
        }

        int block = start + MessageFormat.HeaderSize;
        int blockEnd = block + (int)(header & 0xFFFF);
        if (header == MessageFormat.Null || offset < block || blockEnd > end)
        {
            return null;
        }

        if (schema.Form == "union")
        {
            return InCase(schema, source, block, end, offset, depth);
        }

        if (schema.Form == "tolerant")
        {
            return InFields(schema, source, blockEnd, end, (int)(header >> 16), offset, depth);
        }

        return offset < blockEnd
            ? InBlock(schema, block, offset)
            : InVariables(schema, source, blockEnd, end, (int)(header >> 16), offset, depth);
    }

    // The case has no name of its own: the path goes on with the case's members.
    private static string? InCase(MessageSchema schema, ReadOnlySpan<byte> source, int start, int end, long offset, int depth)
    {
        int variable = start + MessageFormat.UnionFixedLength;
        if (variable > end || !TryContent(source, variable, end, out int content, out int contentEnd))
        {
            return null;
        }

        string tag = BinaryPrimitives.ReadUInt16LittleEndian(source[start..]).ToString(CultureInfo.InvariantCulture);
        return schema.Members.FirstOrDefault(option => option.Name == tag)?.Nested is [var nested]
            ? InMessage(nested, source, content, contentEnd, offset, depth + 1)
            : null;
    }

    private static string? InFields(MessageSchema schema, ReadOnlySpan<byte> source, int start, int end, int count, long offset, int depth)
    {
        for (int number = 0; number < count && offset >= start; number++)
        {
            if (!TryLength(source, start, end, out uint length))
            {
                return null;
            }

            bool whole = TryContent(source, start, end, out int content, out int contentEnd);
            if (length == MessageFormat.Hole)
            {
                contentEnd = content;
            }
            else if (!whole || offset < contentEnd)
            {
                return MemberAt(schema, number) is { } member ? Within(member, source[..contentEnd], content, offset, depth) : null;
            }

            start = contentEnd;
        }

        return null;
    }

    private static MemberSchema? MemberAt(MessageSchema schema, int number)
        => schema.Members.FirstOrDefault(member => member.Number == number);

    private static string? InBlock(MessageSchema schema, int start, long offset)
    {
        foreach (MemberSchema member in schema.Members)
        {
            if (!member.IsFixed)
            {
                continue;
            }

            start += member.FixedSize;
            if (offset < start)
            {
                return member.Name;
            }
        }

        return null;
    }

    private static string? InVariables(
        MessageSchema schema, ReadOnlySpan<byte> source, int start, int end, int count, long offset, int depth)
    {
        string? before = null;
        foreach (MemberSchema member in schema.Members)
        {
            if (member.IsFixed)
            {
                continue;
            }

            if (count-- == 0)
            {
                break;
            }

            // A fault right at the end of one variable belongs to that variable, unless the next one's length is wrong.
            bool whole = TryContent(source, start, end, out int content, out int contentEnd);
            if (offset == start && whole && before is not null)
            {
                return before;
            }

            if (!whole)
            {
                return member.Name;
            }

            if (offset < contentEnd)
            {
                return offset < start ? null : Within(member, source[..contentEnd], content, offset, depth);
            }

            before = Within(member, source[..contentEnd], content, offset, depth);
            start = contentEnd;
        }

        return offset == start ? before : null;
    }

    private static bool TryLength(ReadOnlySpan<byte> source, int start, int end, out uint length)
    {
        length = 0;
        return end - start >= sizeof(uint) && BinaryPrimitives.TryReadUInt32LittleEndian(source[start..end], out length);
    }

    // False if the content is not wholly here; then it ends where its parent ends.
    private static bool TryContent(ReadOnlySpan<byte> source, int start, int end, out int content, out int contentEnd)
    {
        content = Math.Min(end, start + MessageFormat.HeaderSize);
        contentEnd = end;
        if (!TryLength(source, start, end, out uint length))
        {
            return false;
        }

        if (length == MessageFormat.Null)
        {
            length = 0;
        }

        if (length > (uint)(end - content))
        {
            return false;
        }

        contentEnd = content + (int)length;
        return true;
    }

    private static string Within(MemberSchema member, ReadOnlySpan<byte> source, int start, long offset, int depth)
        => Within(member, member.Kind, member.Name, source, start, offset, depth);

    /// <param name="member">The member; its schema has the messages that its kind names.</param>
    /// <param name="kind">Its kind, or that of a part of it.</param>
    /// <param name="path">The path up to here.</param>
    /// <param name="source">The bytes up to the content's end.</param>
    /// <param name="start">The content's first byte.</param>
    /// <param name="offset">The fault's offset.</param>
    /// <param name="depth">How many messages are around it.</param>
    private static string Within(
        MemberSchema member, ReadOnlySpan<char> kind, string path, ReadOnlySpan<byte> source, int start, long offset, int depth)
    {
        if (kind is [.., '?'])
        {
            kind = kind[..^1];
        }

        if (kind is ['#', ..])
        {
            return Nested(member, kind) is { } nested && InMessage(nested, source, start, source.Length, offset, depth + 1) is { } inner
                ? $"{path}.{inner}"
                : path;
        }

        if (kind is not [.., '>'] || kind.IndexOf('<') is not (> 0 and var bracket))
        {
            return path;
        }

        string[] parts = Split(kind[(bracket + 1)..^1]);
        return kind[..bracket] switch
        {
            "list" => InList(member, parts[0], path, source, start, offset, depth),
            "map" => InParts(
                member, parts, index => $"{At(path, index / 2)}.{(index % 2 == 0 ? "Key" : "Value")}", path, source, start + sizeof(uint),
                offset, depth),
            "tuple" => InParts(
                member, parts,
                index => index < parts.Length ? string.Create(CultureInfo.InvariantCulture, $"{path}.Item{index + 1}") : path, path, source,
                start, offset, depth),
            ['g', 'r', 'i', 'd', >= '2' and <= '4' and var rank] => InGrid(member, parts, rank - '0', path, source, start, offset, depth),
            _ => path,
        };
    }

    private static string InList(
        MemberSchema member, string kind, string path, ReadOnlySpan<byte> source, int start, long offset, int depth)
    {
        int size = new MemberSchema("", kind).FixedSize;
        if (size == 0)
        {
            return InParts(member, [kind], index => At(path, index), path, source, start + sizeof(uint), offset, depth);
        }

        return offset < start || (source.Length - start) % size != 0 ? path : At(path, (offset - start) / size);
    }

    private static string InGrid(
        MemberSchema member, string[] parts, int rank, string path, ReadOnlySpan<byte> source, int start, long offset, int depth)
    {
        uint[] lengths = new uint[rank];
        for (int i = 0; i < rank; i++, start += sizeof(uint))
        {
            if (!TryLength(source, start, source.Length, out lengths[i]))
            {
                return path;
            }
        }

        return InParts(
            member, parts, index => Array.Exists(lengths, length => length == 0) ? path : Element(index), path, source, start, offset,
            depth);

        string Element(long index)
        {
            string[] indices = new string[rank];
            for (int i = rank - 1; i >= 0; index /= lengths[i--])
            {
                indices[i] = (i == 0 ? index : index % lengths[i]).ToString(CultureInfo.InvariantCulture);
            }

            return $"{path}[{string.Join(',', indices)}]";
        }
    }

    // Parts one after another, of the same kinds over and over: those of fixed size as they are, others behind their lengths.
    private static string InParts(
        MemberSchema member, string[] kinds, Func<long, string> name, string path, ReadOnlySpan<byte> source, int start, long offset,
        int depth)
    {
        int[] sizes = Array.ConvertAll(kinds, static kind => new MemberSchema("", kind).FixedSize);
        for (long index = 0; offset >= start && start < source.Length; index++)
        {
            int size = sizes[index % kinds.Length];
            int content = start;
            int end = start + size;
            if (size > 0 ? end > source.Length : !TryContent(source, start, source.Length, out content, out end))
            {
                return name(index);
            }

            if (offset < end || (end == source.Length && size == 0))
            {
                return size > 0
                    ? name(index)
                    : Within(member, kinds[index % kinds.Length], name(index), source[..end], content, offset, depth);
            }

            start = end;
        }

        return path;
    }

    // Commas inside of a part's own brackets do not count.
    private static string[] Split(ReadOnlySpan<char> kinds)
    {
        List<string> parts = [];
        int open = 0;
        int start = 0;
        for (int i = 0; i < kinds.Length; i++)
        {
            open += kinds[i] switch { '<' => 1, '>' => -1, _ => 0 };
            if (kinds[i] != ',' || open != 0)
            {
                continue;
            }

            parts.Add(kinds[start..i].ToString());
            start = i + 1;
        }

        parts.Add(kinds[start..].ToString());
        return [.. parts];
    }

    private static MessageSchema? Nested(MemberSchema member, ReadOnlySpan<char> kind)
        => int.TryParse(kind[1..], NumberStyles.None, CultureInfo.InvariantCulture, out int index) && index < member.Nested.Count
            ? member.Nested[index]
            : null;

    private static string At(string name, long index) => string.Create(CultureInfo.InvariantCulture, $"{name}[{index}]");
}
