using BlitQueue.Memory;

namespace BlitQueue.Log;

/// <summary>
/// Makes room by taking the oldest messages from the subscriptions that lag, as a consumer would, and counting them. Leased messages
/// cannot be dropped: their holders are at work on them.
/// </summary>
internal sealed class OldestDropper<TMem>(QueueStore store) : IDisposable where TMem : struct, ISharedMemory
{
    private readonly Lock _sync = new();
    private readonly Dictionary<SubscriptionFile, (Cursor<TMem> Cursor, LeaseTable<TMem> Leases)> _cursors = [];

    /// <summary>Drops messages before this position, of every subscription, up to a record's end behind it.</summary>
    public void DropBefore(long position)
    {
        lock (_sync)
        {
            SubscriptionFile[] files = store.Subscriptions.All();
            ForgetOthers(files);
            foreach (SubscriptionFile file in files)
            {
                (Cursor<TMem> cursor, LeaseTable<TMem> leases) = CursorOf(file);
                while (leases.TryDropBefore(position))
                {
                    TMem.Increment(ref file.Dropped);
                }
                while (cursor.Position < position && TryFind(file, cursor, out RecordRef found))
                {
                    Drop(file, cursor, found, position);
                }
            }
        }
    }

    // Those that were deleted; what was mapped of them may not be any more.
    private void ForgetOthers(SubscriptionFile[] files)
    {
        foreach (SubscriptionFile gone in _cursors.Keys.Except(files).ToArray())
        {
            _cursors[gone].Cursor.Dispose();
            _cursors.Remove(gone);
        }
    }

    // A hole goes as a message would that stood there.
    private static bool TryFind(SubscriptionFile file, Cursor<TMem> cursor, out RecordRef found)
    {
        for (; ; )
        {
            long nextWord = cursor.NextWord;
            try
            {
                return cursor.TryFindWhole(out found);
            }
            catch (QueueException) when (file.IsGone)
            {
                // Deleted meanwhile: it holds nothing back.
                found = default;
                return false;
            }
            catch (QueueCorruptException exception) when (exception.Hole is not null)
            {
                if (cursor.TryConsume(nextWord, exception.Hole.Value.End))
                {
                    TMem.Increment(ref file.Dropped);
                }
            }
        }
    }

    private static void Drop(SubscriptionFile file, Cursor<TMem> cursor, in RecordRef found, long position)
    {
        if (found.Position >= position)
        {
            // The message can stay; what lies before it is padding and the next segment's header.
            cursor.StepOverPadding(found.NextWord, found.Position);
        }
        else if (cursor.TryConsume(found))
        {
            TMem.Increment(ref file.Dropped);
        }
    }

    private (Cursor<TMem> Cursor, LeaseTable<TMem> Leases) CursorOf(SubscriptionFile file)
    {
        if (!_cursors.TryGetValue(file, out (Cursor<TMem> Cursor, LeaseTable<TMem> Leases) pair))
        {
            Cursor<TMem> cursor = store.CursorOf<TMem>(file);
            pair = (cursor, new LeaseTable<TMem>(file, cursor, store.Control, store.Self, store.Transactions));
            _cursors.Add(file, pair);
        }
        return pair;
    }

    public void Dispose()
    {
        lock (_sync)
        {
            foreach ((Cursor<TMem> cursor, _) in _cursors.Values)
            {
                cursor.Dispose();
            }
            _cursors.Clear();
        }
    }
}
