namespace BlitQueue.Segments;

internal sealed partial class LeaseTable<TMem>
{
    /// <summary>Finds the oldest message that was given back, without taking it.</summary>
    /// <param name="includeDead">Whether what dead consumers hold counts too.</param>
    /// <param name="dueOnly">Whether what is to be delivered later does not count.</param>
    /// <param name="cell">Its cell.</param>
    /// <param name="message">What the cell says; while it says so, the message is there.</param>
    public bool TryPeekOldest(bool includeDead, bool dueOnly, out int cell, out long message)
    {
        cursor.ConfirmClaim(TMem.Load(ref file.Next));
        (cell, message) = (0, 0);
        long alive = _me;
        for (int candidate = 1; candidate <= SubscriptionFormat.Cells; candidate++)
        {
            long word = TMem.Load(ref file.Message(candidate));
            if (word != 0
                && WaitsToBeTaken(candidate, word, includeDead, ref alive)
                && (!dueOnly || IsDue(candidate, word))
                && (cell == 0 || SubscriptionFormat.MessagePosition(word) < SubscriptionFormat.MessagePosition(message)))
            {
                (cell, message) = (candidate, word);
            }
        }
        return cell != 0;
    }

    /// <summary>Whether the message of a cell may be delivered now.</summary>
    public bool MayBeDelivered(int cell, long message) => IsDue(cell, message);

    /// <summary>Whether a cell said the same until after its message was read: with a full fence.</summary>
    public bool StillSays(int cell, long message) => TMem.CompareExchange(ref file.Message(cell), message, message) == message;

    // Most cells are one consumer's, who need not be asked after for each.
    private bool WaitsToBeTaken(int cell, long word, bool includeDead, ref long alive)
    {
        long owner = TMem.Load(ref file.Owner(cell));
        LeaseState state = SubscriptionFormat.State(word);
        if (owner == 0)
        {
            return state == LeaseState.Returned;
        }
        if (!includeDead || owner == alive || state is not (LeaseState.Leased or LeaseState.Returned or LeaseState.Burying or LeaseState.Committing))
        {
            return false;
        }
        if (!self.IsAlive<TMem>(owner))
        {
            return !IsConsumed(cell, word);
        }
        alive = owner;
        return false;
    }
}
