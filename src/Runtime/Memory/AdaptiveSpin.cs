namespace BlitQueue.Memory;

/// <summary>
/// Adaptive spinning: whether a wait spins before it sleeps, by what came of the spins before it. Where one brought nothing, some waits do
/// without; where one did, the next ones spin, too. Any number of threads use one: what is lost among them makes a spin more or less.
/// </summary>
/// <example><code>
/// if (adaptive.Begins())
/// {
///     adaptive.Note(hasFound: SpinUntil(isOver, duration));
/// }
/// </code></example>
internal sealed class AdaptiveSpin
{
    /// <summary>How many waits do without a spin after the first one that brought nothing; twice as many after each further one.</summary>
    public const int FewestWithout = 4;

    /// <summary>At most so many.</summary>
    public const int MostWithout = 1024;

    private int _without, _nextWithout = FewestWithout;

    /// <summary>Whether the wait that begins now spins.</summary>
    public bool Begins()
    {
        if (_without <= 0)
        {
            return true;
        }
        _without--;
        return false;
    }

    /// <summary>Says what came of a spin.</summary>
    /// <param name="hasFound">Whether the wait was over by it.</param>
    public void Note(bool hasFound)
    {
        _without = hasFound ? 0 : _nextWithout;
        _nextWithout = hasFound ? FewestWithout : Math.Min(2 * _nextWithout, MostWithout);
    }
}
