using System.Diagnostics;

namespace BlitQueue.RabbitMq;

/// <summary>
/// The activity source <c>BlitQueue.RabbitMq</c>: a span for each publish, until its confirm, and one for each message that is received and
/// carries a context, until it is committed. Nothing here runs without a listener.
/// </summary>
internal static class BridgeTracing
{
    public const string Name = "BlitQueue.RabbitMq";

    // W3C Trace Context.
    private const string Parent = "traceparent", State = "tracestate";

    // Longer ones stay here: the frame has an end.
    private const int LongestState = 256;

    private static readonly ActivitySource Source = new(Name, typeof(BridgeTracing).Assembly.GetName().Version?.ToString(3) ?? "");

    public static bool IsOn => Source.HasListeners();

    /// <summary>Begins the span of a publish, in the message's trace. It becomes the current one.</summary>
    /// <returns>null where no listener wants it.</returns>
    public static Activity? StartPublish(ForwarderOptions options, string queue, MessageProperties? properties) =>
        IsOn ? Publish(options, queue, properties) : null;

    private static Activity? Publish(ForwarderOptions options, string queue, MessageProperties? properties)
    {
        string destination = BridgeTags.DestinationOf(options);
        ActivityContext context = default;
        if (properties is not null && properties.Headers.TryGetValue(Parent, out string? parent))
        {
            ActivityContext.TryParse(parent, properties.Headers.TryGetValue(State, out string? state) ? state : null, true, out context);
        }
        Activity? span = Start(() => Source.StartActivity($"publish {destination}", ActivityKind.Producer, context));
        Describe(span, destination, queue, "publish", "send");
        return options.RoutingKey.Length > 0 ? span?.SetTag(BridgeTags.RoutingKey, options.RoutingKey) : span;
    }

    /// <summary>The context of the span goes along, unless the message has one of its own.</summary>
    public static void Carry(Activity? span, IDictionary<string, object?> headers)
    {
        if (span is not { IdFormat: ActivityIdFormat.W3C, Id: { } id } || headers.ContainsKey(Parent))
        {
            return;
        }
        headers[Parent] = id;
        if (span.TraceStateString is { Length: > 0 and <= LongestState } state)
        {
            headers[State] = state;
        }
    }

    /// <summary>Begins the span of a message that was received and carries a context. It becomes the current one.</summary>
    /// <returns>null where no listener wants it, or the message carries none.</returns>
    public static Activity? StartReceive(string destination, string queue, Delivery delivery) =>
        IsOn ? Receive(destination, queue, delivery) : null;

    private static Activity? Receive(string destination, string queue, Delivery delivery)
    {
        if (!ActivityContext.TryParse(
            Envelope.Text(delivery.Properties, Parent), Envelope.Text(delivery.Properties, State), true, out ActivityContext context))
        {
            return null;
        }
        Activity? span = Start(
            () => Source.StartActivity($"receive {destination}", ActivityKind.Consumer, context, links: [new ActivityLink(context)]));
        Describe(span, destination, queue, "receive", "receive");
        return span?.SetTag(BridgeTags.MessageId, delivery.MessageId);
    }

    /// <summary>Ends a span. What a listener throws is dropped: what the span is about has happened all the same.</summary>
    public static void End(Activity? span, string? failure = null, string errorType = "unconfirmed")
    {
        if (failure is not null)
        {
            span?.SetStatus(ActivityStatusCode.Error, failure).SetTag(BridgeTags.ErrorType, errorType);
        }
        try
        {
            span?.Dispose();
        }
        catch (Exception)
        {
            if (span == Activity.Current)
            {
                Activity.Current = span?.Parent;
            }
        }
    }

    private static Activity? Start(Func<Activity?> start)
    {
        Activity? before = Activity.Current;
        try
        {
            return start();
        }
        catch (Exception)
        {
            if (Activity.Current is { } begun && begun != before)
            {
                // Another listener was told that it began.
                End(begun);
            }
            Activity.Current = before;
            return null;
        }
    }

    private static void Describe(Activity? span, string destination, string queue, string operation, string type) => span?
        .SetTag(BridgeTags.System, BridgeTags.SystemName).SetTag(BridgeTags.Destination, destination)
        .SetTag(BridgeTags.Operation, operation).SetTag(BridgeTags.OperationType, type).SetTag(BridgeTags.Queue, queue);
}
