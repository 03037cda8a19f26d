using System.Text.Unicode;
using BlitQueue.Log;

namespace BlitQueue;

/// <summary>
/// What stands beside a message without being part of it: a producer enqueues it with the message, and consumers read it with the message.
/// Each property costs bytes and time only where it is set; all together may take 32 KiB.
/// </summary>
/// <remarks>
/// A message needs no id of its own: its <see cref="QueuePosition"/> is unique in its queue and never used again. One instance may be used
/// again and again, by one thread at a time. Texts are stored as UTF-8; lone surrogates become U+FFFD.
/// </remarks>
/// <example>
/// <code>
/// orders.Enqueue(in order, new MessageProperties { Label = "rush", ReplyTo = "answers", Headers = { ["tenant"] = "acme" } });
///
/// var properties = new MessageProperties();
/// while (orders.TryDequeue(ref next, properties)) Handle(next!, properties.Label);     // filled anew each time
/// </code>
/// </example>
public sealed partial class MessageProperties
{
    private Dictionary<string, string>? _headers;
    private TimeSpan? _timeToLive;
    private DateTime? _expiresAt;

    /// <summary>The name that the producer gave the message.</summary>
    public string? MessageId { get; set; }

    /// <summary>
    /// When it was enqueued, UTC, by the clock of the machine; null where its producer did not stamp it
    /// (<see cref="QueueOptions.Stamps"/>). Only a queue sets it: an instance that was read with one message and is enqueued with another
    /// does not hand on the time.
    /// </summary>
    public DateTime? EnqueuedAt { get; private set; }

    /// <summary>Who enqueued it. Where it is null, <see cref="MessageStamps.Producer"/> fills it in.</summary>
    public string? Producer { get; set; }

    /// <summary>What it belongs to or answers: the <see cref="MessageId"/> of a request, for instance.</summary>
    public string? CorrelationId { get; set; }

    /// <summary>Where an answer is to go: the path of a queue, for instance.</summary>
    public string? ReplyTo { get; set; }

    /// <summary>What it is about, in a word.</summary>
    public string? Label { get; set; }

    /// <summary>
    /// For how long after its enqueue the message is delivered, longer than zero; null: without a limit. A reader finds
    /// <see cref="ExpiresAt"/> instead.
    /// </summary>
    /// <exception cref="ArgumentOutOfRangeException">Zero or negative.</exception>
    public TimeSpan? TimeToLive
    {
        get => _timeToLive;
        set => _timeToLive = value is not { } time || time > TimeSpan.Zero
            ? value
            : throw new ArgumentOutOfRangeException(nameof(value), value, "A message's time to live is longer than zero, or null.");
    }

    /// <summary>
    /// From this time on, UTC, the message is no longer delivered; a local time is converted. If <see cref="TimeToLive"/> is set too, the
    /// earlier of both counts.
    /// </summary>
    public DateTime? ExpiresAt
    {
        get => _expiresAt;
        set => _expiresAt = value is { } time ? Utc(time) : null;
    }

    /// <summary>Anything else, by name. Neither names nor values may be null.</summary>
    public IDictionary<string, string> Headers => _headers ??= [];

    /// <summary>Whether none is set.</summary>
    public bool IsEmpty =>
        MessageId is null && Producer is null && CorrelationId is null && ReplyTo is null && Label is null
        && _timeToLive is null && _expiresAt is null && EnqueuedAt is null && !HasHeaders;

    internal bool HasHeaders => _headers is { Count: > 0 };

    internal Dictionary<string, string>? HeaderTable => _headers;

    /// <summary>Sets all to null, and removes every header.</summary>
    public void Clear()
    {
        MessageId = Producer = CorrelationId = ReplyTo = Label = null;
        _timeToLive = null;
        EnqueuedAt = _expiresAt = null;
        _headers?.Clear();
    }

    /// <summary>A copy with the same values.</summary>
    internal MessageProperties Copy()
    {
        var copy = (MessageProperties)MemberwiseClone();
        copy._headers = _headers is null ? null : new Dictionary<string, string>(_headers);
        return copy;
    }

    private static DateTime Utc(DateTime time) =>
        time.Kind == DateTimeKind.Local ? time.ToUniversalTime() : DateTime.SpecifyKind(time, DateTimeKind.Utc);

