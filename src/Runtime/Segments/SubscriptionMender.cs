using BlitQueue.Memory;

namespace BlitQueue.Segments;

/// <summary>Makes the subscriptions of a damaged queue stand where a message is, or begin anew: then what they had consumed comes again.</summary>
internal sealed class SubscriptionMender(QueueFiles files, QueueMeta meta, SetAside aside, List<RepairFinding> findings)
{
    /// <summary>Where subscriptions stand, of those whose file is the queue's.</summary>
    /// <param name="files">The queue's.</param>
    /// <param name="meta">The queue's.</param>
    /// <param name="areAllThere">Whether there are any, and the file of none is damaged.</param>
    public static long[] Positions(QueueFiles files, QueueMeta meta, out bool areAllThere)
    {
        var positions = new List<long>();
        areAllThere = true;
        foreach (string name in Names(files))
        {
            try
            {
                using SubscriptionFile file = SubscriptionFile.Open(files, meta, name);
                positions.Add(SubscriptionFormat.Position(file.Next));
            }
            catch (QueueCorruptException)
            {
                areAllThere = false;
            }
        }
        areAllThere &= positions.Count > 0;
        return [.. positions];
    }

    /// <summary>Makes files anew that are none of the queue's.</summary>
    /// <param name="first">Where a subscription begins.</param>
    public void MendFiles(long first)
    {
        foreach (string name in Names(files))
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

    /// <summary>Moves those that stand where no message is.</summary>
    public void MendPositions(LogMender log)
    {
        foreach (string name in Names(files))
        {
            using SubscriptionFile file = SubscriptionFile.Open(files, meta, name);
            if (!file.IsGone)
            {
                Mend(file, log);
            }
        }
    }

    private void Mend(SubscriptionFile file, LogMender log)
    {
        long position = SubscriptionFormat.Position(file.Next), place = log.Place(position);
        if (place < 0)
        {
            aside.Copy(StoreFormat.SubscriptionName(file.Name));
            Found(file.Name, $"it stands at {position}, where no message begins: begun anew at the oldest message, so that what was consumed comes again");
            place = log.First;
        }
        // A cell that is named by the position belongs to the message in front of it.
        if (place != position)
        {
            file.Next = SubscriptionFormat.NextWord(place, 0);
        }
        for (int cell = 1; cell <= SubscriptionFormat.Cells; cell++)
        {
            long held = SubscriptionFormat.MessagePosition(file.Message(cell));
            if (file.Message(cell) != 0 && (held >= place || !log.IsMessage(held)))
            {
                Found(file.Name, $"its lease {cell} names position {held}, where no message begins that was taken: freed");
                (file.Message(cell), file.Owner(cell)) = (0, 0);
            }
        }
        file.Sync();
    }

    private static string[] Names(QueueFiles files) =>
    [
        .. Directory.EnumerateFileSystemEntries(files.Directory, StoreFormat.SubscriptionPrefix + "*")
            .Select(static path => Path.GetFileName(path)[StoreFormat.SubscriptionPrefix.Length..])
            .Where(static name => !name.EndsWith(StoreFormat.UnfinishedSuffix, StringComparison.Ordinal)),
    ];

    private static bool IsName(string name)
    {
        try
        {
            SubscriptionName.Check(name);
            return true;
        }
        catch (ArgumentException)
        {
            return false;
        }
    }

    private void Found(string name, string what) =>
        findings.Add(new RepairFinding(files.PathOf(StoreFormat.SubscriptionName(name)), 0, 0, what));
}
