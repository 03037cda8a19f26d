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

    /// <summary>The same among dead letters.</summary>
    public static bool Over(DeadLetterQueue<Item> letters, Func<bool> look)
    {
        for (; ; )
        {
            try
            {
                return look();
            }
            catch (QueueCorruptException exception) when (exception.HoleEnd is not null)
            {
                letters.SkipCorrupt();
            }
        }
    }

    /// <summary>All messages of a log from the oldest on, and of each its position and whether a hole is in front of it.</summary>
    public static IEnumerable<(Item Item, QueuePosition Position, bool IsBehindHole)> Read(MappedQueue<Item> queue)
    {
        using QueueCursor<Item> cursor = queue.OpenCursor(QueuePosition.Oldest);
        for (bool isBehindHole = false;
            TryRead(cursor, out Item? item, out QueuePosition position, ref isBehindHole);
            isBehindHole = false)
        {
            yield return (item!, position, isBehindHole);
        }
    }

    private static bool TryRead(QueueCursor<Item> cursor, out Item? item, out QueuePosition position, ref bool isBehindHole)
    {
        item = null;
        for (; ; )
        {
            try
            {
                return cursor.TryRead(ref item, out position);
            }
            catch (QueueCorruptException exception) when (exception.HoleEnd is not null)
            {
                isBehindHole = true;
                cursor.Seek(exception.HoleEnd.Value);
            }
        }
    }
}
