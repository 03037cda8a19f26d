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

    /// <summary>
    /// The positions of messages that were taken and not committed; and of a letter that is becoming a message, where that is to stand.
    /// </summary>
    public List<(long Position, long? Target)> Taken()
    {
        List<(long Position, long? Target)> taken = [];
        for (int cell = 1; cell <= CellsInUse; cell++)
        {
            long message = MachineMemory.Load(ref Message(cell));
            LeaseState state = SubscriptionFormat.State(message);
            if (state is not (LeaseState.None or LeaseState.Claiming))
            {
                long? target = state == LeaseState.Requeueing ? MachineMemory.Load(ref Target(cell)) : null;
                taken.Add((SubscriptionFormat.MessagePosition(message), target));
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
