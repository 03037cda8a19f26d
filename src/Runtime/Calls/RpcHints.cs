using BlitQueue.Log;
using BlitQueue.Memory;

namespace BlitQueue.Calls;

/// <summary>
/// Where one client says that calls may wait for a server: bit b of its own word stands for the cells b, b + 64 and so on, and one bit of
/// the channel's word for the client. Both are hints: a bit may be set without a call, and stays set while servers look often.
/// </summary>
/// <remarks>
/// SYNC POINT call hint: the client queues a call by a full fence, then loads the bits, and sets those that are clear, by full fences;
/// first its own. A server clears a bit by a full fence, then looks at what the bit stands for, and sets it again if there is something. So
/// either the server sees the call, or the client sees that the bit is clear.
/// </remarks>
/// <param name="calling">The channel's word.</param>
/// <param name="client">The client's bit of it.</param>
/// <param name="pending">The client's word.</param>
internal readonly struct RpcHints<TMem>(SharedWord<long> calling, long client, SharedWord<long> pending)
    where TMem : struct, ISharedMemory
{
    private readonly SharedWord<long> _calling = calling, _pending = pending;

    /// <summary>Bits of cells that may have calls.</summary>
    public long Pending => TMem.Load(ref _pending.Value);

    /// <summary>Whether the client may have calls.</summary>
    public bool IsCalling => (TMem.Load(ref _calling.Value) & client) != 0;

    /// <summary>A cell of this bit has a call, which was queued by a full fence. No line is written where the bits are set.</summary>
    public void Announce(int bit)
    {
        Set(ref _pending.Value, 1L << bit);
        Set(ref _calling.Value, client);
    }

    /// <summary>By a server, which looks at the cells of the bit afterwards.</summary>
    public void ClearPending(int bit)
    {
        Change(ref _pending.Value, 0, 1L << bit);
        FailPoint.Reach(ProtocolStep.CallHintCleared);
    }

    /// <summary>By a server: clears the client's bit if it has no bit of its own.</summary>
    /// <returns>false if it has.</returns>
    public bool TryClearCalling()
    {
        Change(ref _calling.Value, 0, client);
        if (Pending == 0)
        {
            return true;
        }
        Set(ref _calling.Value, client);
        return false;
    }

    /// <summary>By a server that has found no call, and is about to look less often: clears all bits.</summary>
    /// <param name="isQueued">Whether a cell of a bit has a call that waits.</param>
    /// <returns>false if there is a call by now.</returns>
    public bool TryClear(Func<int, bool> isQueued)
    {
        bool isQuiet = true;
        for (ulong bits = (ulong)Pending; bits != 0; bits &= bits - 1)
        {
            int bit = BitOperations.TrailingZeroCount(bits);
            ClearPending(bit);
            if (isQueued(bit))
            {
                Announce(bit);
                isQuiet = false;
            }
        }
        return isQuiet && TryClearCalling();
    }

    private static void Set(ref long word, long bits)
    {
        if ((TMem.Load(ref word) & bits) != bits)
        {
            Change(ref word, bits, 0);
        }
    }

    private static void Change(ref long word, long set, long clear)
    {
        long now;
        do
        {
            now = TMem.Load(ref word);
        }
        while (TMem.CompareExchange(ref word, (now | set) & ~clear, now) != now);
    }
}
