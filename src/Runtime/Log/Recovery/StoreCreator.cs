using BlitQueue.Memory;
using BlitQueue.Platform;
using Microsoft.Win32.SafeHandles;

namespace BlitQueue.Log;

/// <summary>
/// Makes a queue's files. The last one, <c>queue.meta</c>, makes them a queue; files without it were left by a process that was killed, and
/// are made anew.
/// </summary>
internal static class StoreCreator
{
    /// <summary>The name of the subscription that every queue has from the beginning.</summary>
    public const string DefaultSubscription = "default";

    /// <remarks>
    /// The opening lock prevents that two processes make the queue at the same time, unless somebody deletes or moves the whole directory,
    /// and another process makes it anew. Then the maker that has lost its directory must not touch the other maker's files: it replaces no
    /// file, and completes its queue only if its lock file still has its name. It checks that before the last file gets its name, and again
    /// afterwards.
    /// </remarks>
    /// <exception cref="QueueFullException">The disk has no room; no file is left behind.</exception>
    /// <exception cref="OvertakenException">Another process, with another lock file, is making the queue.</exception>
    public static QueueMeta Make(QueueFiles files, StoreOptions options, SafeFileHandle locks)
    {
        MessageSchema schema = options.Schema
            ?? throw new QueueException($"{files.Directory} holds no queue any more: there is nothing left to do there.")
            { Reason = QueueError.NotFound, Path = files.Directory };
        bool isInMemory = StoreMedium.Of(files.Directory).IsMemory;
        var meta = new QueueMeta
        {
            Id = Guid.NewGuid(),
            SegmentSize = options.SegmentSize ?? options.SegmentSizeOfNew ?? SegmentFormat.DefaultSizeIn(isInMemory),
            HeaderSize = SegmentSchema.HeaderSizeFor(schema.Text),
            // What vanishes with the machine's power needs no check against it.
            Checksum = options.UseChecksums ?? options.ChecksumsOfNew ?? !isInMemory,
            Fingerprint = schema.Fingerprint,
            Schema = schema.Text,
        };
        if (meta.HeaderSize > meta.SegmentSize / 2)
        {
            throw new ArgumentException(
                $"SegmentSize {meta.SegmentSize} is too small for this message type: its description alone takes {meta.HeaderSize} bytes "
                + "of each segment. Choose a larger one.");
        }
        bool withDefault = options.CreateDefaultSubscription ?? true;
        long capacity = options.Capacity ?? options.CapacityOfNew;
        options.CheckCapacity?.Invoke(files.Directory, capacity);
        try
        {
            QueueDeletion.DeleteFiles(files);
            long reserved = FirstSegment.ReservedAtFirst(meta);
            if (!options.TakesLastSpace)
            {
                new FreeSpaceMargin(files, meta.SegmentSize).Require(reserved > 0 ? reserved : meta.SegmentSize);
            }
            files.DeferSyncs();
            MakeControl(files, meta, CurrentPlatform.Instance.BootId, control =>
            {
                control.Capacity = capacity;
                control.FirstReserved = reserved;
                control.DefaultMade = withDefault ? ControlFormat.MadeWithDefault : ControlFormat.MadeWithoutDefault;
            });
            SegmentFactory.Make(files, meta, 0, reserved);
            if (withDefault)
            {
                SubscriptionFile.Make(files, meta, DefaultSubscription, meta.FirstOf(0), isQueueNew: true);
            }
            FailPoint.Reach(ProtocolStep.StoreSubscriptionMade);
            files.SyncDeferred();
            using SafeFileHandle file = files.CreateUnfinished(StoreFormat.MetaName);
            QueueFiles.Write(file, meta.ToBytes(), 0);
            FailPoint.Reach(ProtocolStep.StoreMetaWritten);
            RequireLock(files, locks);
            files.FinishNew(StoreFormat.MetaName, file);
            RequireLock(files, locks);
            return meta;
        }
        catch (IOException exception) when (DiskFullException.Is(exception))
        {
            throw new QueueFullException(
                $"{files.Directory}: the disk has no room for a queue with segments of {meta.SegmentSize} bytes: {exception.Message} "
                + "Nothing was left behind. Free disk space, or use a smaller SegmentSize.", exception)
            { Path = files.Directory };
        }
    }

