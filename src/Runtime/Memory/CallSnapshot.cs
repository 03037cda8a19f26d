namespace BlitQueue.Memory;

/// <summary>The calls that were inside a gate at one moment. What was made unreachable before may go once they are over.</summary>
internal sealed class CallSnapshot(long gate, List<(CallSlot Slot, long Calls)> inside)
{
    /// <summary>Whether each of them has ended.</summary>
    public bool IsOver
    {
        get
        {
            foreach ((CallSlot slot, long calls) in inside)
            {
                if (Volatile.Read(ref slot.Gate) == gate && Volatile.Read(ref slot.Calls) == calls)
                {
                    return false;
                }
            }
            return true;
        }
    }
}
