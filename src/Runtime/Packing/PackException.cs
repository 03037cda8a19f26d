namespace BlitQueue;

/// <summary>Bytes that are no such message, or a message that cannot be packed. The only exception that bad bytes can cause.</summary>
/// <example>
/// <code>
/// try { order = Packer.Unpack&lt;Order&gt;(bytes); }
/// catch (PackException e) { Console.Error.WriteLine($"{e.Message} (member {e.Member ?? "unknown"})"); }
/// </code>
/// </example>
public sealed partial class PackException : Exception
{
    /// <summary>Says what was wrong, where no offset is known.</summary>
    /// <param name="message">What was wrong.</param>
    public PackException(string message)
        : base(message)
    {
    }

    /// <summary>Says what was wrong and what caused it.</summary>
    /// <param name="message">What was wrong.</param>
    /// <param name="innerException">The cause.</param>
    public PackException(string message, Exception? innerException)
        : base(message, innerException)
    {
    }

    /// <summary>Says what was wrong and where, for packers written by hand.</summary>
    /// <param name="message">What was wrong, without the place.</param>
    /// <param name="offset">The byte offset from the start of what is unpacked, as <see cref="PackReader.Position"/> counts.</param>
    public PackException(string message, long offset)
        : base($"{message} (byte {offset})")
    {
        Offset = offset;
    }

    private PackException(string message, long offset, Exception? cause)
        : base($"{message} (byte {offset})", cause) => Offset = offset;

    private PackException(PackException cause, string messageName, string? member)
        : base(member is null ? $"{messageName}: {cause.Message}" : $"{messageName}.{member}: {cause.Message}", cause)
    {
        Offset = cause.Offset;
        MessageName = messageName;
        Member = member;
    }

    /// <summary>The byte offset of the fault from the start of what was unpacked; -1 where it is not known.</summary>
    public long Offset { get; } = -1;

    /// <summary>The root message's name; null where it is not known.</summary>
    public string? MessageName { get; }

    /// <summary>The path of the faulty member from the root message, such as <c>Items[3].Price</c>; null where it is not known.</summary>
    public string? Member { get; }

    /// <summary>The same fault with the member it is in, found by walking the bytes once more with the schema.</summary>
    /// <param name="schema">The root message's schema.</param>
    /// <param name="source">The bytes that were unpacked, from the offset that <see cref="Offset"/> counts from.</param>
    /// <returns>A new exception with this one inside, or this one when it already names its message.</returns>
    internal PackException Locate(MessageSchema schema, ReadOnlySpan<byte> source)
        => MessageName is not null ? this : new PackException(this, schema.Name, MemberLocator.Find(schema, source, Offset));
}
