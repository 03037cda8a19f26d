namespace BlitQueue.Hosting;

/// <summary>Reads what handlers get beside a message.</summary>
internal static class DeliveryReader
{
    public static MessageContext ContextOf<T>(in Lease<T> lease, string queue, string subscription)
        where T : IPackable<T> =>
        new()
        {
            Queue = queue,
            Subscription = subscription,
            Position = lease.Position,
            Attempt = lease.Attempt,
            Properties = lease.ReadProperties(),
        };
}
