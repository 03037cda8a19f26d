namespace BlitQueue.Memory;

/// <summary>The calls that were inside a gate at one moment. What was made unreachable before may go once they are over.</summary>
internal sealed class CallSnapshot(long gate, List<(CallSlot Slot, long Calls)> inside)
{
    /// <summary>Whether each of them has ended.</summary>
    public bool IsOver => !inside.Exists(entry => entry.Slot.IsInside(gate) && entry.Slot.Calls == entry.Calls);

    /// <summary>Whether one of them will look, when it ends, whether it was the last: every one but the plain ones.</summary>
    public bool AwaitsOthers => inside.Exists(entry => entry.Slot.Gate == gate);
}
