namespace BlitQueue.Segments;

internal sealed partial class LeaseTable<TMem>
{
    /// <summary>
    /// Whether a dead consumer may hold a message. Takes nothing: for a thread that looks on behalf of others.
    /// </summary>
    public bool HasOrphan()
    {
        // Most cells in use are one consumer's: the kernel is asked once for it.
        long alive = _me;
        for (int cell = 1; cell <= SubscriptionFormat.Cells; cell++)
        {
            long owner = TMem.Load(ref file.Owner(cell));
            if (owner == 0 || owner == alive)
            {
                continue;
            }
            if (!self.IsAlive(owner))
            {
                return true;
            }
            alive = owner;
        }
        return false;
    }
}
