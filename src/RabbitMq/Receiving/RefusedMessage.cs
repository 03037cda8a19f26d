namespace BlitQueue.RabbitMq;

/// <summary>
/// A message that came and cannot be a message of the local queue: of another type, damaged, or not from a forwarder. A
/// <see cref="Receiver{T}"/> writes it into the queue <c>refused-NAME</c> of its store, with the mark that it has it.
/// </summary>
[QueueMessage]
public sealed partial class RefusedMessage
{
    /// <summary>Why, in words.</summary>
    public string Reason { get; set; } = "";

    /// <summary>The source's identity; null if the message names none.</summary>
    public string? SourceId { get; set; }

    /// <summary>Its position in the source's queue; -1 if the message names none.</summary>
    public long Position { get; set; } = -1;

    /// <summary>The fingerprint of the message's schema, as it came; null if the message names none.</summary>
    public string? Fingerprint { get; set; }

    /// <summary>The name of its type at the sender (AMQP's <c>type</c>); null if there is none.</summary>
    public string? TypeName { get; set; }

    /// <summary>AMQP's <c>content-type</c>; null if there is none.</summary>
    public string? ContentType { get; set; }

    /// <summary>AMQP's <c>message-id</c>; without one, source and position; null if there is neither.</summary>
    public string? MessageId { get; set; }

    /// <summary>When it was set aside, UTC.</summary>
    public DateTime RefusedAt { get; set; }

    /// <summary>The body as it came.</summary>
    public byte[] Body { get; set; } = [];

    /// <summary>The members of its type at the sender (<see cref="MessageSchema.Text"/>); null if the message does not say.</summary>
    public string? SchemaText { get; set; }
}
