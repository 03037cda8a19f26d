using BlitQueue.Memory;

namespace BlitQueue.Segments;

/// <summary>Makes a queue's subscriptions stand where a message is, or begin anew: then what they had consumed comes again.</summary>
internal sealed class SubscriptionMender(QueueFiles files, QueueMeta meta, SetAside aside)
{
    /// <summary>The indexes of the segments that subscriptions stand in, and whether the file of some other one is damaged.</summary>
    public static long[] Needed(QueueFiles files, QueueMeta meta, out bool isAnyDamaged)
    {
        var needed = new List<long>();
        isAnyDamaged = false;
        foreach (string name in SubscriptionFile.Names(files))
        {
            try
            {
                using SubscriptionFile file = SubscriptionFile.Open(files, meta, name);
                if (!file.IsGone)
                {
                    needed.Add(file.TrustedNext / meta.SegmentSize);
                }
            }
            catch (QueueCorruptException)
            {
                isAnyDamaged = true;
            }
        }
        return [.. needed];
    }

    /// <summary>Makes files anew that are none of the queue's; their subscriptions begin at a position.</summary>
    public void MendFiles(long first)
    {
        foreach (string name in SubscriptionFile.Names(files))
        {
            try
            {
                SubscriptionFile.Open(files, meta, name).Dispose();
            }
            catch (QueueCorruptException)
            {
                aside.Move(StoreFormat.SubscriptionName(name));
                if (IsName(name))
                {
                    SubscriptionFile.Make(files, meta, name, first);
                    Found(name, "it is damaged: begun anew at the oldest message, so that what was consumed comes again");
                }
                else
                {
                    Found(name, "no subscription has such a name: set aside");
                }
            }
        }
    }

    /// <summary>
    /// Makes all words fit the log, after the machine went down or the control file was lost, and brings them to the disk: a subscription may be
    /// older or newer there than the log. The transaction is the committed one that may not be completed.
    /// </summary>
    /// <exception cref="QueueFailedException">The disk refused.</exception>
    public void Recover(LogMender log, DecidedTransaction? decided)
    {
        foreach (string name in SubscriptionFile.Names(files))
        {
            using SubscriptionFile file = SubscriptionFile.Open(files, meta, name);
            if (file.IsGone)
            {
                continue;
            }
            file.Recover(log.First, PlaceOf(file, file.TrustedNext, log), meta.Id, decided);
            if (log.HasHoles)
            {
                FreeLost(file, SubscriptionFormat.Position(file.Next), log);
            }
            Recovery.SyncOrFail(files.PathOf(StoreFormat.SubscriptionName(name)), file.Sync);
        }
    }

    /// <summary>Moves those that stand where no message is, in a queue whose words are right.</summary>
    public void MendPositions(LogMender log)
    {
        foreach (string name in SubscriptionFile.Names(files))
        {
            using SubscriptionFile file = SubscriptionFile.Open(files, meta, name);
            if (!file.IsGone)
            {
                long position = SubscriptionFormat.Position(file.Next), place = PlaceOf(file, position, log);
                // A cell that is named by the position belongs to the message in front of it.
                if (place != position)
                {
                    file.Next = SubscriptionFormat.NextWord(place, 0);
                }
                FreeLost(file, place, log);
                file.Sync();
            }
        }
    }

    private long PlaceOf(SubscriptionFile file, long position, LogMender log)
    {
        // Older on the disk than the deletion of what all had passed.
        long place = position < log.First ? log.Start : log.Place(position);
        if (place < 0)
        {
            aside.Copy(StoreFormat.SubscriptionName(file.Name));
            Found(file.Name, $"it stands at {position}, where no message begins: begun anew at the oldest message, so that what was consumed comes again");
            place = log.Start;
        }
        return place;
    }

    private void FreeLost(SubscriptionFile file, long next, LogMender log)
    {
        for (int cell = 1; cell <= SubscriptionFormat.Cells; cell++)
        {
            long held = SubscriptionFormat.MessagePosition(file.Message(cell));
            if (SubscriptionFormat.State(file.Message(cell)) != LeaseState.None && (held >= next || !log.IsMessage(held)))
            {
                Found(file.Name, $"its lease {cell} names position {held}, where no message begins that was taken: freed");
                (file.Message(cell), file.Owner(cell)) = (0, 0);
            }
        }
    }

    private static bool IsName(string name)
    {
        try
        {
            QueueName.CheckSubscription(name);
            return true;
        }
        catch (ArgumentException)
        {
            return false;
        }
    }

    private void Found(string name, string what) => aside.Found(StoreFormat.SubscriptionName(name), what);
}
