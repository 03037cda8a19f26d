using System.Globalization;
using System.Text;
using RabbitMQ.Client;

namespace BlitQueue.RabbitMq;

/// <summary>
/// Writes what stands around a message on its way. The client has written it as bytes when a publish returns: so one object after the other
/// is the same one, and texts that are in all of them are encoded once.
/// </summary>
/// <param name="schema">Of the messages.</param>
/// <param name="schemaText">Its text, where it is sent.</param>
/// <param name="contentType">null: the body is packed.</param>
/// <param name="expireAtBroker">As <see cref="ForwarderOptions.ExpireAtBroker"/>.</param>
internal sealed class EnvelopeWriter(MessageSchema schema, byte[]? schemaText, string? contentType, bool expireAtBroker)
{
    // The longest short text of AMQP, bytes.
    private const int LongestText = 255;

    // The longest time that the broker takes, milliseconds: 49 days. What lives longer expires at the receiver alone.
    private const long LongestExpiration = uint.MaxValue;

    // Of a frame, what is no property: its own eight bytes, and class, weight and length of the body.
    private const int FrameOverhead = 8 + 12;

    private readonly Dictionary<string, object?> _headers = [];

    private readonly BasicProperties _amqp = new()
    {
        ContentType = contentType ?? Envelope.ContentTypeOf(schema.Fingerprint),
        Type = schema.Name,
        Persistent = true,
    };

    // What a listener of the spans adds: a traceparent and a tracestate, 350 bytes at most. A frame that is too long by those would end the
    // connection each time.
    private const int TraceSize = 512;

    private byte[]? _schemaText;
    private bool _isBare;

    /// <summary>A connection begins. The description of the type goes along only where half a frame has room for it.</summary>
    /// <param name="frame">The longest frame of the connection, bytes; 0: any.</param>
    public void Begin(uint frame)
    {
        _schemaText = frame == 0 || schemaText?.Length <= frame / 2 ? schemaText : null;
        _isBare = false;
    }

    /// <summary>What goes along with a body, until the next call.</summary>
    /// <param name="origin">Where the message is from.</param>
    /// <param name="properties">Those of the message; null: none.</param>
    public BasicProperties Write(in Origin origin, MessageProperties? properties)
    {
        Clear();
        _amqp.AppId = origin.ToString();
        if (properties is not null)
        {
            Write(properties);
        }
        return _amqp;
    }

    /// <summary>Why the broker's protocol cannot carry the last message's properties; null where it can.</summary>
    /// <param name="key">The message's own routing key; null where all have the same.</param>
    /// <param name="frame">The longest frame of the connection, bytes; 0: any.</param>
    public string? WhyTooLong(string? key, uint frame) =>
        _isBare ? null
        : WhyTooLong("Its routing key", key) ?? WhyTooLong("Its MessageId", _amqp.MessageId)
            ?? WhyTooLong("Its CorrelationId", _amqp.CorrelationId) ?? WhyTooLong("Its ReplyTo", _amqp.ReplyTo)
            ?? _headers.Keys.Select(static name => WhyTooLong("The name of a header", name)).FirstOrDefault(static one => one is not null)
            ?? WhyTooLong(frame);

    private static string? WhyTooLong(string what, string? text) =>
        text is not null && Encoding.UTF8.GetByteCount(text) is > LongestText and var length
            ? $"{what} has {length:N0} bytes, and AMQP allows {LongestText}: {text[..40]}..."
            : null;

    private string? WhyTooLong(uint frame)
    {
        long size = ((IAmqpWriteable)_amqp).GetRequiredBufferSize() + FrameOverhead;
        return frame > 0 && size + TraceSize > frame
            ? $"Its properties and headers have {size:N0} bytes, and a frame of this broker has at most {frame:N0}, of which {TraceSize} "
                + "are kept for a trace."
            : null;
    }

    // Most messages have no properties, so that there is nothing to take away. A listener of the client may have added a header.
    private void Clear()
    {
        int own = _schemaText is null ? 0 : 1;
        if (_isBare && _headers.Count == own)
        {
            return;
        }
        _amqp.ClearMessageId();
        _amqp.ClearCorrelationId();
        _amqp.ClearReplyTo();
        _amqp.ClearTimestamp();
        _amqp.ClearExpiration();
        _amqp.ClearPriority();
        _headers.Clear();
        if (_schemaText is not null)
        {
            _headers[Envelope.SchemaHeader] = _schemaText;
        }
        (_amqp.Headers, _isBare) = (_headers, true);
    }

    private void Write(MessageProperties properties)
    {
        _isBare = false;
        _amqp.MessageId = properties.MessageId;
        _amqp.CorrelationId = properties.CorrelationId;
        _amqp.ReplyTo = properties.ReplyTo;
        WriteTimes(properties);
        WriteTexts(properties);
    }

    private void WriteTimes(MessageProperties properties)
    {
        if (properties.EnqueuedAt is { } enqueued)
        {
            _amqp.Timestamp = new AmqpTimestamp(new DateTimeOffset(enqueued).ToUnixTimeSeconds());
        }
        if (properties.ExpiresAt is not { } expires)
        {
            return;
        }
        _headers[Envelope.ExpiresHeader] = new DateTimeOffset(expires).ToUnixTimeMilliseconds();
        long left = Math.Max(0, (long)(expires - DateTime.UtcNow).TotalMilliseconds);
        if (expireAtBroker && left <= LongestExpiration)
        {
            _amqp.Expiration = left.ToString(CultureInfo.InvariantCulture);
        }
    }

    private void WriteTexts(MessageProperties properties)
    {
        foreach ((string name, string value) in properties.Headers)
        {
            if (name == Envelope.Priority && byte.TryParse(value, NumberStyles.None, CultureInfo.InvariantCulture, out byte priority)
                && priority.ToString(CultureInfo.InvariantCulture) == value)
            {
                _amqp.Priority = priority;
                continue;
            }
            bool isLikeOurs = name.StartsWith(Envelope.Prefix, StringComparison.Ordinal);
            _headers[isLikeOurs ? Envelope.UserPrefix + name : name] = value;
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
