namespace BlitQueue.Reliability;

/// <summary>The two ways to consume a message.</summary>
internal static class Consuming
{
    /// <summary>Consumes the next message: in one step, or with a lease that is committed once it was read.</summary>
    /// <returns>Whether there was one.</returns>
    public static bool TryConsume<T>(this Subscription<T> subscription, bool withLease, ref T? message)
        where T : IPackable<T>
    {
        if (!withLease)
        {
            return subscription.TryDequeue(ref message);
        }
        if (!subscription.TryReceive(out Lease<T> lease))
        {
            return false;
        }
        lease.ReadInto(ref message);
        lease.Commit();
        return true;
    }
}
