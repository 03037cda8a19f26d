using System.Buffers;

namespace BlitQueue.RabbitMq;

/// <summary>
/// How messages are written into the bodies that go to the broker, where the other end is no BlitQueue. Without one, a body is the packed
/// message. <see cref="JsonBody{T}"/> is the one for JSON.
/// </summary>
/// <typeparam name="T">The local queue's message type.</typeparam>
/// <remarks>
/// A forwarder sends the <see cref="ContentType"/> along, and no schema. A receiver uses the format for bodies of that content type, and
/// for messages that name neither a content type nor a schema; those that are packed it unpacks. It takes messages of other senders then,
/// which have no source: one that the broker delivers twice is in the local queue twice. One bridge uses a format at a time.
/// </remarks>
public abstract class BodyFormat<T>
    where T : IPackable<T>
{
    /// <summary>The AMQP <c>content-type</c>.</summary>
    public abstract string ContentType { get; }

    /// <summary>Writes a message.</summary>
    /// <param name="body">Where to.</param>
    /// <param name="message">The message.</param>
    /// <exception cref="Exception">The message cannot be written: it becomes a dead letter of the forwarder's subscription.</exception>
    public abstract void Write(IBufferWriter<byte> body, T message);

    /// <summary>Reads a message.</summary>
    /// <param name="body">The body as it came.</param>
    /// <returns>The message; null is refused.</returns>
    /// <exception cref="Exception">The body is no message: it goes to the receiver's <c>refused-NAME</c>.</exception>
    public abstract T? Read(ReadOnlySpan<byte> body);
}
