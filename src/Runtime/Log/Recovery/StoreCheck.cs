using BlitQueue.Memory;
using Microsoft.Win32.SafeHandles;

namespace BlitQueue.Log;

/// <summary>Compares a queue's files with the options with which it is opened, and with each other.</summary>
internal static class StoreCheck
{
    /// <exception cref="ArgumentException">The options differ from those with which the queue was made.</exception>
    public static void Verify(QueueFiles files, QueueMeta meta, StoreOptions options)
    {
        VerifySane(files, meta);
        if (options.SegmentSize is { } segmentSize && segmentSize != meta.SegmentSize)
        {
            throw new ArgumentException(
                $"{files.Directory} was made with segments of {meta.SegmentSize} bytes, and was opened with SegmentSize "
                + $"{segmentSize}. Open it with {meta.SegmentSize}, or with null to take what is there.");
        }
        if (options.UseChecksums is { } checksums && checksums != meta.Checksum)
        {
            throw new ArgumentException(
                $"{files.Directory} was made with UseChecksums {meta.Checksum}, and was opened with {checksums}. Open it with "
                + $"{meta.Checksum}, or with null to take what is there.");
        }
        FileRights.Require(files.Directory, options.FileMode);
    }

    /// <exception cref="ArgumentException">
    /// The queue was made with the subscription <c>default</c>, or without it, and not as asked.
    /// </exception>
    public static void VerifyDefault(QueueFiles files, ControlFile control, StoreOptions options)
    {
        long made = MachineMemory.Load(ref control.DefaultMade);
        if (options.CreateDefaultSubscription is { } create
            && made == (create ? ControlFormat.MadeWithoutDefault : ControlFormat.MadeWithDefault))
        {
            throw new ArgumentException(
                $"{files.Directory} was made with CreateDefaultSubscription {!create}, and was opened with {create}. Open it with "
                + $"{!create}, or with null to take what is there; Subscribe(\"{StoreCreator.DefaultSubscription}\") makes the "
                + "subscription in a queue without it, DeleteSubscription removes it.");
        }
    }

    /// <exception cref="QueueCorruptException">The control file is not this queue's.</exception>
    public static void VerifyControl(QueueFiles files, QueueMeta meta, ControlFile control)
    {
        if (!control.Belongs(meta.Id))
        {
            throw new QueueCorruptException(
                files.PathOf(StoreFormat.ControlName), 0,
                "it is not this queue's control file. Delete it when no process has the queue open: it is rebuilt from the segments.");
        }
    }

    /// <summary>Refuses to make the control file anew while other processes have the queue open: they would go on with the file that they
    /// have mapped, and both would append at the same position.</summary>
    /// <exception cref="QueueCorruptException">The control file is gone while others have the queue open.</exception>
    public static void VerifyNobodyAlive(QueueFiles files, SafeFileHandle locks)
    {
        if (Participant.AnyAlive(locks))
        {
            throw new QueueCorruptException(
                files.PathOf(StoreFormat.ControlName), 0,
                "it is missing while other processes have the queue open. End them all; the next opening rebuilds it.");
        }
    }

    /// <summary>What is said of a queue that has the mark of a repair: a process that only reads cannot tell whether one runs.</summary>
    public const string RepairNotEnded = "a repair of the queue was begun and has not ended. Call MappedQueue.Repair(path) again: where a "
        + "repair still runs, it waits for its end; where one was killed, it begins anew.";

    /// <summary>What is said of a control file whose epochs cannot be told any more.</summary>
    public const string DamagedEpochs = "the table of epochs is damaged, which tells messages from others that had their positions. The "
        + "messages are whole. MappedQueue.Repair(path), when no process has the queue open, gives them new names: what a forwarder has "
        + "sent and still waits is sent again, and received twice.";

    /// <summary>What is said of a table of which one copy is damaged.</summary>
    public const string DamagedEpochsCopy = "one of the two copies of the table of epochs is damaged. The other one is whole, and counts. "
        + "The next recovery or repair writes both.";

    /// <summary>What a recovery or repair says of epochs that cannot be told any more.</summary>
    public const string RenamedEpochs = "its table of epochs is damaged or lost: all messages have new names. What a forwarder has sent "
        + "and still waits is sent again, and received twice";

    /// <exception cref="QueueCorruptException">The table of epochs is damaged.</exception>
    public static void VerifyEpochs(QueueFiles files, ControlFile control)
    {
        if (EpochTable.IsLost(control) && EpochTable.DamagedAt(control) is { } offset)
        {
            throw new QueueCorruptException(files.PathOf(StoreFormat.ControlName), offset, DamagedEpochs);
        }
    }

    /// <exception cref="QueueCorruptException">A repair was begun and has not ended.</exception>
    public static void VerifyNoRepair(QueueFiles files)
    {
        if (files.Exists(StoreFormat.RepairName))
        {
            throw new QueueCorruptException(files.PathOf(StoreFormat.RepairName), 0, RepairNotEnded);
        }
    }

