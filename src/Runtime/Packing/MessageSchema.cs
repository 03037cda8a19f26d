namespace BlitQueue;

/// <summary>What a message is made of. Two types are the same message when their member names, kinds and order are the same.</summary>
/// <remarks>The type's own name is no part of that: it may change, and so may its namespace.</remarks>
/// <example>
/// <code>
/// Console.WriteLine(Order.Schema.Text);       // #0{Id:i64,Customer:string,Items:list&lt;#1&gt;}#1{Sku:string,Count:i32}
/// </code>
/// </example>
public sealed partial class MessageSchema
{
    private readonly bool _ownCodeRuns;

    // Written once with equal content by whoever comes first, so no lock is needed.
    private Facts? _facts;

    /// <summary>Describes a message.</summary>
    /// <param name="name">The type's name, for error messages only.</param>
    /// <param name="members">The members in packed order, those of base classes first.</param>
    /// <param name="form">How the members are packed, where that is not one after another: a word such as <c>tolerant</c>, <c>circular</c> or <c>union</c>.</param>
    /// <param name="runsUserCode">Whether packing this very type runs code that is not generated: a getter with a body, a callback, a custom packer.</param>
    public MessageSchema(string name, IReadOnlyList<MemberSchema> members, string form = "", bool runsUserCode = false)
    {
        Name = name;
        Members = members;
        Form = form;
        _ownCodeRuns = runsUserCode;
    }

    /// <summary>The type's name.</summary>
    public string Name { get; }

    /// <summary>The members in packed order, those of base classes first.</summary>
    public IReadOnlyList<MemberSchema> Members { get; }

    /// <summary>How the members are packed; empty for one after another.</summary>
    public string Form { get; }

    /// <summary>
    /// The canonical text: every message type reached, numbered in depth-first order, with its members. This is what a queue
    /// stores and what <see cref="Fingerprint"/> is made of.
    /// </summary>
    public string Text => (_facts ??= Facts.Of(this)).Text;

    /// <summary>The first 8 bytes, little-endian, of the SHA-256 of <see cref="Text"/> in UTF-8.</summary>
    public ulong Fingerprint => (_facts ??= Facts.Of(this)).Fingerprint;

    /// <summary>Whether packing runs code that is not generated, in this type or any that it reaches.</summary>
    public bool RunsUserCode => (_facts ??= Facts.Of(this)).RunsUserCode;

    /// <summary>Whether the message may have objects in it that stand there more than once.</summary>
    internal bool KeepsIdentity => (_facts ??= Facts.Of(this)).KeepsIdentity;

    /// <summary>The name and the canonical text.</summary>
    /// <returns>For people to read.</returns>
    public override string ToString() => $"{Name} {Text}";
}
