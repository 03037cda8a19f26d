using BlitQueue.Memory;

namespace BlitQueue.Log;

/// <summary>
/// Moves a queue's subscriptions to positions at which a message is; or begins them anew, so that messages which they had consumed come
/// again.
/// </summary>
internal sealed class SubscriptionRepairer(QueueFiles files, QueueMeta meta, Quarantine aside)
{
    /// <summary>The indexes of the segments with subscriptions' positions, and whether any subscription's file is damaged.</summary>
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

    /// <summary>Makes files anew that are damaged or another queue's; their subscriptions begin at a position.</summary>
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

    /// <summary>
    /// If files are missing: makes the default subscription's file anew, if it is one of them; the subscription begins at a position.
    /// </summary>
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
    /// Makes all subscriptions' words fit the log and brings them to the disk, after the machine went down or the control file was lost: on
    /// the disk, a subscription may be older or newer than the log.
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
            // An opening does this search only if something else was damaged.
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

    // Removes the leases of messages that were lost with the log's end, as after a loss of power.
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

    /// <summary>Whether the positions of all subscriptions and of their leases are those of messages or of the log's end.</summary>
    public bool Fit(LogRepairer log) => SubscriptionFile.Names(files).All(name =>
    {
        using var file = SubscriptionFile.Open(files, meta, name);
        long next = SubscriptionFormat.Position(file.Next);
        return file.IsGone || (log.RecordStart(next) == next && !Lost(file, log).Any());
    });

    private long PositionFor(SubscriptionFile file, long position, LogRepairer log)
    {
        // The subscription is older on the disk than the deletion of segments that all subscriptions had passed.
        long start = position < log.First ? log.Oldest : log.RecordStart(position);
        // The subscription is newer on the disk than the log; impossible if nothing can be torn.
        bool isInFront = position > log.Reached && log.Words is { MayBeTorn: false };
        if (start < 0 || isInFront)
        {
            aside.Copy(StoreFormat.SubscriptionName(file.Name));
            string where = isInFront ? $"in front of the log's end at {log.Reached}" : "where no message begins";
            Found(file.Name, $"it stands at {position}, {where}: begun anew at the oldest "
                + "message, so that what was consumed comes again");
            start = log.Oldest;
        }
        // Between the two ends there is no message.
        return start >= log.Reached ? log.End : start;
    }

    // The cells of leases whose position is not that of a message.
    private static IEnumerable<int> Lost(SubscriptionFile file, LogRepairer log)
        => Enumerable.Range(1, SubscriptionFormat.Cells).Where(cell =>
        SubscriptionFormat.State(file.Message(cell)) != LeaseState.None
        && SubscriptionFormat.MessagePosition(file.Message(cell)) is var held
        && (held >= SubscriptionFormat.Position(file.Next) || !log.IsMessage(held)));

    private void Found(string name, string what) => aside.Found(StoreFormat.SubscriptionName(name), what);
}
