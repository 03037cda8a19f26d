using System.Globalization;
using System.Text;
using RabbitMQ.Client;

namespace BlitQueue.RabbitMq;

/// <summary>What stands around a packed message on its way: properties and headers of AMQP, their names, and how they are read.</summary>
internal static class Envelope
{
    public const string ContentType = "application/x-blitqueue";

    public const string Prefix = "blitqueue-";

    /// <summary>Stands in front of the name of a local message's header that begins with <see cref="Prefix"/>.</summary>
    public const string UserPrefix = Prefix + "user-";

    /// <summary>The members of the message type, as <see cref="MessageSchema.Text"/> has them.</summary>
    public const string SchemaHeader = Prefix + "schema";

    public const string LabelHeader = Prefix + "label", ProducerHeader = Prefix + "producer", ExpiresHeader = Prefix + "expires";

    /// <summary>The header of a local message that is AMQP's <c>priority</c>: 0 to 255, written without zeros in front.</summary>
    public const string Priority = "priority";

    // Of DateTime, milliseconds since 1970.
    private static readonly long FirstTime = DateTimeOffset.MinValue.ToUnixTimeMilliseconds(),
        LastTime = DateTimeOffset.MaxValue.ToUnixTimeMilliseconds();

    // A parameter of the content type, as those of MIME.
    private const string SchemaParameter = ContentType + "; schema=";

    public static string TextOf(ulong fingerprint) => fingerprint.ToString("x16", CultureInfo.InvariantCulture);

    /// <summary>The content type of a packed body, with the schema's fingerprint.</summary>
    public static string ContentTypeOf(ulong fingerprint) => SchemaParameter + TextOf(fingerprint);

    /// <summary>The fingerprint in a content type, 16 hexadecimal digits; null where there is none.</summary>
    public static string? FingerprintIn(string? contentType) =>
        contentType?.StartsWith(SchemaParameter, StringComparison.Ordinal) == true ? contentType[SchemaParameter.Length..] : null;

    /// <summary>The content type without the fingerprint: a packed body is one, of whatever schema.</summary>
    public static string? MediaTypeIn(string? contentType) => FingerprintIn(contentType) is null ? contentType : ContentType;

    /// <summary>The properties that the message has in the local queue.</summary>
    /// <param name="amqp">Those of the message as it came.</param>
    /// <param name="origin">Names the message where its sender did not; null where no forwarder has sent it.</param>
    public static MessageProperties Read(IReadOnlyBasicProperties amqp, Origin? origin)
    {
        var properties = new MessageProperties
        {
            MessageId = MessageIdOf(amqp, origin),
            CorrelationId = amqp.IsCorrelationIdPresent() ? amqp.CorrelationId : null,
            ReplyTo = amqp.IsReplyToPresent() ? amqp.ReplyTo : null,
            Label = Text(amqp, LabelHeader),
            Producer = Text(amqp, ProducerHeader),
        };
        // A number that is no time never comes.
        if (NumberOf(amqp, ExpiresHeader) is { } expires && expires >= FirstTime && expires <= LastTime)
        {
            properties.ExpiresAt = DateTimeOffset.FromUnixTimeMilliseconds(expires).UtcDateTime;
        }
        if (amqp.IsPriorityPresent())
        {
            properties.Headers[Priority] = amqp.Priority.ToString(CultureInfo.InvariantCulture);
        }
        ReadHeaders(amqp, properties);
        return properties;
    }

    /// <summary>AMQP's <c>message-id</c>; without one, source and position.</summary>
    public static string? MessageIdOf(IReadOnlyBasicProperties amqp, Origin? origin) =>
        amqp.IsMessageIdPresent() ? amqp.MessageId : origin?.MessageId;

    public static string? Text(IReadOnlyBasicProperties amqp, string header) => ValueOf(amqp, header) switch
    {
        byte[] bytes => Encoding.UTF8.GetString(bytes),
        string text => text,
        _ => null,
    };

    private static void ReadHeaders(IReadOnlyBasicProperties amqp, MessageProperties properties)
    {
        if (amqp.Headers is not { } headers)
        {
            return;
        }
        foreach ((string name, object? value) in headers)
        {
            // What the broker adds (x-death, x-delivery-count) is about its queue, and is no text either.
            bool isUsers = name.StartsWith(UserPrefix, StringComparison.Ordinal);
            if ((isUsers || !name.StartsWith(Prefix, StringComparison.Ordinal)) && value is byte[] text)
            {
                properties.Headers[isUsers ? name[UserPrefix.Length..] : name] = Encoding.UTF8.GetString(text);
            }
        }
    }

    private static long? NumberOf(IReadOnlyBasicProperties amqp, string header) => ValueOf(amqp, header) switch
    {
        long number => number,
        int number => number,
        _ => null,
    };

    private static object? ValueOf(IReadOnlyBasicProperties amqp, string header) =>
        amqp.Headers is { } headers && headers.TryGetValue(header, out object? value) ? value : null;
}
