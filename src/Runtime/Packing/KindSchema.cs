using System.ComponentModel;

namespace BlitQueue;

/// <summary>For generated code: the kind that a message's type parameter stands for.</summary>
[EditorBrowsable(EditorBrowsableState.Never)]
public sealed class KindSchema
{
    private readonly Func<MessageSchema>[] _nested;

    /// <summary>Describes a kind.</summary>
    /// <param name="kind">The kind, as in <see cref="MemberSchema"/>.</param>
    /// <param name="nested">The messages that the kind names, asked for when a schema's text is first needed.</param>
    public KindSchema(string kind, params Func<MessageSchema>[] nested)
    {
        Kind = kind;
        _nested = nested;
    }

    /// <summary>The kind, with <c>#0</c>, <c>#1</c>... for the messages it names.</summary>
    public string Kind { get; }

    /// <summary>Whether packing runs code that is not generated.</summary>
    public bool RunsUserCode { get; init; }

    /// <summary>The kind of a variable that holds one such value: a value of fixed size is a tuple of one part.</summary>
    public KindSchema AsVariable
        => MemberSchema.FixedSizeOf(Kind) == 0 ? this : new KindSchema($"tuple<{Kind}>", _nested) { RunsUserCode = RunsUserCode };

    internal Func<MessageSchema>[] Nested => _nested;
}
