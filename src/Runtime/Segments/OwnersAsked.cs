using BlitQueue.Memory;

namespace BlitQueue.Segments;

/// <summary>Who lives, asked of the kernel once for each within one look at all cells, which may be thousands of one consumer's.</summary>
internal ref struct OwnersAsked<TMem>(Participant self, Span<long> alive)
    where TMem : struct, ISharedMemory
{
    /// <summary>How many are remembered; with more that live some are asked after again.</summary>
    public const int Most = 16;

    private readonly Span<long> _alive = alive;
    private int _count;
    private long _dead;

    public bool IsAlive(long owner)
    {
        if (owner == _dead)
        {
            return false;
        }
        if (_alive[..Math.Min(_count, Most)].Contains(owner))
        {
            return true;
        }
        if (!self.IsAlive<TMem>(owner))
        {
            _dead = owner;
            return false;
        }
        _alive[_count++ % Most] = owner;
        return true;
    }
}
