using System.Text;
using BlitQueue.Memory;
using BlitQueue.Platform;
using Microsoft.Win32.SafeHandles;

namespace BlitQueue.Segments;

/// <summary>
/// Makes a queue's files. The last one, <c>queue.meta</c>, makes them a queue; what stands there without it is a killed maker's, and is
/// made anew.
/// </summary>
internal static class StoreMaker
{
    /// <summary>The name of the subscription that every queue has from the beginning.</summary>
    public const string DefaultSubscription = "default";

    /// <exception cref="QueueFullException">The disk has no room; nothing stays behind.</exception>
    public static QueueMeta Make(QueueFiles files, StoreOptions options)
    {
        var meta = new QueueMeta
        {
            Id = Guid.NewGuid(),
            SegmentSize = options.SegmentSize ?? SegmentFormat.DefaultSize,
            Checksum = options.Checksum ?? !IsSharedMemory(files.Directory),
            Fingerprint = options.Schema.Fingerprint,
            Schema = options.Schema.Text,
        };
        try
        {
            DeleteEverything(files);
            MakeControl(files, meta, Recommended.Platform.BootId);
            SegmentMaker.Make(files, meta, 0);
            if (options.DefaultSubscription)
            {
                SubscriptionFile.Make(files, meta, DefaultSubscription, SegmentFormat.FirstPosition);
            }
            FailPoint.Reach(ProtocolStep.StoreSubscriptionMade);
            using SafeFileHandle file = files.CreateUnfinished(StoreFormat.MetaName);
            RandomAccess.Write(file, meta.ToBytes(), 0);
            FailPoint.Reach(ProtocolStep.StoreMetaWritten);
            files.Finish(StoreFormat.MetaName, file);
            return meta;
        }
        catch (IOException exception) when (DiskFull.Is(exception))
        {
            throw new QueueFullException(
                $"{files.Directory}: the disk has no room for a queue with segments of {meta.SegmentSize} bytes. Nothing was left behind. "
                + "Free disk space, or use a smaller SegmentSize.", exception);
        }
    }

    /// <summary>Deletes what a failed making left, the lock file included. Called with the opening lock held.</summary>
    public static void RemoveUnfinished(QueueFiles files)
    {
        if (!files.Exists(StoreFormat.MetaName))
        {
            DeleteEverything(files);
            files.Delete(StoreFormat.LockName);
        }
    }

    private static void DeleteEverything(QueueFiles files)
    {
        foreach (string path in Directory.EnumerateFiles(files.Directory))
        {
            string name = Path.GetFileName(path);
            if (StoreFormat.IsOurs(name) && name != StoreFormat.LockName)
            {
                File.Delete(path);
            }
        }
    }

    /// <summary>Makes a control file whose words say that nothing was enqueued yet.</summary>
    public static void MakeControl(QueueFiles files, QueueMeta meta, string bootId)
    {
        using SafeFileHandle file = files.CreateUnfinished(StoreFormat.ControlName);
        Recommended.Platform.Preallocate(file, ControlFormat.Size);
        using (var region = new MappedRegion(file, ControlFormat.Size))
        {
            region.Word(ControlFormat.MagicOffset) = ControlFormat.Magic;
            meta.Id.TryWriteBytes(region.Bytes(ControlFormat.IdOffset, 16));
            Encoding.ASCII.TryGetBytes(bootId, region.Bytes(ControlFormat.BootOffset, ControlFormat.BootSize), out _);
            region.Word(ControlFormat.TailOffset) = SegmentFormat.FirstPosition;
            region.Word(ControlFormat.ReadyOffset) = 1;
            region.Word(ControlFormat.CompleteOffset) = 1;
        }
        files.Finish(StoreFormat.ControlName, file);
        FailPoint.Reach(ProtocolStep.StoreControlMade);
    }

    // What vanishes with the machine's power needs no check against it.
    private static bool IsSharedMemory(string directory)
    {
        try
        {
            return OperatingSystem.IsLinux() && new DriveInfo(directory).DriveFormat is "tmpfs" or "ramfs";
        }
        catch (IOException)
        {
            return false;
        }
    }
}
