namespace BlitQueue;

/// <summary>
/// What stands beside a message without being part of it: to enqueue with it, and to be read with it. Each costs bytes and time only where it
/// is set; all together may take 32 KiB.
/// </summary>
/// <remarks>
/// A message needs no id of its own to be told from others: its <see cref="QueuePosition"/> is unique in its queue and never used again. One
/// instance may be used again and again, by one thread at a time. Texts are stored as UTF-8; lone surrogates become U+FFFD.
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
    /// When it was enqueued, UTC, by the clock of the machine; null where its producer did not stamp it (<see cref="QueueOptions.Stamp"/>). A queue
    /// writes it: what is read with one message is not written with the next.
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
    /// How long from its enqueue on the message is delivered, longer than zero; null: as long as it stands. Who reads it finds
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
    /// From when on the message is not delivered any more, UTC; a local time is converted. With <see cref="TimeToLive"/> too, the earlier counts.
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

    private static DateTime Utc(DateTime time) =>
        time.Kind == DateTimeKind.Local ? time.ToUniversalTime() : DateTime.SpecifyKind(time, DateTimeKind.Utc);
}
