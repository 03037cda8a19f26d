using BlitQueue.Generated;

namespace BlitQueue;

/// <summary>One member of a message: its name and its kind.</summary>
public sealed class MemberSchema
{
    private readonly string _kind;
    private readonly Func<MessageSchema>[] _nested;

    // Any thread may write it; all write the same, so no lock is needed.
    private KindSchema? _resolved;

    /// <summary>Describes a member.</summary>
    /// <param name="name">The member's name; for a union's case its tag.</param>
    /// <param name="kind"> The kind: <c>bool i8 u8 char i16 u16 i32 u32 i64 u64 i128 u128 f16 f32 f64 decimal guid complex datetime
    /// datetimeoffset timespan date time rune</c>, <c>blitN</c> for a struct of N bytes, each with <c>?</c> if it can be null;
    /// <c>string</c>; <c>#i</c> for the i-th of <paramref name="nested"/>; <c>list&lt;kind&gt;</c>, <c>map&lt;kind,kind&gt;</c>,
    /// <c>tuple&lt;kind,..&gt;</c>, and any other word, with or without such brackets. Neither a comma outside brackets nor a colon, brace
    /// or blank is allowed.
    /// </param>
    /// <param name="nested">The messages that the kind names; called when the schema's text is first needed.</param>
    public MemberSchema(string name, string kind, params Func<MessageSchema>[] nested)
    {
        Name = name;
        _kind = kind;
        _nested = nested;
    }

    /// <summary>The member's name; for a union's case its tag.</summary>
    public string Name { get; }

    /// <summary>The member's number in a version-tolerant message; -1 in others, where the order of the members counts.</summary>
    public int Number { get; init; } = -1;

    /// <summary>The kind, with <c>#0</c>, <c>#1</c>... for the messages it names.</summary>
    public string Kind => Resolved.Kind;

    /// <summary>The messages that the kind names.</summary>
    public IReadOnlyList<MessageSchema> Nested => Array.ConvertAll(Resolved.Nested, static schema => schema());

    /// <summary>
    /// In a generic message: the type arguments that the kind names as <c>$0</c>, <c>$1</c>... Called when the schema's text is first
    /// needed.
    /// </summary>
    public IReadOnlyList<Func<KindSchema>> Arguments { get; init; } = [];

    /// <summary>Whether packing a type argument runs code that is not generated.</summary>
    internal bool RunsUserCode => Resolved.RunsUserCode;

    /// <summary>Whether the member is in the fixed block.</summary>
    internal bool IsFixed => FixedSize > 0;

    /// <summary>Its bytes in the fixed block; 0 for a variable member.</summary>
    internal int FixedSize => FixedSizeOf(Kind);

    private KindSchema Resolved => _resolved ??= Resolve();

    /// <summary>The bytes of a kind of fixed size; 0 for any other.</summary>
    internal static int FixedSizeOf(ReadOnlySpan<char> kind)
    {
        int presence = kind is [.., '?'] ? 1 : 0;
        int size = SizeOf(presence == 0 ? kind : kind[..^1]);
        return size == 0 ? 0 : size + presence;
    }

    // The messages of each argument are numbered behind those before it.
    private KindSchema Resolve()
    {
        List<Func<MessageSchema>> nested = [.. _nested];
        List<string> kinds = [];
        bool runsUserCode = false;
        foreach (Func<KindSchema> source in Arguments)
        {
            KindSchema argument = source();
            int before = nested.Count;
            kinds.Add(KindSchema.Replace(argument.Kind, '#', number => string.Create(CultureInfo.InvariantCulture, $"#{before + number}")));
            nested.AddRange(argument.Nested);
            runsUserCode |= argument.RunsUserCode;
        }

        return new KindSchema(KindSchema.Replace(_kind, '$', number => kinds[number]), [.. nested]) { RunsUserCode = runsUserCode };
    }

    private static int SizeOf(ReadOnlySpan<char> kind) => kind switch
    {
        "bool" or "i8" or "u8" => 1,
        "char" or "i16" or "u16" or "f16" => 2,
        "i32" or "u32" or "f32" or "date" or "rune" => 4,
        "i64" or "u64" or "f64" or "datetime" or "timespan" or "time" => 8,
        "datetimeoffset" => 10,
        "i128" or "u128" or "decimal" or "guid" or "complex" => 16,
        ['b', 'l', 'i', 't', .. var size] when int.TryParse(size, NumberStyles.None, CultureInfo.InvariantCulture, out int bytes) => bytes,
        _ => 0,
    };
}
