using RabbitMQ.Client;
using RabbitMQ.Client.Events;

namespace BlitQueue.RabbitMq;

/// <summary>A message that came from the broker and is not acknowledged.</summary>
internal sealed class Delivery
{
    private Delivery(ulong tag, IReadOnlyBasicProperties properties, byte[] body)
    {
        Tag = tag;
        Properties = properties;
        Body = body;
        Fingerprint = Envelope.Text(properties, Envelope.SchemaHeader);
        if (Envelope.Text(properties, Envelope.SourceHeader) is { } source
            && Envelope.NumberOf(properties, Envelope.PositionHeader) is { } position
            && Envelope.NumberOf(properties, Envelope.PreviousHeader) is { } previous
            && previous < position && position >= 0)
        {
            (SourceId, Position, Previous) = (source, position, previous);
        }
    }

    /// <summary>The broker's number of this delivery, on its channel.</summary>
    public ulong Tag { get; }

    public IReadOnlyBasicProperties Properties { get; }

    public byte[] Body { get; }

    public string? Fingerprint { get; }

    /// <summary>AMQP's <c>content-type</c>; null where the sender did not say.</summary>
    public string? ContentType => Properties.IsContentTypePresent() ? Properties.ContentType : null;

    /// <summary>The members of its type; null where the sender did not say.</summary>
    public string? SchemaText => Envelope.Text(Properties, Envelope.SchemaTextHeader);

    /// <summary>null where no forwarder has sent the message.</summary>
    public string? SourceId { get; }

    public long Position { get; } = -1;

    public long Previous { get; } = -1;

    // The client's memory is its own again when the handler has returned.
    public static Delivery Copy(BasicDeliverEventArgs delivered) =>
        new(delivered.DeliveryTag, new BasicProperties(delivered.BasicProperties), delivered.Body.ToArray());
}
