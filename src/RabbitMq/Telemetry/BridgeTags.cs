namespace BlitQueue.RabbitMq;

/// <summary>Names and values of attributes, by OpenTelemetry's conventions for messaging and for RabbitMQ.</summary>
internal static class BridgeTags
{
    public const string System = "messaging.system", SystemName = "rabbitmq";
    public const string Destination = "messaging.destination.name", RoutingKey = "rabbitmq.destination.routing_key";
    public const string Operation = "messaging.operation.name", OperationType = "messaging.operation.type";
    public const string MessageId = "messaging.message.id", ErrorType = "error.type";

    /// <summary>The local queue's path.</summary>
    public const string Queue = "blitqueue.queue";

    /// <summary>The exchange and the routing key; one of the two where the other is empty.</summary>
    public static string DestinationOf(ForwarderOptions options) =>
        options.Exchange.Length == 0 ? options.RoutingKey
            : options.RoutingKey.Length == 0 ? options.Exchange
            : $"{options.Exchange}:{options.RoutingKey}";
}
