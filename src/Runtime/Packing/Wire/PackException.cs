using System.Runtime.CompilerServices;

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
    // A method that catches is not inlined, and a call that is not costs as much as a third of unpacking a small message. A method
    // with finally is; but finally does not say what was thrown, so what this thread made last stands here.
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
    /// <param name="message">What was wrong, without the place.</param>
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
    /// The byte offset of the fault from the start of what was unpacked; -1 where it is not known. What <see cref="Message"/> says of the
    /// stream counts from where reading it began.
    /// </summary>
    public long Offset { get; } = -1;

    /// <summary>The root message's name; null where it is not known, as in an exception filter.</summary>
    public string? MessageName { get; private set; }

    /// <summary>
    /// The path of the faulty member from the root message, such as <c>Items[3].Price</c>; null where it is not known, as in an exception
    /// filter.
    /// </summary>
    public string? Member { get; private set; }

    // Which message of a stream it was, behind all else.
    private string? Frame { get; set; }

    /// <summary>Says which message of a stream could not be unpacked.</summary>
    /// <param name="number">How many were read before it.</param>
    /// <param name="offset">Where its length stands, from where reading began.</param>
    internal void SetFrame(long number, long offset)
        => Frame ??= $", in message {number + 1} of the stream, whose length stands at byte {offset}";

    /// <summary>Says which member the fault is in, found by walking the bytes once more with the schema; once is enough.</summary>
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
    /// The same for the exception that is on its way through this thread, from a finally block; another kind stays as it is.
    /// </summary>
    [MethodImpl(MethodImplOptions.NoInlining)]
    internal static void LocateThrown<T>(ReadOnlySpan<byte> source)
        where T : IPackable<T>
    {
        Latest?.Locate(T.Schema, source);
        Latest = null;
    }
}
