using System.Globalization;
using System.Text;
using RabbitMQ.Client;

namespace BlitQueue.RabbitMq;

/// <summary>What stands around a packed message on its way: properties and headers of AMQP, their names, and how they are read.</summary>
internal static class Envelope
{
    public const string ContentType = "application/x-blitqueue";

    public const string Prefix = "blitqueue-";

    /// <summary>The source's identity, a text.</summary>
    public const string SourceHeader = Prefix + "source";

    /// <summary>The message's position in the source's queue, a number.</summary>
    public const string PositionHeader = Prefix + "position";

    /// <summary>The position of the message that the source sent before; -1: none.</summary>
    public const string PreviousHeader = Prefix + "previous";

    /// <summary>The schema's fingerprint, 16 hexadecimal digits.</summary>
    public const string SchemaHeader = Prefix + "schema";

    /// <summary>The members of the message type, as <see cref="MessageSchema.Text"/> has them.</summary>
    public const string SchemaTextHeader = Prefix + "schema-text";

    public const string LabelHeader = Prefix + "label", ProducerHeader = Prefix + "producer", ExpiresHeader = Prefix + "expires";

    /// <summary>The header of a local message that is AMQP's <c>priority</c>: a number from 0 to 255.</summary>
    public const string Priority = "priority";

    public static string TextOf(ulong fingerprint) => fingerprint.ToString("x16", CultureInfo.InvariantCulture);

    /// <summary>The properties that the message has in the local queue.</summary>
    public static MessageProperties Read(IReadOnlyBasicProperties amqp)
    {
        var properties = new MessageProperties
        {
            MessageId = amqp.IsMessageIdPresent() ? amqp.MessageId : null,
            CorrelationId = amqp.IsCorrelationIdPresent() ? amqp.CorrelationId : null,
            ReplyTo = amqp.IsReplyToPresent() ? amqp.ReplyTo : null,
            Label = Text(amqp, LabelHeader),
            Producer = Text(amqp, ProducerHeader),
        };
        if (NumberOf(amqp, ExpiresHeader) is { } expires)
        {
            properties.ExpiresAt = DateTimeOffset.FromUnixTimeMilliseconds(expires).UtcDateTime;
        }
        if (amqp.IsPriorityPresent())
        {
            properties.Headers[Priority] = amqp.Priority.ToString(CultureInfo.InvariantCulture);
        }
        foreach ((string name, object? value) in amqp.Headers ?? new Dictionary<string, object?>())
        {
            // What the broker adds (x-death, x-delivery-count) is about its queue, and is no text either.
            if (!name.StartsWith(Prefix, StringComparison.Ordinal) && value is byte[] text)
            {
                properties.Headers[name] = Encoding.UTF8.GetString(text);
            }
        }
        return properties;
    }

    public static string? Text(IReadOnlyBasicProperties amqp, string header) => ValueOf(amqp, header) switch
    {
        byte[] bytes => Encoding.UTF8.GetString(bytes),
        string text => text,
        _ => null,
    };

    public static long? NumberOf(IReadOnlyBasicProperties amqp, string header) => ValueOf(amqp, header) switch
    {
        long number => number,
        int number => number,
        _ => null,
    };

    private static object? ValueOf(IReadOnlyBasicProperties amqp, string header) =>
        amqp.Headers is { } headers && headers.TryGetValue(header, out object? value) ? value : null;
}
