namespace BlitQueue;

/// <summary>Names and values of attributes, by OpenTelemetry's conventions for messaging.</summary>
internal static class QueueTags
{
    public const string System = "messaging.system", SystemName = "blitqueue";
    public const string Destination = "messaging.destination.name", SubscriptionName = "messaging.destination.subscription.name";
    public const string Operation = "messaging.operation.name", OperationType = "messaging.operation.type";
    public const string MessageId = "messaging.message.id", BatchCount = "messaging.batch.message_count";
    public const string RpcSystem = "rpc.system.name";
    public const string ErrorType = "error.type", Attempt = "blitqueue.message.attempt";

    public static KeyValuePair<string, object?>[] Of(string path) => [new(System, SystemName), new(Destination, path)];

    public static KeyValuePair<string, object?>[] Of(string path, string subscription) =>
        [.. Of(path), new(SubscriptionName, subscription)];
}
