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
        var asked = new OwnersAsked<TMem>(self, stackalloc long[OwnersAsked<TMem>.Most]);
        for (int candidate = 1; candidate <= SubscriptionFormat.Cells; candidate++)
        {
            if (SubscriptionFormat.State(TMem.Load(ref file.Message(candidate))) is LeaseState.None or LeaseState.Claiming)
            {
                continue;
            }
            LeaseCell seen = file.Look<TMem>(candidate);
            if (WaitsToBeTaken(seen, includeDead, ref asked)
                && (!dueOnly || IsOver(seen.Due))
                && (cell == 0 || seen.Position < SubscriptionFormat.MessagePosition(message)))
            {
                (cell, message) = (candidate, seen.Message);
            }
        }
        return cell != 0;
    }

    /// <summary>Whether the message of a cell may be delivered now.</summary>
    public bool MayBeDelivered(int cell, long message) =>
        file.Look<TMem>(cell) is var seen && (seen.Message != message || IsOver(seen.Due));

    /// <summary>Whether a cell said the same until after its message was read: with a full fence.</summary>
    public bool StillSays(int cell, long message) => TMem.CompareExchange(ref file.Message(cell), message, message) == message;

    private bool WaitsToBeTaken(in LeaseCell seen, bool includeDead, ref OwnersAsked<TMem> asked) =>
        seen.State is not (LeaseState.None or LeaseState.Claiming)
        && (seen.State == LeaseState.Returned || includeDead)
        && (seen.Holder == 0 || !asked.IsAlive(seen.Holder))
        && !(seen.State == LeaseState.Committing && decisions.Consumes(file.Name, seen.Number, seen.Message));
}
