using BlitQueue.Memory;

namespace BlitQueue.Log;

/// <content>What a status tells of a subscription.</content>
internal sealed partial class SubscriptionFile
{
    /// <summary>The position of its next message.</summary>
    public long NextPosition => SubscriptionFormat.Position(MachineMemory.Load(ref Next));

    /// <summary>How many messages were given back and wait to be taken again.</summary>
    public long CountReturned() => CountCells(static state => state == LeaseState.Returned);

    /// <summary>How many messages a consumer has.</summary>
    public long CountInFlight() => CountCells(LeaseStates.IsInFlight);

    /// <summary>The positions of messages that were taken and not committed.</summary>
    public List<long> Taken()
    {
        List<long> taken = [];
        for (int cell = 1; cell <= CellsInUse; cell++)
        {
            long message = MachineMemory.Load(ref Message(cell));
            if (SubscriptionFormat.State(message) is not (LeaseState.None or LeaseState.Claiming))
            {
                taken.Add(SubscriptionFormat.MessagePosition(message));
            }
        }
        return taken;
    }

    // None if no lease was ever taken.
    private int CellsInUse => MachineMemory.Load(ref Leases) == 0 ? 0 : SubscriptionFormat.Cells;

    private long CountCells(Func<LeaseState, bool> counts)
    {
        long count = 0;
        for (int cell = 1; cell <= CellsInUse; cell++)
        {
            count += counts(SubscriptionFormat.State(MachineMemory.Load(ref Message(cell)))) ? 1 : 0;
        }
        return count;
    }
}
