using BlitQueue.Memory;

namespace BlitQueue.Log;

/// <summary>Makes a queue's subscriptions stand where a message is, or begin anew: then what they had consumed comes again.</summary>
internal sealed class SubscriptionRepairer(QueueFiles files, QueueMeta meta, Quarantine aside)
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
                using var file = SubscriptionFile.Open(files, meta, name);
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
    public void RepairFiles(long first)
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
                if (QueueName.IsSubscription(name))
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

    /// <summary>Where files are missing: makes that of the default subscription anew, which begins at a position, if it is one.</summary>
    public void RepairMissing(long first, long missing)
    {
        if (missing <= 0)
        {
            return;
        }
        string name = StoreCreator.DefaultSubscription;
        bool isDefault = !files.Exists(StoreFormat.SubscriptionName(name));
        if (isDefault)
        {
            SubscriptionFile.Make(files, meta, name, first);
            Found(name, "it is missing: begun anew at the oldest message, so that what was consumed comes again");
        }
        if (missing > 1 || !isDefault)
        {
            Found("", $"the files of {missing - (isDefault ? 1 : 0)} more subscriptions are missing: they are as if they were deleted");
        }
    }

    /// <summary>
    /// Makes all words fit the log, after the machine went down or the control file was lost, and brings them to the disk: a subscription
    /// may be older or newer there than the log.
    /// </summary>
    /// <exception cref="QueueFailedException">The disk refused.</exception>
    public void Recover(LogRepairer log)
    {
        foreach (string name in SubscriptionFile.Names(files))
        {
            using var file = SubscriptionFile.Open(files, meta, name);
            if (file.IsGone)
            {
                continue;
            }
            file.Recover(log.First, PositionFor(file, file.TrustedNext, log), meta.Id, log.Decided);
            // An opening spares itself the search where nothing else was damaged.
            if (log.IsRepair || log.HasHoles || aside.Findings.Count > 0)
            {
                foreach (int cell in Lost(file, log))
                {
                    Found(
                        file.Name,
                        $"its lease {cell} names position {SubscriptionFormat.MessagePosition(file.Message(cell))}, where no message "
                            + "begins that was taken: freed");
                    Free(file, cell);
                }
            }
            ForgetLost(file, log.Reached);
            Recovery.SyncOrFail(files.PathOf(StoreFormat.SubscriptionName(name)), file.Sync);
        }
    }

    // Leases of messages that went with the log's end, as after a loss of power.
    private static void ForgetLost(SubscriptionFile file, long end)
    {
        for (int cell = 1; cell <= SubscriptionFormat.Cells; cell++)
        {
            if (SubscriptionFormat.State(file.Message(cell)) != LeaseState.None
                && SubscriptionFormat.MessagePosition(file.Message(cell)) >= end)
            {
                Free(file, cell);
            }
        }
    }

    private static void Free(SubscriptionFile file, int cell) => (file.Message(cell), file.Owner(cell)) = (0, 0);

    /// <summary>Whether all stand where a message, or the log's end, is, and so do their leases.</summary>
    public bool Fit(LogRepairer log) => SubscriptionFile.Names(files).All(name =>
    {
        using var file = SubscriptionFile.Open(files, meta, name);
        long next = SubscriptionFormat.Position(file.Next);
        return file.IsGone || (log.RecordStart(next) == next && !Lost(file, log).Any());
    });

    private long PositionFor(SubscriptionFile file, long position, LogRepairer log)
    {
        // Older on the disk than the deletion of what all had passed.
        long start = position < log.First ? log.Oldest : log.RecordStart(position);
        // Newer on the disk than the log, unless nothing on the disk is older.
        bool isInFront = position > log.Reached && log.Words is { MayBeTorn: false };
        if (start < 0 || isInFront)
        {
            aside.Copy(StoreFormat.SubscriptionName(file.Name));
            string where = isInFront ? $"in front of the log's end at {log.Reached}" : "where no message begins";
            Found(file.Name, $"it stands at {position}, {where}: begun anew at the oldest "
                + "message, so that what was consumed comes again");
            start = log.Oldest;
        }
        // What is between is nobody's, and takes no room.
        return start >= log.Reached ? log.End : start;
    }

    // The cells of leases that name no message which was taken.
    private static IEnumerable<int> Lost(SubscriptionFile file, LogRepairer log)
        => Enumerable.Range(1, SubscriptionFormat.Cells).Where(cell =>
        SubscriptionFormat.State(file.Message(cell)) != LeaseState.None
        && SubscriptionFormat.MessagePosition(file.Message(cell)) is var held
        && (held >= SubscriptionFormat.Position(file.Next) || !log.IsMessage(held)));

    private void Found(string name, string what) => aside.Found(StoreFormat.SubscriptionName(name), what);
}
