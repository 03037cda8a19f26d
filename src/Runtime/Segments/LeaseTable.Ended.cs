using System.Diagnostics.CodeAnalysis;

namespace BlitQueue.Segments;

/// <content>Why a lease does not stand any more, for who uses it nevertheless.</content>
internal sealed partial class LeaseTable<TMem>
{
    // The leases that were ended here last: told from those that were lost, once their cells serve others. 256, one for each place.
    private readonly long[] _ended = new long[256];

    // Positions are often the same distance from each other.
    private static int EndedPlace(in HeldLease lease) => (int)(((ulong)lease.Position * 0x9E37_79B9_7F4A_7C15) >> 56);

    /// <summary>Throws where a lease does not stand.</summary>
    /// <param name="held">Whether it does.</param>
    /// <param name="lease">The lease.</param>
    /// <param name="what">Which it is, for the message.</param>
    /// <param name="rest">What became of others, for the message.</param>
    /// <exception cref="QueueException">The subscription was deleted.</exception>
    /// <exception cref="LeaseLostException">It was given to another.</exception>
    /// <exception cref="InvalidOperationException">It was ended here.</exception>
    public void Require([DoesNotReturnIf(false)] bool held, in HeldLease lease, string what = "The lease", string rest = "")
    {
        if (held)
        {
            return;
        }
        cursor.ThrowIfGone();
        if (WasLost(lease))
        {
            throw new LeaseLostException(
                $"{what} was lost: the subscription's visibility time-out was over, and the message at {lease.Position} was given to another consumer. "
                + "What was done with the message may be done again. Make the time-out longer than its work takes." + rest);
        }
        throw new InvalidOperationException($"{what} has ended: it was committed or given back already.{rest}");
    }

    // A tag is another one each time the message, or the cell, goes to another; a holder's own ends leave it.
    private bool WasLost(in HeldLease lease) =>
        SubscriptionFormat.Tag(TMem.Load(ref file.Message(lease.Cell))) != lease.Tag && _ended[EndedPlace(lease)] != lease.Message;
}