    private static void RequireLock(QueueFiles files, SafeFileHandle locks)
    {
        if (!OpeningLock.HasName(locks, files))
        {
            throw new OvertakenException(files.PathOf(StoreFormat.LockName));
        }
    }

    /// <summary>Makes a control file whose words say that nothing was enqueued yet, and what is to be set beside that.</summary>
    /// <exception cref="DiskFullException">The disk has no room; no file is left.</exception>
    public static void MakeControl(QueueFiles files, QueueMeta meta, string bootId, Action<ControlFile>? set = null)
    {
        using SafeFileHandle file = WriteControl(files, meta, bootId, set);
        files.FinishNew(StoreFormat.ControlName, file);
        FailPoint.Reach(ProtocolStep.StoreControlMade);
    }

    /// <summary>Makes one that replaces another in one step, with the settings and epochs of that one.</summary>
    /// <param name="files">The queue's files.</param>
    /// <param name="meta">The queue's properties.</param>
    /// <param name="before">The other one. It ends here: some systems replace no file that is mapped.</param>
    /// <param name="setAside">Keeps the other one's file, when there is nothing left to do but to replace it.</param>
    /// <exception cref="DiskFullException">The disk has no room; the other one is as it was.</exception>
    public static void ReplaceControl(QueueFiles files, QueueMeta meta, ControlFile before, Action setAside)
    {
        using SafeFileHandle file = WriteControl(files, meta, bootId: "", control =>
        {
            control.TakeSettings(before);
            EpochTable.Copy(before, control);
        });
        before.Dispose();
        RandomAccess.FlushToDisk(file);
        setAside();
        FailPoint.Reach(ProtocolStep.RepairControlWritten);
        files.Rename(StoreFormat.ControlName + StoreFormat.UnfinishedSuffix, StoreFormat.ControlName);
        FailPoint.Reach(ProtocolStep.StoreControlMade);
    }

    private static SafeFileHandle WriteControl(QueueFiles files, QueueMeta meta, string bootId, Action<ControlFile>? set)
    {
        SafeFileHandle file = files.CreateUnfinished(StoreFormat.ControlName);
        try
        {
            CurrentPlatform.Instance.Preallocate(file, ControlFormat.Size);
            using var region = new MappedRegion(file, ControlFormat.Size);
            region.Word(ControlFormat.MagicOffset) = ControlFormat.Magic;
            meta.Id.TryWriteBytes(region.Bytes(ControlFormat.IdOffset, 16));
            Encoding.ASCII.TryGetBytes(bootId, region.Bytes(ControlFormat.BootOffset, ControlFormat.BootSize), out _);
            region.Word(ControlFormat.TailOffset) = meta.FirstOf(0);
            region.Word(ControlFormat.AllocatedEndOffset) = 1;
            region.Word(ControlFormat.DurableOffset) = meta.FirstOf(0);
            var control = new ControlFile(region);
            set?.Invoke(control);
            // Under the name that it has now: what tells a file from others stays.
            control.NoteIdentity(files.PathOf(StoreFormat.ControlName + StoreFormat.UnfinishedSuffix));
            region.Word(ControlFormat.CheckedOffset) = meta.FirstOf(0);
            region.Word(ControlFormat.CompleteOffset) = 1;
            return file;
        }
        catch (Exception exception)
        {
            file.Dispose();
            if (exception is DiskFullException)
            {
                files.Delete(StoreFormat.ControlName + StoreFormat.UnfinishedSuffix);
            }
            throw;
        }
    }
}
