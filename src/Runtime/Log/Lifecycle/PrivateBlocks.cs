using BlitQueue.Memory;
using BlitQueue.Platform;
using Microsoft.Win32.SafeHandles;

namespace BlitQueue.Log;

/// <summary>
/// Makes sure that the queue shares none of the blocks that it writes to through mappings, on file systems where a copy or a snapshot
/// shares blocks with the original. A write to a shared block takes a new one, and a store through a mapping that finds no room for it ends
/// the process.
/// </summary>
/// <remarks>
/// A look at a file takes three system calls. It does not help against a copy or a snapshot that somebody takes while the disk is full, or
/// less than <see cref="PrivateBlockWatch.Pause"/> before.
/// </remarks>
internal static class PrivateBlocks
{
    /// <summary>
    /// Gives the queue's files blocks of their own. Callers do so before they map anything for writing. Where no other process has the
    /// queue open, it also makes those files anew that a copying program made, and whose every write would take new blocks for ever.
    /// </summary>
    /// <exception cref="QueueFullException">The disk has no room for them.</exception>
    public static void Require(QueueFiles files, QueueMeta meta, bool isAlone)
    {
        if (!files.Medium.SharesBlocks)
        {
            return;
        }
        Span<byte> tail = stackalloc byte[sizeof(long)];
        long first = files.TryRead(StoreFormat.ControlName, ControlFormat.TailOffset, tail)
            ? BitConverter.ToInt64(tail) / meta.SegmentSize
            : 0;
        string[] names = [StoreFormat.ControlName, .. SubscriptionFile.Names(files).Select(StoreFormat.SubscriptionName),
            .. from index in SegmentNames.In(files, meta) where index >= first select StoreFormat.SegmentName(index * meta.SegmentSize)];
        foreach (string name in names)
        {
            Require(files, name, isAlone);
        }
    }

    /// <summary>The same for one file.</summary>
    /// <exception cref="QueueFullException">The disk has no room for its blocks.</exception>
    public static void Require(QueueFiles files, string name, bool isAlone)
    {
        if (isAlone && files.Medium.CopiesOnWrite)
        {
            MakeAnewUnlessInPlace(files, name);
        }
        if (files.Medium.SharesBlocks && !TryMakePrivate(files, name))
        {
            throw new QueueFullException(
                $"{files.PathOf(name)}: a copy or a snapshot has the same blocks as this file, and the disk has no room for the queue's "
                + "own. Nothing was changed. Free disk space, or delete the copy.")
            { Path = files.PathOf(name) };
        }
    }

    /// <summary>Whether writes to any of a file's blocks need no new ones.</summary>
    public static bool AreAllOwn(QueueFiles files, string name)
    {
        if (!files.Medium.SharesBlocks)
        {
            return true;
        }
        using SafeFileHandle file = files.OpenExisting(name);
        return (!files.Medium.CopiesOnWrite || CurrentPlatform.Instance.IsWrittenInPlace(file))
            && !CurrentPlatform.Instance.IsShared(file, 0, RandomAccess.GetLength(file));
    }

    private static void MakeAnewUnlessInPlace(QueueFiles files, string name)
    {
        using SafeFileHandle file = files.OpenExisting(name);
        if (CurrentPlatform.Instance.IsWrittenInPlace(file))
        {
            return;
        }
        try
        {
            using SafeFileHandle anew = files.CreateUnfinished(name);
            long length = RandomAccess.GetLength(file);
            CurrentPlatform.Instance.Preallocate(anew, length);
            byte[] bytes = new byte[(int)Math.Min(length, 1 << 20)];
            for (long offset = 0; offset < length; offset += bytes.Length)
            {
                int read = RandomAccess.Read(file, bytes, offset);
                QueueFiles.Write(anew, bytes.AsSpan(0, read), offset);
            }
            files.Finish(name, anew);
        }
        catch (IOException exception) when (DiskFullException.Is(exception))
        {
            files.Delete(name + StoreFormat.UnfinishedSuffix);
            throw new QueueFullException(
                $"{files.PathOf(name)}: {files.Medium.Name} would write this copy to new blocks each time, and the disk has no room to "
                + "make it anew as a file that is written in place. Nothing was changed. Free disk space.", exception)
            { Path = files.PathOf(name) };
        }
    }

    /// <summary>Gives a file blocks of its own where others share them.</summary>
    /// <returns>false where the disk has no room for them.</returns>
    public static bool TryMakePrivate(QueueFiles files, string name)
    {
        try
        {
            using SafeFileHandle file = files.OpenExisting(name);
            long length = RandomAccess.GetLength(file);
            return length == 0 || !CurrentPlatform.Instance.IsShared(file, 0, length)
                || CurrentPlatform.Instance.TryMakePrivate(file, 0, length);
        }
        catch (FileNotFoundException)
        {
            return true;
        }
    }
}
