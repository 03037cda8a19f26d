using BlitQueue.Memory;

namespace BlitQueue.Calls;

/// <summary>
/// The word that says which calls of a client have something new: bit b stands for the cells b, b + 64 and so on. Servers set bits; the
/// client's pump takes them all, and looks at the cells of these alone.
/// </summary>
/// <remarks>
/// SYNC POINT call answered: setting a bit publishes the answer, or the bytes, that were stored before; taking the bits acquires them. A
/// call whose task begins to wait is looked at once by its caller, because its bit may have been taken before.
/// </remarks>
/// <param name="word">The word.</param>
internal readonly struct RpcAnswered<TMem>(SharedWord<long> word)
    where TMem : struct, ISharedMemory
{
    private readonly SharedWord<long> _word = word;

    /// <summary>Whether a bit is set.</summary>
    public bool IsAny => TMem.Load(ref _word.Value) != 0;

    /// <summary>There is something new in a cell.</summary>
    public void Set(int cell)
    {
        long now;
        do
        {
            now = TMem.Load(ref _word.Value);
        }
        // Also where the bit is set: the exchange is the fence behind what was stored.
        while (TMem.CompareExchange(ref _word.Value, now | (1L << (cell % RpcFormat.Bits)), now) != now);
    }

    /// <summary>Takes all bits. The cells are looked at afterwards.</summary>
    public long Take()
    {
        long now;
        do
        {
            now = TMem.Load(ref _word.Value);
        }
        while (now != 0 && TMem.CompareExchange(ref _word.Value, 0, now) != now);
        return now;
    }
}
