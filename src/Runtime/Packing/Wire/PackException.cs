namespace BlitQueue;

/// <summary>Bytes are no valid message of the type, or a message cannot be packed. Bad bytes cause no other exception.</summary>
/// <example>
/// <code>
/// try { order = Packer.Unpack&lt;Order&gt;(bytes); }
/// catch (PackException e) { Console.Error.WriteLine($"{e.Message} (member {e.Member ?? "unknown"})"); }
/// </code>
/// </example>
public sealed partial class PackException : Exception
{
    // The JIT does not inline a method with a catch block, and a call costs as much as a third of unpacking a small message. It inlines a
    // method with a finally block; but a finally block does not know the exception, so this field has the one that the thread made last.
    [ThreadStatic]
    private static PackException? Latest;

    /// <summary>Says what was wrong, where no offset is known.</summary>
    /// <param name="message">What was wrong.</param>
    public PackException(string message)
        : this(message, innerException: null)
    {
    }

    /// <summary>Says what was wrong and what caused it.</summary>
    /// <param name="message">What was wrong.</param>
    /// <param name="innerException">The cause.</param>
    public PackException(string message, Exception? innerException)
        : base(message, innerException) => Latest = this;

    /// <summary>Says what was wrong and where, for packers written by hand.</summary>
    /// <param name="message">What was wrong, without the offset.</param>
    /// <param name="offset">The byte offset from the start of what is unpacked, as <see cref="PackReader.Position"/> counts.</param>
    public PackException(string message, long offset)
        : this(message, offset, cause: null)
    {
    }

    private PackException(string message, long offset, Exception? cause)
        : this($"{message} (byte {offset})", cause) => Offset = offset;

    /// <summary>What was wrong, with the message and the member where they are known.</summary>
    public override string Message =>
        (MessageName is null ? base.Message
        : Member is null ? $"{MessageName}: {base.Message}"
        : $"{MessageName}.{Member}: {base.Message}") + Frame;

    /// <summary>
    /// The byte offset of the fault from the start of what was unpacked; -1 if it is not known. Offsets in a stream, which
    /// <see cref="Message"/> names, count from where reading the stream began.
    /// </summary>
    public long Offset { get; } = -1;

    /// <summary>The root message's name; null if it is not known, as in an exception filter.</summary>
    public string? MessageName { get; private set; }

    /// <summary>
    /// The path of the faulty member from the root message, such as <c>Items[3].Price</c>; null if it is not known, as in an exception
    /// filter.
    /// </summary>
    public string? Member { get; private set; }

    // The end of the text: which message of a stream it was.
    private string? Frame { get; set; }

    /// <summary>Says which message of a stream could not be unpacked.</summary>
    /// <param name="number">How many were read before it.</param>
    /// <param name="offset">Where its length is, counted from where reading began.</param>
    internal void SetFrame(long number, long offset)
        => Frame ??= $", in message {number + 1} of the stream, whose length stands at byte {offset}";

    /// <summary>
    /// Adds the member with the fault, which it finds by going through the bytes with the schema. Only the first call does something.
    /// </summary>
    /// <param name="schema">The root message's schema.</param>
    /// <param name="source">The bytes that were unpacked, from the offset that <see cref="Offset"/> counts from.</param>
    /// <returns>This exception.</returns>
    internal PackException Locate(MessageSchema schema, ReadOnlySpan<byte> source)
    {
        if (MessageName is null)
        {
            Member = MemberLocator.Find(schema, source, Offset);
            MessageName = schema.Name;
        }

        return this;
    }

    /// <summary>
    /// The same for the exception that is being thrown on this thread; called from a finally block. It does nothing for other kinds of
    /// exceptions.
    /// </summary>
    [MethodImpl(MethodImplOptions.NoInlining)]
    internal static void LocateThrown<T>(ReadOnlySpan<byte> source)
        where T : IPackable<T>
    {
        Latest?.Locate(T.Schema, source);
        Latest = null;
    }
}
