using BlitQueue.Log;

namespace BlitQueue;

/// <summary>Writes what stands in front of a message: what the caller gives, and what the handle stamps.</summary>
internal sealed class PropertyPacker(MessageStamps stamps, HandleClock clock)
{
    private readonly string? _producer =
        stamps.HasFlag(MessageStamps.Producer) ? $"{AppDomain.CurrentDomain.FriendlyName}/{Environment.ProcessId}" : null;

    /// <summary>Whether each block begins with the time.</summary>
    public bool StampsTime { get; } = stamps.HasFlag(MessageStamps.Time);

    /// <summary>Bytes of the block; 0 where there is nothing to write.</summary>
    /// <exception cref="ArgumentException">They are more than a block may have.</exception>
    public int SizeOf(MessageProperties? properties)
    {
        PropertyKinds kinds = KindsOf(properties);
        if (kinds == PropertyKinds.None)
        {
            return 0;
        }
        long content = ContentOf(properties);
        return content <= PropertyBlock.LongestOfProducer - PropertyBlock.HeaderSize
            ? PropertyWriter.PaddedSize(content)
            : throw new ArgumentException(
                $"The message's properties take {content} bytes; all together may take "
                    + $"{PropertyBlock.LongestOfProducer - PropertyBlock.HeaderSize}. "
                    + "Put what is long into the message.", nameof(properties));
    }

    /// <summary>Whether they are no more than a producer may write.</summary>
    public bool Fits(MessageProperties? properties) =>
        properties is null || ContentOf(properties) <= PropertyBlock.LongestOfProducer - PropertyBlock.HeaderSize;

    private long ContentOf(MessageProperties? properties)
    {
        long content = (StampsTime ? sizeof(long) : 0) + PropertyWriter.SizeOf(properties?.Producer ?? _producer);
        if (properties is not null)
        {
            content += (CanExpire(properties) ? sizeof(long) : 0)
                + PropertyWriter.SizeOf(properties.MessageId)
                + PropertyWriter.SizeOf(properties.CorrelationId) + PropertyWriter.SizeOf(properties.ReplyTo)
                + PropertyWriter.SizeOf(properties.Label) + (properties.HasHeaders ? sizeof(uint) + SizeOfHeaders(properties) : 0);
        }
        return content;
    }

    /// <summary>Writes the block, into as many bytes as <see cref="SizeOf"/> told of the same properties.</summary>
    public void Write(Span<byte> block, MessageProperties? properties)
    {
        var writer = new PropertyWriter(block, KindsOf(properties));
        long now = StampsTime || properties?.TimeToLive is not null ? clock.UtcNow.Ticks : 0;
        if (StampsTime)
        {
            writer.Write(now);
        }
        if (properties is not null && CanExpire(properties))
        {
            writer.Write(ExpiryOf(properties, now));
        }
        writer.Write(properties?.Producer ?? _producer);
        writer.Write(properties?.MessageId);
        writer.Write(properties?.CorrelationId);
        writer.Write(properties?.ReplyTo);
        writer.Write(properties?.Label);
        if (properties is { HasHeaders: true })
        {
            WriteHeaders(ref writer, properties);
        }
        writer.End();
    }

    private PropertyKinds KindsOf(MessageProperties? properties) =>
        If(StampsTime, PropertyKinds.EnqueuedAt)
        | If((properties?.Producer ?? _producer) is not null, PropertyKinds.EnqueuedBy)
        | (properties is null ? PropertyKinds.None : KindsGiven(properties));

    private static PropertyKinds KindsGiven(MessageProperties properties) =>
        If(CanExpire(properties), PropertyKinds.ExpiresAt)
        | If(properties.MessageId is not null, PropertyKinds.MessageId)
        | If(properties.CorrelationId is not null, PropertyKinds.CorrelationId)
        | If(properties.ReplyTo is not null, PropertyKinds.ReplyTo)
        | If(properties.Label is not null, PropertyKinds.Label)
        | If(properties.HasHeaders, PropertyKinds.Headers);

    private static bool CanExpire(MessageProperties properties) => properties.TimeToLive is not null || properties.ExpiresAt is not null;

    private static long ExpiryOf(MessageProperties properties, long now)
    {
        long given = properties.ExpiresAt?.Ticks ?? DateTime.MaxValue.Ticks;
        return properties.TimeToLive is { } time ? Math.Min(given, now + Math.Min(time.Ticks, DateTime.MaxValue.Ticks - now)) : given;
    }

    private static PropertyKinds If(bool isMet, PropertyKinds kind) => isMet ? kind : PropertyKinds.None;

    private static int SizeOfHeaders(MessageProperties properties)
    {
        int size = 0;
        foreach ((string name, string value) in properties.HeaderTable!)
        {
            if (value is null)
            {
                throw new ArgumentException($"The header '{name}' is null. Leave it out, or give it an empty text.", nameof(properties));
            }
            size = checked(size + PropertyWriter.SizeOf(name) + PropertyWriter.SizeOf(value));
        }
        return size;
    }

    private static void WriteHeaders(ref PropertyWriter writer, MessageProperties properties)
    {
        writer.WriteLength(SizeOfHeaders(properties));
        foreach ((string name, string value) in properties.HeaderTable!)
        {
            writer.Write(name);
            writer.Write(value);
        }
    }
}
