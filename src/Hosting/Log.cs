using Microsoft.Extensions.Logging;

namespace BlitQueue.Hosting;

/// <summary>What operators must know. The numbers of the events never change; docs/hosting.md lists them.</summary>
internal static partial class Log
{
    [LoggerMessage(100, LogLevel.Information, "Queue '{Queue}' is open: {Path}", EventName = "QueueOpened")]
    public static partial void QueueOpened(this ILogger logger, string queue, string path);

    [LoggerMessage(101, LogLevel.Warning, "Queue '{Queue}' was recovered when it was opened: {Report}", EventName = "QueueRecovered")]
    public static partial void QueueRecovered(this ILogger logger, string queue, string report);

    [LoggerMessage(102, LogLevel.Critical, "Queue '{Queue}' cannot be opened: {Problem}", EventName = "QueueOpenFailed")]
    public static partial void QueueOpenFailed(this ILogger logger, string queue, string problem);

    [LoggerMessage(103, LogLevel.Error, "Queue '{Queue}' is stalled: {Problem}", EventName = "QueueStalled")]
    public static partial void QueueStalled(this ILogger logger, string queue, string problem);

    [LoggerMessage(
        104, LogLevel.Warning, "Queue '{Queue}' is full, and an enqueue has waited for room for a second. {Holder}",
        EventName = "QueueFull")]
    public static partial void QueueFull(this ILogger logger, string queue, string holder);

    [LoggerMessage(
        105, LogLevel.Warning, "Queue '{Queue}' has passed its soft limit: {Bytes} bytes wait, the limit is {SoftLimit}",
        EventName = "SoftLimitReached")]
    public static partial void SoftLimitReached(this ILogger logger, string queue, long bytes, long softLimit);

    [LoggerMessage(106, LogLevel.Critical, "Queue '{Queue}' takes no more messages: {Problem}", EventName = "SyncFailed")]
    public static partial void SyncFailed(this ILogger logger, string queue, string problem);

    [LoggerMessage(
        200, LogLevel.Information,
        "Consumer of '{Queue}', subscription '{Subscription}', started: {Handler}, up to {Concurrency} at a time",
        EventName = "ConsumerStarted")]
    public static partial void ConsumerStarted(this ILogger logger, string queue, string subscription, string handler, int concurrency);

    [LoggerMessage(
        201, LogLevel.Information, "Consumer of '{Queue}', subscription '{Subscription}', stopped", EventName = "ConsumerStopped")]
    public static partial void ConsumerStopped(this ILogger logger, string queue, string subscription);

    [LoggerMessage(
        202, LogLevel.Warning,
        "Message {Position} of '{Queue}', subscription '{Subscription}', failed at attempt {Attempt} and is delivered again",
        EventName = "HandlerFailed")]
    public static partial void HandlerFailed(
        this ILogger logger, Exception exception, string queue, string subscription, QueuePosition position, int attempt);

    [LoggerMessage(
        203, LogLevel.Error,
        "Message {Position} of '{Queue}', subscription '{Subscription}', is a dead letter after attempt {Attempt}: {Reason}",
        EventName = "DeadLettered")]
    public static partial void DeadLettered(
        this ILogger logger, Exception exception, string queue, string subscription, QueuePosition position, int attempt, string reason);

    [LoggerMessage(
        204, LogLevel.Warning,
        "The lease of message {Position} of '{Queue}', subscription '{Subscription}', was lost at attempt {Attempt}: the handler took "
            + "longer than a VisibilityTimeout, and another consumer gets the message",
        EventName = "LeaseLost")]
    public static partial void LeaseLost(
        this ILogger logger, Exception exception, string queue, string subscription, QueuePosition position, int attempt);

    [LoggerMessage(
        205, LogLevel.Error, "Consumer of '{Queue}', subscription '{Subscription}', cannot take messages; it tries again in {Pause}",
        EventName = "ConsumerFailed")]
    public static partial void ConsumerFailed(
        this ILogger logger, Exception exception, string queue, string subscription, TimeSpan pause);

    [LoggerMessage(
        206, LogLevel.Error, "Consumer of '{Queue}', subscription '{Subscription}', stepped over damage", EventName = "DamageSkipped")]
    public static partial void DamageSkipped(this ILogger logger, Exception exception, string queue, string subscription);

    [LoggerMessage(
        207, LogLevel.Warning,
        "Consumer of '{Queue}', subscription '{Subscription}', stopped while handlers ran: {Count} messages were given back, and are "
            + "delivered again",
        EventName = "GivenBackAtStop")]
    public static partial void GivenBackAtStop(this ILogger logger, string queue, string subscription, int count);

    [LoggerMessage(
        208, LogLevel.Warning,
        "The handler of message {Position} of '{Queue}', subscription '{Subscription}', ended after the message was given back; it is "
            + "delivered again",
        EventName = "HandlerLate")]
    public static partial void HandlerLate(this ILogger logger, string queue, string subscription, QueuePosition position);

    [LoggerMessage(
        209, LogLevel.Information, "Consumer of '{Queue}', subscription '{Subscription}', takes messages again",
        EventName = "ConsumerResumed")]
    public static partial void ConsumerResumed(this ILogger logger, string queue, string subscription);

    [LoggerMessage(
        210, LogLevel.Error,
        "The subscription '{Subscription}' of '{Queue}' was deleted: its consumer takes no messages until it is made again, by another "
            + "process or by the next start of this host",
        EventName = "SubscriptionDeleted")]
    public static partial void SubscriptionDeleted(this ILogger logger, string queue, string subscription);
}
