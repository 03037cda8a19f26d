using BlitQueue.Memory;

namespace BlitQueue.Log;

/// <content>What a status tells of a subscription.</content>
internal sealed partial class SubscriptionFile
{
    // Consumers take on: after so many looks one says enough.
    private const int MostLooks = 3;

    /// <summary>The position of its next message.</summary>
    public long NextPosition => SubscriptionFormat.Position(MachineMemory.Load(ref Next));

    /// <summary>How many messages are taken, and which one is the next: read so that none is counted twice.</summary>
    /// <remarks>
    /// The next position is read first, and each cell once. Where the next position is another one behind that, a message that was taken
    /// meanwhile still counts as one to take, and not as taken. Where it is the same, nothing was taken for the first time meanwhile: what
    /// cells then say of messages behind it was taken before a seek back, and counts.
    /// </remarks>
    public TakenCount CountTaken()
    {
        for (int look = 1; ; look++)
        {
            long nextWord = MachineMemory.Load(ref Next);
            (TakenCount before, TakenCount all) = CountTaken(nextWord);
            bool isStill = MachineMemory.Load(ref Next) == nextWord;
            if (isStill || look == MostLooks)
            {
                return isStill ? all : before;
            }
        }
    }

    // What was taken before the next message, and everything.
    private (TakenCount Before, TakenCount All) CountTaken(long nextWord)
    {
        long next = SubscriptionFormat.Position(nextWord);
        TakenCount before = new(next, 0, 0), all = before;
        for (int cell = 1; cell <= CellsInUse; cell++)
        {
            long message = MachineMemory.Load(ref Message(cell));
            LeaseState state = SubscriptionFormat.State(message);
            bool isBefore = SubscriptionFormat.MessagePosition(message) < next;
            bool hasTaken = HasTaken(cell, message, nextWord);
            int returned = state == LeaseState.Returned ? 1 : 0, inFlight = hasTaken || state.IsInFlight() ? 1 : 0;
            all = all.With(returned, inFlight);
            before = isBefore ? before.With(returned, inFlight) : before;
        }
        return (before, all);
    }

    /// <summary>
    /// The positions of messages that were taken and not committed; and of a letter that is becoming a message, where that is to stand.
    /// </summary>
    /// <param name="nextWord">What <see cref="Next"/> was before the call.</param>
    public List<(long Position, long? Target)> Taken(long nextWord)
    {
        List<(long Position, long? Target)> taken = [];
        for (int cell = 1; cell <= CellsInUse; cell++)
        {
            long message = MachineMemory.Load(ref Message(cell));
            LeaseState state = SubscriptionFormat.State(message);
            if (state is not (LeaseState.None or LeaseState.Claiming) || HasTaken(cell, message, nextWord))
            {
                long? target = state == LeaseState.Requeueing ? MachineMemory.Load(ref Target(cell)) : null;
                taken.Add((SubscriptionFormat.MessagePosition(message), target));
            }
        }
        return taken;
    }

    // Whether a cell that is still claiming has its message already: the next word, which decides that, names the cell.
    private static bool HasTaken(int cell, long message, long nextWord) =>
        SubscriptionFormat.State(message) == LeaseState.Claiming && SubscriptionFormat.Cell(nextWord) == cell
        && SubscriptionFormat.MessagePosition(message) < SubscriptionFormat.Position(nextWord);

    // None if no lease was ever taken.
    private int CellsInUse => MachineMemory.Load(ref Leases) == 0 ? 0 : SubscriptionFormat.Cells;
}
