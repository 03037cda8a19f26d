namespace BlitQueue.Log;

/// <summary>A transaction that was committed and may not be completed everywhere yet.</summary>
/// <param name="Number">Its number in the store.</param>
/// <param name="IsDurable">Whether it is to survive a power loss: then each step is on the disk before the next.</param>
/// <param name="Outputs">The messages that it sends.</param>
/// <param name="Leases">The messages that it consumes.</param>
internal sealed record DecidedTransaction(long Number, bool IsDurable, DecidedOutput[] Outputs, DecidedLease[] Leases)
{
    /// <summary>The queues that it names.</summary>
    public IEnumerable<(string Name, Guid Id)> Queues =>
        Outputs.Select(static output => (output.Queue, output.QueueId))
            .Concat(Leases.Select(static lease => (lease.Queue, lease.QueueId))).Distinct();

    /// <summary>Its part in one queue. The name identifies the queue; by the id alone a copy would be taken for it.</summary>
    public DecidedTransaction Of(string queue, Guid id) => this with
    {
        Outputs = [.. Outputs.Where(output => output.Queue == queue && output.QueueId == id)],
        Leases = [.. Leases.Where(lease => lease.Queue == queue && lease.QueueId == id)],
    };

    /// <summary>The header that publishes what it sends to a queue, if that is at this position; otherwise 0.</summary>
    public long HeaderAt(Guid queueId, long position)
    {
        foreach (ref readonly DecidedOutput output in Outputs.AsSpan())
        {
            if (output.Position == position && output.QueueId == queueId)
            {
                return output.Header;
            }
        }
        return 0;
    }

    /// <summary>Whether it consumes the message in a subscription's lease cell.</summary>
    public bool Consumes(Guid queueId, string subscription, int cell, long message)
    {
        foreach (ref readonly DecidedLease lease in Leases.AsSpan())
        {
            if (lease.Cell == cell && lease.Message == message && lease.QueueId == queueId && lease.SubscriptionName == subscription)
            {
                return true;
            }
        }
        return false;
    }
}
