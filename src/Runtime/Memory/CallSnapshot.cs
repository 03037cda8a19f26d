namespace BlitQueue.Memory;

/// <summary>
/// The calls that were inside a gate at one moment. When they are over, memory that was made unreachable before may be unmapped.
/// </summary>
internal sealed class CallSnapshot(long gate, List<(CallSlot Slot, long Calls)> inside)
{
    /// <summary>Whether each of them has ended.</summary>
    public bool IsOver => !inside.Exists(entry => entry.Slot.IsInside(gate) && entry.Slot.Calls == entry.Calls);

    /// <summary>Whether one of them checks at its end whether it was the last. All do, except leaf calls.</summary>
    public bool AwaitsOthers => inside.Exists(entry => entry.Slot.Gate == gate);
}
