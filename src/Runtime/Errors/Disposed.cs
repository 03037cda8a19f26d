namespace BlitQueue;

/// <summary>What users see who go on with what was disposed: the type by the name that they know, and which one it was.</summary>
internal static class Disposed
{
    /// <param name="type">The public type's name, without its arguments.</param>
    /// <param name="what">Which one, and what it is: "/data/orders: the queue".</param>
    public static ObjectDisposedException Of(string type, string what) => new(type, $"{what} was disposed.");

    public static ObjectDisposedException OfQueue(string directory) => Of("MappedQueue", $"{directory}: the queue");

    public static ObjectDisposedException OfSubscription(string directory, string name) =>
        Of("Subscription", $"{directory}: this object for the subscription '{name}'");
}
