namespace BlitQueue;

/// <summary>Makes the exception for calls on a disposed object: it names the public type, and which object it was.</summary>
internal static class Disposed
{
    /// <param name="type">The public type's name, without its arguments.</param>
    /// <param name="what">Which one, and what it is: "/data/orders: the queue".</param>
    public static ObjectDisposedException Of(string type, string what) => new(type, $"{what} was disposed.");

    public static ObjectDisposedException OfQueue(string directory) => Of("MappedQueue", $"{directory}: the queue");

    public static ObjectDisposedException OfSubscription(string directory, string name) =>
        Of("Subscription", $"{directory}: this object for the subscription '{name}'");
}
