namespace BlitQueue.Log;

/// <summary>
/// The damages that calls have met through one handle. Damage that a call meets again, for instance because a consumer tries again until an
/// operator has skipped it, counts once.
/// </summary>
internal sealed class DamageCount
{
    // When there were more of them, the first ones may be counted a second time.
    private const int MostKnown = 1000;

    private readonly Lock _sync = new();
    private readonly HashSet<(string File, long Offset)> _known = [];

    /// <summary>Called for each damage that was not met before. Set before the handle is used.</summary>
    public Action? Counted { get; set; }

    /// <summary>Counts the damage unless it was counted already.</summary>
    /// <returns>The same exception.</returns>
    public QueueCorruptException Note(QueueCorruptException damage)
    {
        bool isNew;
        lock (_sync)
        {
            if (_known.Count == MostKnown)
            {
                _known.Clear();
            }
            isNew = _known.Add((damage.Path, damage.Offset));
        }
        if (isNew)
        {
            Counted?.Invoke();
        }
        return damage;
    }

    /// <summary>Does what may meet damage, and counts that.</summary>
    public TResult Noting<TResult>(Func<TResult> work)
    {
        try
        {
            return work();
        }
        catch (QueueCorruptException damage)
        {
            Note(damage);
            throw;
        }
    }
}
