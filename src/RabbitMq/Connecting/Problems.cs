using RabbitMQ.Client.Events;
using RabbitMQ.Client.Exceptions;

namespace BlitQueue.RabbitMq;

/// <summary>Names what an exception or the broker's reply means.</summary>
internal static class Problems
{
    private const ushort AccessRefused = 403, NotFound = 404, ResourceLocked = 405, PreconditionFailed = 406, NotAllowed = 530,
        InternalError = 541;

    // Of what the broker says of a message's reply-to, of its headers CC and BCC, and of its expiration.
    private static readonly string[] RefusedProperties = ["fast reply consumer", "unacceptable_type_in_header", "invalid expiration"];

    /// <summary>
    /// Whether an attempt may succeed later: what the broker, the network or another process has refused. A dying connection makes the
    /// client throw many things, those of its channels and sockets among them; what the local queue throws is a <see
    /// cref="QueueException"/>, unless it was disposed.
    /// </summary>
    public static bool IsRetried(Exception exception) => exception switch
    {
        BridgeException => true,
        MessageGapException or InvalidDataException => false,
        QueueException local => local.Reason is QueueError.InUse or QueueError.DiskFull or QueueError.CapacityFull or QueueError.Stalled,
        _ => true,
    };

    public static BridgeProblem Of(Exception exception) => exception switch
    {
        BridgeException known => known.Problem,
        AuthenticationFailureException or PossibleAuthenticationFailureException => BridgeProblem.AccessRefused,
        OperationInterruptedException { ShutdownReason: { } reason } => Of(reason),
        BrokerUnreachableException => Inner(exception).Select(Of).FirstOrDefault(
            static one => one is not (BridgeProblem.Unreachable or BridgeProblem.Other), BridgeProblem.Unreachable),
        QueueException { Reason: QueueError.InUse } => BridgeProblem.InUse,
        QueueException { Reason: QueueError.DiskFull or QueueError.CapacityFull } => BridgeProblem.LocalQueueFull,
        QueueException { Reason: QueueError.Stalled } => BridgeProblem.Other,
        QueueCorruptException => BridgeProblem.DamagedMessage,
        _ when IsRetried(exception) => BridgeProblem.Unreachable,
        _ => BridgeProblem.Other,
    };

    public static BridgeProblem Of(ShutdownEventArgs reason) => reason.ReplyCode switch
    {
        NotFound => Says(reason, "no exchange") ? BridgeProblem.MissingExchange : BridgeProblem.MissingQueue,
        AccessRefused => Says(reason, "exclusive") ? BridgeProblem.InUse : BridgeProblem.AccessRefused,
        ResourceLocked => BridgeProblem.InUse,
        PreconditionFailed => IsTooLarge(reason) ? BridgeProblem.TooLarge
            : RefusedProperties.Any(text => Says(reason, text)) ? BridgeProblem.UnsendableMessage
            : Says(reason, "acknowledgement on channel") ? BridgeProblem.Other
            : BridgeProblem.TopologyMismatch,
        NotAllowed => BridgeProblem.AccessRefused,
        _ => BridgeProblem.Unreachable,
    };

    /// <summary>Whether the broker closed the channel because a message exceeds its <c>max_message_size</c>.</summary>
    public static bool IsTooLarge(ShutdownEventArgs reason) => reason.ReplyCode == PreconditionFailed && Says(reason, "message size");

    public static string TextOf(Exception exception)
    {
        Exception last = exception;
        while (last is BrokerUnreachableException or AggregateException && last.InnerException is { } inner)
        {
            last = inner;
        }
        return last == exception ? exception.Message : $"{exception.Message} {last.Message}";
    }

    /// <summary>Whether the broker has failed by itself (541), as it does for a routing key that only looks like one of its own.</summary>
    public static bool IsInternalError(Exception exception) => exception is BridgeException { ReplyCode: InternalError }
        or OperationInterruptedException { ShutdownReason.ReplyCode: InternalError };

    private static bool Says(ShutdownEventArgs reason, string text) =>
        reason.ReplyText.Contains(text, StringComparison.OrdinalIgnoreCase);

    private static IEnumerable<Exception> Inner(Exception exception)
    {
        IEnumerable<Exception> direct = exception is AggregateException many
            ? many.InnerExceptions
            : exception.InnerException is { } one ? [one] : [];
        return direct.SelectMany(static inner => Inner(inner).Append(inner));
    }
}
