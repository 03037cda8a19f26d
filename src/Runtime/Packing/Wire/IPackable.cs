namespace BlitQueue;

/// <summary>What the generator implements on every type marked with <see cref="QueueMessageAttribute"/>.</summary>
/// <typeparam name="T">The message type itself.</typeparam>
/// <remarks>
/// "There is no implicit reference conversion from 'Order' to 'BlitQueue.IPackable&lt;Order&gt;'" (CS0311, CS0315) says that Order is not
/// marked, or that its project has the library without the generator. docs/diagnostics/CS0311.md says what to do.
/// </remarks>
/// <example>
/// <code>
/// static byte[] ToBytes&lt;T&gt;(in T message) where T : IPackable&lt;T&gt; => Packer.Pack(in message);
/// </code>
/// </example>
public interface IPackable<T>
{
    /// <summary>Writes the message, or the null mark for null.</summary>
    /// <param name="writer">Where to.</param>
    /// <param name="value">The message.</param>
    /// <exception cref="PackException">The message is nested deeper than 64, or its exact type is not <typeparamref name="T"/>.</exception>
    static abstract void Pack(ref PackWriter writer, scoped in T? value);

    /// <summary>Reads the message into the given instance if it can, otherwise into a new one; null for the null mark.</summary>
    /// <param name="reader">Where from.</param>
    /// <param name="value">The instance to fill, or null.</param>
    /// <exception cref="PackException">The bytes are no such message.</exception>
    static abstract void Unpack(ref PackReader reader, scoped ref T? value);

    /// <summary>The message's members and fingerprint.</summary>
    static abstract MessageSchema Schema { get; }

    /// <summary>
    /// The number of bytes of every message of the type, header included, if all its members have fixed sizes and any bytes are valid
    /// values of them; otherwise 0. The two methods below do something only if it is not 0.
    /// </summary>
    static virtual int FixedLength => 0;

    /// <summary>Packs without a writer. Never throws.</summary>
    /// <param name="destination">At least <see cref="FixedLength"/> bytes.</param>
    /// <param name="value">The message.</param>
    /// <returns>false if <see cref="Pack"/> would have more to do: for null, or an instance of a derived type.</returns>
    static virtual bool TryPackFixed(Span<byte> destination, scoped in T value) => false;

    /// <summary>Unpacks without a reader into the given instance. Never throws.</summary>
    /// <param name="source">A whole packed message.</param>
    /// <param name="value">The instance.</param>
    /// <returns>
    /// false, with nothing changed, if <see cref="Unpack"/> would have more to do: no instance, or another version's bytes.
    /// </returns>
    static virtual bool TryUnpackFixed(ReadOnlySpan<byte> source, scoped ref T? value) => false;
}
