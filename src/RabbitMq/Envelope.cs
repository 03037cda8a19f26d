using System.Globalization;
using System.Text;
using RabbitMQ.Client;

namespace BlitQueue.RabbitMq;

/// <summary>What stands around a packed message on its way: properties and headers of AMQP, written and read.</summary>
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

    private const string LabelHeader = Prefix + "label", ProducerHeader = Prefix + "producer", ExpiresHeader = Prefix + "expires";

    /// <summary>The header of a local message that is AMQP's <c>priority</c>: a number from 0 to 255.</summary>
    private const string Priority = "priority";

    public static string TextOf(ulong fingerprint) => fingerprint.ToString("x16", CultureInfo.InvariantCulture);

    /// <summary>What goes along with a body.</summary>
    /// <param name="schema">Of the message.</param>
    /// <param name="schemaText">Its text, where it is sent.</param>
    /// <param name="contentType">null: the body is packed.</param>
    /// <param name="source">The source's identity.</param>
    /// <param name="position">The message's.</param>
    /// <param name="previous">That of the message before; -1: none.</param>
    /// <param name="properties">Those of the message.</param>
    /// <param name="expireAtBroker">As <see cref="ForwarderOptions.ExpireAtBroker"/>.</param>
    public static BasicProperties Write(
        MessageSchema schema, byte[]? schemaText, string? contentType, string source, long position, long previous,
        MessageProperties? properties, bool expireAtBroker)
    {
        var headers = new Dictionary<string, object?>
        {
            [SourceHeader] = source,
            [PositionHeader] = position,
            [PreviousHeader] = previous,
        };
        if (contentType is null)
        {
            headers[SchemaHeader] = TextOf(schema.Fingerprint);
        }
        if (schemaText is not null)
        {
            headers[SchemaTextHeader] = schemaText;
        }
        var amqp = new BasicProperties
        {
            ContentType = contentType ?? ContentType,
            Type = schema.Name,
            Persistent = true,
            Headers = headers,
        };
        if (properties is null)
        {
            amqp.MessageId = string.Create(CultureInfo.InvariantCulture, $"{source}/{position}");
            return amqp;
        }
        amqp.MessageId = properties.MessageId ?? string.Create(CultureInfo.InvariantCulture, $"{source}/{position}");
        if (properties.CorrelationId is { } correlation)
        {
            amqp.CorrelationId = correlation;
        }
        if (properties.ReplyTo is { } reply)
        {
            amqp.ReplyTo = reply;
        }
        WriteTimes(properties, amqp, headers, expireAtBroker);
        WriteTexts(properties, amqp, headers);
        return amqp;
    }

    private static void WriteTimes(
        MessageProperties properties, BasicProperties amqp, Dictionary<string, object?> headers, bool expireAtBroker)
    {
        if (properties.EnqueuedAt is { } enqueued)
        {
            amqp.Timestamp = new AmqpTimestamp(new DateTimeOffset(enqueued).ToUnixTimeSeconds());
        }
        if (properties.ExpiresAt is not { } expires)
        {
            return;
        }
        headers[ExpiresHeader] = new DateTimeOffset(expires).ToUnixTimeMilliseconds();
        if (expireAtBroker)
        {
            long left = Math.Max(0, (long)(expires - DateTime.UtcNow).TotalMilliseconds);
            amqp.Expiration = left.ToString(CultureInfo.InvariantCulture);
        }
    }

    private static void WriteTexts(MessageProperties properties, BasicProperties amqp, Dictionary<string, object?> headers)
    {
        foreach ((string name, string value) in properties.Headers)
        {
            if (name == Priority && byte.TryParse(value, NumberStyles.None, CultureInfo.InvariantCulture, out byte priority))
            {
                amqp.Priority = priority;
            }
            else if (!name.StartsWith(Prefix, StringComparison.Ordinal))
            {
                headers[name] = value;
            }
        }
        if (properties.Label is { } label)
        {
            headers[LabelHeader] = label;
        }
        if (properties.Producer is { } producer)
        {
            headers[ProducerHeader] = producer;
        }
    }

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
