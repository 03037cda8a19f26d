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
        Fingerprint = Envelope.FingerprintIn(ContentType);
        Origin = RabbitMq.Origin.Parse(properties.AppId);
    }

    /// <summary>The broker's number of this delivery, on its channel.</summary>
    public ulong Tag { get; }

    public IReadOnlyBasicProperties Properties { get; }

    public byte[] Body { get; }

    public string? Fingerprint { get; }

    /// <summary>AMQP's <c>message-id</c>; without one, source and position.</summary>
    public string? MessageId => Envelope.MessageIdOf(Properties, Origin);

    /// <summary>AMQP's <c>content-type</c>; null where the sender did not say.</summary>
    public string? ContentType => Properties.IsContentTypePresent() ? Properties.ContentType : null;

    /// <summary>The members of its type; null where the sender did not say.</summary>
    public string? SchemaText => Envelope.Text(Properties, Envelope.SchemaHeader);

    /// <summary>null where no forwarder has sent the message.</summary>
    public Origin? Origin { get; }

    /// <summary>The source's identity; null where there is none.</summary>
    public string? SourceId => Origin?.Source;

    public long Position => Origin?.Position ?? -1;

    public long Previous => Origin?.Previous ?? -1;

    // The client's memory is its own again when the handler has returned.
    public static Delivery Copy(BasicDeliverEventArgs delivered) =>
        new(delivered.DeliveryTag, new BasicProperties(delivered.BasicProperties), delivered.Body.ToArray());
}
