namespace BlitQueue;

/// <summary>What the generator implements on every type marked with <see cref="QueueMessageAttribute"/>.</summary>
/// <typeparam name="T">The message type itself.</typeparam>
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

    /// <summary>Reads the message into the instance it is given where it can, else into a new one; null for the null mark.</summary>
    /// <param name="reader">Where from.</param>
    /// <param name="value">The instance to fill, or null.</param>
    /// <exception cref="PackException">The bytes are no such message.</exception>
    static abstract void Unpack(ref PackReader reader, scoped ref T? value);

    /// <summary>The message's members and fingerprint.</summary>
    static abstract MessageSchema Schema { get; }
}
