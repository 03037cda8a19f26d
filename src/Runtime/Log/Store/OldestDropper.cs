using BlitQueue.Memory;

namespace BlitQueue.Log;

/// <summary>
/// Makes room: consumes the oldest messages of the subscriptions that need them, as a consumer would, and counts these messages. Leased
/// messages cannot be dropped: their holders work on them.
/// </summary>
internal sealed class OldestDropper<TMem>(QueueStore store) : IDisposable where TMem : struct, ISharedMemory
{
    private readonly Lock _sync = new();
    private readonly Dictionary<SubscriptionFile, (Cursor<TMem> Cursor, LeaseTable<TMem> Leases)> _cursors = [];

    /// <summary>Drops each subscription's messages in front of a position, up to the end of the record there.</summary>
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

    // Forgets subscriptions that were deleted: their files may be unmapped.
    private void ForgetOthers(SubscriptionFile[] files)
    {
        foreach (SubscriptionFile gone in _cursors.Keys.Except(files).ToArray())
        {
            _cursors[gone].Cursor.Dispose();
            _cursors.Remove(gone);
        }
    }

    // Drops a hole like a message.
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
                // The subscription was deleted in the meantime: it holds nothing.
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
            // The message can stay: in front of it there are only padding and the next segment's header.
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
