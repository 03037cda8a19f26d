namespace BlitQueue.Log;

/// <summary>
/// How many damages readers have met through one handle. Damage that a reader meets again, for instance because a consumer tries again
/// until an operator has skipped it, counts once.
/// </summary>
internal sealed class DamageCount
{
    // When there were more of them, the first ones may be counted a second time.
    private const int MostKnown = 1000;

    private readonly Lock _sync = new();
    private readonly HashSet<(string File, long Offset)> _known = [];
    private long _count;

    public long Value
    {
        get
        {
            lock (_sync)
            {
                return _count;
            }
        }
    }

    /// <summary>Counts the damage unless it was counted already.</summary>
    public void Note(QueueCorruptException damage)
    {
        lock (_sync)
        {
            if (_known.Count == MostKnown)
            {
                _known.Clear();
            }
            if (_known.Add((damage.Path, damage.Offset)))
            {
                _count++;
            }
        }
    }
}
