namespace BlitQueue.Reliability.Power;

/// <summary>Reads over what a recovery has told to be lost.</summary>
internal static class Holes
{
    /// <summary>Looks again behind each hole.</summary>
    public static bool Over(Subscription<Item> subscription, Func<bool> look)
    {
        for (; ; )
        {
            try
            {
                return look();
            }
            catch (QueueCorruptException exception) when (exception.HoleEnd is not null)
            {
                subscription.SkipCorrupt();
            }
        }
    }

    /// <summary>All messages of a log from the oldest on, and of each whether a hole is in front of it.</summary>
    public static IEnumerable<(Item Item, bool IsBehindHole)> Read(MappedQueue<Item> queue)
    {
        using QueueCursor<Item> cursor = queue.OpenCursor(QueuePosition.Oldest);
        for (bool isBehindHole = false; TryRead(cursor, out Item? item, ref isBehindHole); isBehindHole = false)
        {
            yield return (item!, isBehindHole);
        }
    }

    private static bool TryRead(QueueCursor<Item> cursor, out Item? item, ref bool isBehindHole)
    {
        item = null;
        for (; ; )
        {
            try
            {
                return cursor.TryRead(ref item);
            }
            catch (QueueCorruptException exception) when (exception.HoleEnd is not null)
            {
                isBehindHole = true;
                cursor.Seek(exception.HoleEnd.Value);
            }
        }
    }
}