    /// <exception cref="QueueCorruptException">The control file has words that no log leads to.</exception>
    public static void VerifyWords(QueueFiles files, QueueMeta meta, ControlFile control)
    {
        if (Impossible(meta, control) is { } found)
        {
            throw new QueueCorruptException(
                files.PathOf(StoreFormat.ControlName), ControlFormat.TailOffset,
                $"{found}, which cannot be. MappedQueue.Repair(path), when no process has the queue open, rebuilds the file from the "
                    + "segments.");
        }
    }

    /// <summary>Refuses damage that a recovery would repair, but cannot while other processes have the files mapped.</summary>
    /// <exception cref="QueueCorruptException">Files of the queue were replaced, or written over, while others have it open.</exception>
    public static void VerifyShared(QueueFiles files, QueueMeta meta, ControlFile control)
    {
        const string remedy = "Files were copied over those of a queue in use, or damaged. End all processes that have the queue open: the "
            + "next opening repairs it.";
        if (!control.MayBeOriginal(files.PathOf(StoreFormat.ControlName)))
        {
            throw new QueueCorruptException(
                files.PathOf(StoreFormat.ControlName), ControlFormat.IdentityOffset,
                $"it is another file than the one that other processes have open. {remedy}");
        }
        if (PositionCheck.FirstWrong(files, meta, control) is { } found)
        {
            throw new QueueCorruptException(
                files.PathOf(StoreFormat.SubscriptionName(found.Name)), SubscriptionFormat.NextOffset, $"{found.What}. {remedy}");
        }
    }

    /// <summary>
    /// Compares the number of the subscriptions' files with the noted one: without its file, a subscription's messages would be deleted.
    /// </summary>
    /// <exception cref="QueueCorruptException">One is missing.</exception>
    public static void VerifySubscriptions(QueueFiles files, ControlFile control)
    {
        long changes = MachineMemory.Load(ref control.Subscriptions), missing = MissingSubscriptions(files, control);
        // Other processes may make or delete a subscription in the meantime.
        if (missing > 0 && MachineMemory.Load(ref control.Subscriptions) == changes)
        {
            throw new QueueCorruptException(
                files.PathOf(StoreFormat.SubscriptionName(StoreCreator.DefaultSubscription)), 0,
                $"{missing} of {control.SubscriptionFiles - 1} subscriptions have no file any more, so what they had not consumed would be "
                + "given up. Nothing was changed. Put the files back; or call MappedQueue.Repair(path), which goes on without them, but "
                + $"has '{StoreCreator.DefaultSubscription}', if it is one of them, begin anew at the oldest message.");
        }
    }

    /// <summary>Notes how many subscriptions there are, if that is not noted. Called while no process has the queue open.</summary>
    public static void CountSubscriptions(QueueFiles files, QueueMeta meta, ControlFile control)
    {
        if (control.SubscriptionFiles == 0)
        {
            MachineMemory.Store(ref control.SubscriptionFiles, 1 + SubscriptionFile.CountThere(files, meta));
        }
    }

    /// <summary>
    /// How many subscriptions have lost their file; 0 if one was just being made or deleted, which the next opening completes.
    /// </summary>
    public static long MissingSubscriptions(QueueFiles files, ControlFile control)
    {
        long counted = MachineMemory.Load(ref control.SubscriptionFiles);
        return counted == 0 || (MachineMemory.Load(ref control.Subscriptions) & 1) != 0 ? 0
            : Math.Max(0, counted - 1 - SubscriptionFile.Names(files).Length);
    }

    /// <returns>Which of the control file's words are impossible; null if they fit each other.</returns>
    public static string? Impossible(QueueMeta meta, ControlFile control)
    {
        // Each word only grows and never exceeds the next one, so, read in this order, they fit even while other processes are at work.
        long first = control.FirstRetained;
        long durable = MachineMemory.Load(ref control.Durable);
        long tail = MachineMemory.Load(ref control.Tail);
        long ready = MachineMemory.Load(ref control.AllocatedEnd);
        return first < 0 || first > tail / meta.SegmentSize ? $"the first segment kept is number {first}, the tail is {tail}"
            : tail % 8 != 0 || tail % meta.SegmentSize < meta.HeaderSize ? $"the tail is {tail}"
            : durable < 0 || durable > tail ? $"the log is durable up to {durable}, the tail is {tail}"
            : ready <= tail / meta.SegmentSize || ready > long.MaxValue / meta.SegmentSize
                ? $"{ready} segments are ready, the tail is {tail}"
            : null;
    }

    /// <exception cref="QueueCorruptException">The file has sizes that no queue has.</exception>
    public static void VerifySane(QueueFiles files, QueueMeta meta)
    {
        string? found =
            !BitOperations.IsPow2(meta.SegmentSize) || meta.SegmentSize is < SegmentFormat.MinimumSize or > SegmentFormat.MaximumSize
                ? $"a segment size of {meta.SegmentSize} bytes"
            : meta.HeaderSize < SegmentFormat.PageSize || meta.HeaderSize % SegmentFormat.PageSize != 0
                || meta.HeaderSize > meta.SegmentSize / 2
                ? $"a segment header of {meta.HeaderSize} bytes"
            : null;
        if (found is not null)
        {
            throw new QueueCorruptException(files.PathOf(StoreFormat.MetaName), 0, $"{found} cannot be. {StoreFormat.Remedy}");
        }
    }
}
