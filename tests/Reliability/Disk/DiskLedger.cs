namespace BlitQueue.Reliability.Disk;

/// <summary>What has to come out of the queue next, by what was acknowledged.</summary>
internal sealed class DiskLedger
{
    private readonly Queue<(long Number, long Group, bool IsCertain)> _expected = new();
    private long _found = -1;

    public int Count => _expected.Count;

    /// <summary>Messages that came in as a whole, the numbers following each other; or, where that is not certain, may have.</summary>
    public void Enqueued(long first, int count, bool isCertain = true)
    {
        for (long number = first; number < first + count; number++)
        {
            _expected.Enqueue((number, first, isCertain));
        }
    }

    /// <summary>Compares a message that was consumed.</summary>
    /// <returns>What is wrong; null where nothing is.</returns>
    public string? Consumed(long number)
    {
        SkipUncertain(number);
        if (!_expected.TryDequeue(out (long Number, long Group, bool IsCertain) next))
        {
            return $"message {number} came, and none was to come";
        }
        if (next.Number != number)
        {
            return $"message {number} came instead of {next.Number}";
        }
        _found = next.Group;
        return null;
    }

    /// <summary>The queue says that it is empty.</summary>
    /// <returns>What is wrong; null where nothing is.</returns>
    public string? Emptied()
    {
        SkipUncertain(-1);
        string? lost = _expected.TryPeek(out (long Number, long Group, bool IsCertain) next)
            ? $"{_expected.Count} messages from {next.Number} on are lost"
            : null;
        _expected.Clear();
        return lost;
    }

    // Of what is not certain all has come or nothing: what has come in part is certain.
    private void SkipUncertain(long number)
    {
        while (_expected.TryPeek(out (long Number, long Group, bool IsCertain) next) && next.Number != number && !next.IsCertain
            && next.Group != _found)
        {
            _expected.Dequeue();
        }
    }
}
