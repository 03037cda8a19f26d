namespace BlitQueue.Generated;

/// <summary>For generated code: the kind of a message's type argument.</summary>
[EditorBrowsable(EditorBrowsableState.Never)]
public sealed class KindSchema
{
    /// <summary>Describes a kind.</summary>
    /// <param name="kind">The kind, as in <see cref="MemberSchema"/>.</param>
    /// <param name="nested">The messages that the kind names; called when a schema's text is first needed.</param>
    public KindSchema(string kind, params Func<MessageSchema>[] nested)
    {
        Kind = kind;
        Nested = nested;
    }

    /// <summary>The kind, with <c>#0</c>, <c>#1</c>... for the messages it names.</summary>
    public string Kind { get; }

    /// <summary>Whether packing runs code that is not generated.</summary>
    public bool RunsUserCode { get; init; }

    /// <summary>The kind of a variable with one such value: a value of fixed size becomes a tuple of one part.</summary>
    public KindSchema AsVariable
        => MemberSchema.FixedSizeOf(Kind) == 0 ? this : new KindSchema($"tuple<{Kind}>", Nested) { RunsUserCode = RunsUserCode };

    internal Func<MessageSchema>[] Nested { get; }

    /// <summary>
    /// A kind in which each number behind a mark, and the mark itself, is replaced by something else: <c>map&lt;string,#1&gt;</c> names the
    /// second nested message.
    /// </summary>
    internal static string Replace(string kind, char mark, Func<int, string> replacement)
    {
        if (!kind.Contains(mark, StringComparison.Ordinal))
        {
            return kind;
        }

        var text = new StringBuilder();
        for (int at = 0; at < kind.Length;)
        {
            if (kind[at] != mark)
            {
                text.Append(kind[at++]);
                continue;
            }

            int end = at + 1;
            while (end < kind.Length && char.IsAsciiDigit(kind[end]))
            {
                end++;
            }

            text.Append(replacement(int.Parse(kind.AsSpan((at + 1)..end), NumberStyles.None, CultureInfo.InvariantCulture)));
            at = end;
        }

        return text.ToString();
    }
}
