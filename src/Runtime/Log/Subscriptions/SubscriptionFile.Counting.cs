using BlitQueue.Memory;

namespace BlitQueue.Log;

/// <content>What a status tells of a subscription.</content>
internal sealed partial class SubscriptionFile
{
    /// <summary>The position of its next message.</summary>
    public long NextPosition => SubscriptionFormat.Position(MachineMemory.Load(ref Next));

    /// <summary>How many messages are taken, and which one is the next: read so that none is counted twice.</summary>
    /// <remarks>
    /// The next position is read first, and each cell once. So a message that is taken meanwhile still counts as one to take, and not as
    /// taken; one that is given back or taken again counts as what its cell said.
    /// </remarks>
    public TakenCount CountTaken()
    {
        long nextWord = MachineMemory.Load(ref Next), next = SubscriptionFormat.Position(nextWord);
        int returned = 0, inFlight = 0;
        for (int cell = 1; cell <= CellsInUse; cell++)
        {
            long message = MachineMemory.Load(ref Message(cell));
            if (SubscriptionFormat.MessagePosition(message) >= next)
            {
                continue;
            }
            LeaseState state = SubscriptionFormat.State(message);
            returned += state == LeaseState.Returned ? 1 : 0;
            bool hasTaken = state == LeaseState.Claiming && SubscriptionFormat.Cell(nextWord) == cell;
            inFlight += hasTaken || state.IsInFlight() ? 1 : 0;
        }
        return new TakenCount(next, returned, inFlight);
    }

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
}
