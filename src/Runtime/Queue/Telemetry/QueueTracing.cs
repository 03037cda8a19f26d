using BlitQueue.Memory;

namespace BlitQueue;

/// <summary>
/// The activity source <c>BlitQueue</c>. Nothing here runs without a listener. A message that is enqueued while there is a listener carries
/// the context of its trace in the headers <c>traceparent</c> and <c>tracestate</c> (W3C Trace Context), beside the caller's own.
/// </summary>
internal static class QueueTracing
{
    public const string Name = "BlitQueue", Parent = "traceparent", State = "tracestate";

    private static readonly ActivitySource Source = new(Name, typeof(QueueTracing).Assembly.GetName().Version?.ToString(3) ?? "");

    [ThreadStatic]
    private static MessageProperties? Spare;

    /// <summary>Whether there is a listener.</summary>
    public static bool IsOn
    {
        [MethodImpl(MethodImplOptions.AggressiveInlining)]
        get => Instruments.AreSupported && Source.HasListeners();
    }

    /// <summary>Begins the span of an enqueue.</summary>
    /// <param name="path">The queue.</param>
    /// <param name="count">How many messages.</param>
    /// <param name="type"><c>send</c>, or <c>create</c> for what a transaction sends later.</param>
    /// <returns>null where no listener wants it.</returns>
    public static QueueSpan StartSend(string path, int count, string type = "send")
    {
        var span = QueueSpan.Start(() => Source.StartActivity($"enqueue {path}", ActivityKind.Producer));
        Describe(span.Activity, path, "enqueue", type);
        DescribeBatch(span.Activity, count);
        return span;
    }

    /// <summary>The properties with the context of the span, or of the caller's own trace; unchanged where they have one.</summary>
    public static MessageProperties? Carry(QueueSpan span, MessageProperties? properties)
    {
        Activity? from = span.Activity ?? Activity.Current;
        if (from is not { IdFormat: ActivityIdFormat.W3C, Id: { } id } || properties?.HeaderTable?.ContainsKey(Parent) == true)
        {
            return properties;
        }
        MessageProperties carrying = properties?.Copy() ?? new MessageProperties();
        carrying.Headers[Parent] = id;
        if (from.TraceStateString is { Length: > 0 } state)
        {
            carrying.Headers[State] = state;
        }
        return carrying;
    }

    /// <summary>The context that a message carries.</summary>
    /// <returns>false where it has none.</returns>
    public static bool TryRead(MessageProperties properties, out ActivityContext context)
    {
        context = default;
        return properties.HeaderTable is { } headers && headers.TryGetValue(Parent, out string? parent)
            && ActivityContext.TryParse(parent, headers.GetValueOrDefault(State), isRemote: true, out context);
    }

    /// <summary>
    /// Notes that messages were received: a span that has ended already. It is part of the caller's trace, where there is one, and of the
    /// message's otherwise; it links to each message's.
    /// </summary>
    public static void NoteReceived(
        string path, string subscription, string operation, List<ActivityContext> messages, int count, DateTimeOffset began)
    {
        ActivityContext parent = Activity.Current is null && messages.Count == 1 ? messages[0] : default;
        using var span = QueueSpan.Start(() => Source.StartActivity(
            $"{operation} {path}", ActivityKind.Consumer, parent, links: messages.Select(static one => new ActivityLink(one)),
            startTime: began));
        Describe(span.Activity, path, operation, "receive");
        span.Activity?.SetTag(QueueTags.SubscriptionName, subscription);
        DescribeBatch(span.Activity, count);
    }

    /// <summary>Begins the span of a handler, as a part of the message's trace; of a batch, with links to each message's.</summary>
    public static QueueSpan StartProcess(string path, string subscription, List<ActivityContext> messages, int count)
    {
        ActivityContext parent = count == 1 && messages.Count == 1 ? messages[0] : default;
        var span = QueueSpan.Start(() => Source.StartActivity(
            $"process {path}", ActivityKind.Consumer, parent, links: messages.Select(static one => new ActivityLink(one))));
        Describe(span.Activity, path, "process", "process");
        span.Activity?.SetTag(QueueTags.SubscriptionName, subscription);
        DescribeBatch(span.Activity, count);
        return span;
    }

    /// <summary>Begins the span of a call at its client; the caller's current span stays what it is.</summary>
    public static QueueSpan StartCall(string path)
    {
        Activity? before = Activity.Current;
        var span = QueueSpan.Start(() => Source.StartActivity($"call {path}", ActivityKind.Client));
        Activity.Current = before;
        span.Activity?.SetTag(QueueTags.RpcSystem, QueueTags.SystemName).SetTag(QueueTags.Destination, path);
        return span;
    }

    /// <summary>Begins the span of a call at its server, as a part of the client's trace.</summary>
    public static QueueSpan StartAnswer(string path, ActivityContext client)
    {
        var span = QueueSpan.Start(() => Source.StartActivity($"answer {path}", ActivityKind.Server, client));
        span.Activity?.SetTag(QueueTags.RpcSystem, QueueTags.SystemName).SetTag(QueueTags.Destination, path);
        return span;
    }

    /// <summary>Says that what the span is about has failed.</summary>
    public static void Fail(QueueSpan span, Exception exception)
    {
        span.Activity?.SetStatus(ActivityStatusCode.Error, ThrownText.MessageOf(exception));
        span.Activity?.SetTag(QueueTags.ErrorType, exception.GetType().FullName);
    }

    /// <summary>Notes what became of a message whose handler has failed.</summary>
    public static void NoteOutcome(ProcessOutcome outcome)
    {
        if (Activity.Current is { } span && span.Source == Source)
        {
            span.AddEvent(new ActivityEvent($"blitqueue.{outcome}"));
        }
    }

    /// <summary>Properties to read into, which no other caller uses until they are given back.</summary>
    public static MessageProperties Borrow()
    {
        MessageProperties borrowed = Spare ?? new MessageProperties();
        Spare = null;
        borrowed.IsFilled = false;
        return borrowed;
    }

    public static void GiveBack(MessageProperties borrowed) => Spare = borrowed;

    private static void Describe(Activity? span, string path, string operation, string type) => span?
        .SetTag(QueueTags.System, QueueTags.SystemName).SetTag(QueueTags.Destination, path)
        .SetTag(QueueTags.Operation, operation).SetTag(QueueTags.OperationType, type);

    private static void DescribeBatch(Activity? span, int count)
    {
        if (count != 1)
        {
            span?.SetTag(QueueTags.BatchCount, count);
        }
    }
}