    private const int MostCharsOnStack = 256;

    /// <summary>Whether a message's properties were read into this instance since it was last set to false.</summary>
    internal bool IsFilled { get; set; }

    /// <summary>Reads the properties in front of a message. A text that equals the old one stays the same object.</summary>
    /// <returns>false when the bytes of a text are not UTF-8: they are damaged.</returns>
    internal bool TryFill(in PropertyBlock block)
    {
        IsFilled = true;
        bool isText = true;
        _timeToLive = null;
        EnqueuedAt = Time(block, PropertyKinds.EnqueuedAt);
        _expiresAt = Time(block, PropertyKinds.ExpiresAt);
        MessageId = Text(block, PropertyKinds.MessageId, MessageId, ref isText);
        Producer = Text(block, PropertyKinds.EnqueuedBy, Producer, ref isText);
        CorrelationId = Text(block, PropertyKinds.CorrelationId, CorrelationId, ref isText);
        ReplyTo = Text(block, PropertyKinds.ReplyTo, ReplyTo, ref isText);
        Label = Text(block, PropertyKinds.Label, Label, ref isText);
        return isText & TryFillHeaders(block);
    }

    private static DateTime? Time(in PropertyBlock block, PropertyKinds kind) =>
        block.TryGetTicks(kind, out long ticks) ? new DateTime(ticks, DateTimeKind.Utc) : null;

    private static string? Text(in PropertyBlock block, PropertyKinds kind, string? current, ref bool isText)
    {
        if (!block.TryGetBytes(kind, out ReadOnlySpan<byte> utf8))
        {
            return null;
        }
        isText &= Utf8.IsValid(utf8);
        return Text(utf8, current);
    }

    private static string Text(ReadOnlySpan<byte> utf8, string? current)
    {
        if (utf8.Length > MostCharsOnStack)
        {
            return Encoding.UTF8.GetString(utf8);
        }
        Span<char> chars = stackalloc char[MostCharsOnStack];
        chars = chars[..Encoding.UTF8.GetChars(utf8, chars)];
        return current is not null && chars.SequenceEqual(current) ? current : new string(chars);
    }

    private bool TryFillHeaders(in PropertyBlock block)
    {
        if (!block.TryGetBytes(PropertyKinds.Headers, out ReadOnlySpan<byte> pairs))
        {
            _headers?.Clear();
            return true;
        }
        if (_headers is not null && AreThoseOf(pairs))
        {
            return true;
        }
        _headers ??= [];
        _headers.Clear();
        while (!pairs.IsEmpty)
        {
            if (!TryTakePair(ref pairs, out ReadOnlySpan<byte> key, out ReadOnlySpan<byte> value))
            {
                return false;
            }
            _headers[Encoding.UTF8.GetString(key)] = Encoding.UTF8.GetString(value);
        }
        return true;
    }

    // Messages of one producer often have the same headers: then nothing is allocated.
    private bool AreThoseOf(ReadOnlySpan<byte> pairs)
    {
        Span<char> name = stackalloc char[MostCharsOnStack], text = stackalloc char[MostCharsOnStack];
        Dictionary<string, string>.AlternateLookup<ReadOnlySpan<char>> table = _headers!.GetAlternateLookup<ReadOnlySpan<char>>();
        int count = 0;
        while (TryTakePair(ref pairs, out ReadOnlySpan<byte> key, out ReadOnlySpan<byte> value))
        {
            if (key.Length > MostCharsOnStack || value.Length > MostCharsOnStack
                || !table.TryGetValue(name[..Encoding.UTF8.GetChars(key, name)], out string? known)
                || !text[..Encoding.UTF8.GetChars(value, text)].SequenceEqual(known))
            {
                return false;
            }
            count++;
        }
        return pairs.IsEmpty && count == _headers.Count;
    }

    private static bool TryTakePair(scoped ref ReadOnlySpan<byte> pairs, out ReadOnlySpan<byte> key, out ReadOnlySpan<byte> value)
    {
        value = default;
        return PropertyBlock.TryTake(ref pairs, out key) && PropertyBlock.TryTake(ref pairs, out value)
            && Utf8.IsValid(key) && Utf8.IsValid(value);
    }
}
