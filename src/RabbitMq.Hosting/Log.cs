using Microsoft.Extensions.Logging;

namespace BlitQueue.RabbitMq.Hosting;

/// <summary>What operators must know. The numbers of the events never change; docs/rabbitmq.md lists them.</summary>
internal static partial class Log
{
    [LoggerMessage(300, LogLevel.Information, "{Kind} of '{Name}' started", EventName = "BridgeStarted")]
    public static partial void BridgeStarted(this ILogger logger, string kind, string name);

    [LoggerMessage(301, LogLevel.Information, "{Kind} of '{Name}' stopped", EventName = "BridgeStopped")]
    public static partial void BridgeStopped(this ILogger logger, string kind, string name);

    [LoggerMessage(302, LogLevel.Information, "{Kind} of '{Name}' is connected to the broker", EventName = "BridgeConnected")]
    public static partial void BridgeConnected(this ILogger logger, string kind, string name);

    [LoggerMessage(
        303, LogLevel.Information, "{Kind} of '{Name}' is connected to the broker no more", EventName = "BridgeDisconnected")]
    public static partial void BridgeDisconnected(this ILogger logger, string kind, string name);

    [LoggerMessage(304, LogLevel.Warning, "{Kind} of '{Name}' is hindered, {Problem}: {Text}", EventName = "BridgeProblem")]
    public static partial void BridgeProblemMet(this ILogger logger, string kind, string name, BridgeProblem problem, string? text);

    [LoggerMessage(305, LogLevel.Information, "{Kind} of '{Name}' is hindered no more", EventName = "BridgeProblemOver")]
    public static partial void BridgeProblemOver(this ILogger logger, string kind, string name);

    [LoggerMessage(306, LogLevel.Error, "{Kind} of '{Name}' set a message aside, {Problem}: {Text}", EventName = "MessageSetAside")]
    public static partial void MessageSetAside(this ILogger logger, string kind, string name, BridgeProblem problem, string? text);

    [LoggerMessage(307, LogLevel.Critical, "Receiver of '{Name}' has stopped: {Gap}", EventName = "MessageMissing")]
    public static partial void MessageMissing(this ILogger logger, Exception exception, string name, string gap);

    [LoggerMessage(308, LogLevel.Error, "{Kind} of '{Name}' failed; it runs again in {Pause}", EventName = "BridgeFailed")]
    public static partial void BridgeFailed(this ILogger logger, Exception exception, string kind, string name, TimeSpan pause);

    [LoggerMessage(
        309, LogLevel.Warning,
        "{Kind} of '{Name}' did not stop within the host's shutdown time. What is unconfirmed goes out again, and is dropped where it is "
            + "known",
        EventName = "BridgeStopLate")]
    public static partial void BridgeStopLate(this ILogger logger, string kind, string name);
}
