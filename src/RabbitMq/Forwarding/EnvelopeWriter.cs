using System.Globalization;
using System.Text;
using RabbitMQ.Client;

namespace BlitQueue.RabbitMq;

/// <summary>
/// Writes what stands around a message on its way. The client has written it as bytes when a publish returns: so the headers of one message
/// after the other are in the same table, and texts that are in all of them are encoded once.
/// </summary>
/// <param name="schema">Of the messages.</param>
/// <param name="schemaText">Its text, where it is sent.</param>
/// <param name="contentType">null: the body is packed.</param>
/// <param name="expireAtBroker">As <see cref="ForwarderOptions.ExpireAtBroker"/>.</param>
internal sealed class EnvelopeWriter(MessageSchema schema, byte[]? schemaText, string? contentType, bool expireAtBroker)
{
    private readonly byte[] _fingerprint = Encoding.UTF8.GetBytes(Envelope.TextOf(schema.Fingerprint));
    private readonly Dictionary<string, object?> _headers = [];
    private string? _source;
    private byte[] _sourceBytes = [];

    /// <summary>What goes along with a body, until the next call.</summary>
    /// <param name="source">The source's identity.</param>
    /// <param name="position">The message's.</param>
    /// <param name="previous">That of the message before; -1: none.</param>
    /// <param name="properties">Those of the message; null: none.</param>
    public BasicProperties Write(string source, long position, long previous, MessageProperties? properties)
    {
        WriteHeaders(source, position, previous);
        var amqp = new BasicProperties
        {
            ContentType = contentType ?? Envelope.ContentType,
            Type = schema.Name,
            Persistent = true,
            Headers = _headers,
            MessageId = properties?.MessageId ?? string.Create(CultureInfo.InvariantCulture, $"{source}/{position}"),
        };
        if (properties is not null)
        {
            Write(properties, amqp);
        }
        return amqp;
    }

    private void WriteHeaders(string source, long position, long previous)
    {
        if (source != _source)
        {
            (_source, _sourceBytes) = (source, Encoding.UTF8.GetBytes(source));
        }
        _headers.Clear();
        _headers[Envelope.SourceHeader] = _sourceBytes;
        _headers[Envelope.PositionHeader] = position;
        _headers[Envelope.PreviousHeader] = previous;
        if (contentType is null)
        {
            _headers[Envelope.SchemaHeader] = _fingerprint;
        }
        if (schemaText is not null)
        {
            _headers[Envelope.SchemaTextHeader] = schemaText;
        }
    }

    private void Write(MessageProperties properties, BasicProperties amqp)
    {
        if (properties.CorrelationId is { } correlation)
        {
            amqp.CorrelationId = correlation;
        }
        if (properties.ReplyTo is { } reply)
        {
            amqp.ReplyTo = reply;
        }
        WriteTimes(properties, amqp);
        WriteTexts(properties, amqp);
    }

    private void WriteTimes(MessageProperties properties, BasicProperties amqp)
    {
        if (properties.EnqueuedAt is { } enqueued)
        {
            amqp.Timestamp = new AmqpTimestamp(new DateTimeOffset(enqueued).ToUnixTimeSeconds());
        }
        if (properties.ExpiresAt is not { } expires)
        {
            return;
        }
        _headers[Envelope.ExpiresHeader] = new DateTimeOffset(expires).ToUnixTimeMilliseconds();
        if (expireAtBroker)
        {
            long left = Math.Max(0, (long)(expires - DateTime.UtcNow).TotalMilliseconds);
            amqp.Expiration = left.ToString(CultureInfo.InvariantCulture);
        }
    }

    private void WriteTexts(MessageProperties properties, BasicProperties amqp)
    {
        foreach ((string name, string value) in properties.Headers)
        {
            if (name == Envelope.Priority && byte.TryParse(value, NumberStyles.None, CultureInfo.InvariantCulture, out byte priority))
            {
                amqp.Priority = priority;
            }
            else if (!name.StartsWith(Envelope.Prefix, StringComparison.Ordinal))
            {
                _headers[name] = value;
            }
        }
        if (properties.Label is { } label)
        {
            _headers[Envelope.LabelHeader] = label;
        }
        if (properties.Producer is { } producer)
        {
            _headers[Envelope.ProducerHeader] = producer;
        }
    }
}
