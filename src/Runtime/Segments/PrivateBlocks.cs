using BlitQueue.Memory;
using BlitQueue.Platform;
using Microsoft.Win32.SafeHandles;

namespace BlitQueue.Segments;

/// <summary>
/// Keeps the blocks that the queue writes to through mappings its own, on file systems where a copy or a snapshot takes a share in them: to
/// write there takes new blocks then, and a store that finds no room for them ends the process.
/// </summary>
/// <remarks>
/// A look at a file takes three calls of the system. What cannot be promised: a copy or a snapshot that is taken less than
/// <see cref="Pause"/> before the disk is full, or while it is.
/// </remarks>
internal sealed class PrivateBlocks : IDisposable
{
    /// <summary>From one look to the next.</summary>
    public static readonly TimeSpan Pause = TimeSpan.FromMilliseconds(100);

    // Of subscriptions: with more of them a look takes turns.
    private const int MostAtOnce = 64;

    private readonly QueueStore _store;
    private readonly Timer? _timer;
    // Where the store is whose transactions the queue takes part in, if it is in one.
    private readonly QueueFiles? _above;
    private int _turn;

    public PrivateBlocks(QueueStore store)
    {
        _store = store;
        if (store.Files.Medium.SharesBlocks)
        {
            _above = StorePlace.Of(store.Files.Directory).Above is { } directory ? new QueueFiles(directory, store.Files.Mode) : null;
            _timer = new Timer(static self => ((PrivateBlocks)self!).Look(), this, Timeout.InfiniteTimeSpan, Timeout.InfiniteTimeSpan);
            _timer.Change(Pause, Timeout.InfiniteTimeSpan);
        }
    }

    /// <summary>
    /// Before anything of the queue is mapped to be written: makes its blocks its own. Where nobody else has it open, files that a copying program
    /// made, and that would be written to new places for ever, are made anew.
    /// </summary>
    /// <exception cref="QueueFullException">The disk has no room for them.</exception>
    public static void Require(QueueFiles files, QueueMeta meta, bool isAlone)
    {
        if (!files.Medium.SharesBlocks)
        {
            return;
        }
        Span<byte> tail = stackalloc byte[sizeof(long)];
        long first = files.TryRead(StoreFormat.ControlName, ControlFormat.TailOffset, tail) ? BitConverter.ToInt64(tail) / meta.SegmentSize : 0;
        string[] names = [StoreFormat.ControlName, .. SubscriptionFile.Names(files).Select(StoreFormat.SubscriptionName),
            .. SegmentRange.Named(files, meta).Where(index => index >= first).Select(index => StoreFormat.SegmentName(index * meta.SegmentSize))];
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
                $"{files.PathOf(name)}: a copy or a snapshot has the same blocks as this file, and the disk has no room for the queue's own. "
                + "Nothing was changed. Free disk space, or delete the copy.");
        }
    }

    /// <summary>Whether a file can be written to in all of its blocks without new ones.</summary>
    public static bool AreAllOwn(QueueFiles files, string name)
    {
        if (!files.Medium.SharesBlocks)
        {
            return true;
        }
        using SafeFileHandle file = files.OpenExisting(name);
        return (!files.Medium.CopiesOnWrite || Recommended.Platform.IsWrittenInPlace(file))
            && !Recommended.Platform.IsShared(file, 0, RandomAccess.GetLength(file));
    }

    private static void MakeAnewUnlessInPlace(QueueFiles files, string name)
    {
        using SafeFileHandle file = files.OpenExisting(name);
        if (Recommended.Platform.IsWrittenInPlace(file))
        {
            return;
        }
        try
        {
            using SafeFileHandle anew = files.CreateUnfinished(name);
            long length = RandomAccess.GetLength(file);
            Recommended.Platform.Preallocate(anew, length);
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
                $"{files.PathOf(name)}: {files.Medium.Name} would write this copy to new blocks each time, and the disk has no room to make it "
                + "anew as a file that is written in place. Nothing was changed. Free disk space.", exception);
        }
    }

    private static bool TryMakePrivate(QueueFiles files, string name)
    {
        try
        {
            using SafeFileHandle file = files.OpenExisting(name);
            long length = RandomAccess.GetLength(file);
            return length == 0 || !Recommended.Platform.IsShared(file, 0, length) || Recommended.Platform.TryMakePrivate(file, 0, length);
        }
        catch (FileNotFoundException)
        {
            return true;
        }
    }

    private void Look()
    {
        try
        {
            using CallGate.Call call = _store.Gate.Enter();
            LookAtWords();
            LookAtLog();
        }
        catch (ObjectDisposedException)
        {
            return;
        }
        catch (Exception exception) when (exception is QueueException or IOException or UnauthorizedAccessException)
        {
            // Who uses the file is told.
        }
        try
        {
            _timer!.Change(Pause, Timeout.InfiniteTimeSpan);
        }
        catch (ObjectDisposedException)
        {
        }
    }

    // First: without them nobody can consume what is there, and so make room.
    private void LookAtWords()
    {
        TryMakePrivate(_store.Files, StoreFormat.ControlName);
        if (_above is not null && MachineMemory.Load(ref _store.Control.InStore) != 0)
        {
            TryMakePrivate(_above, TransactionFormat.FileName);
        }
        SubscriptionFile[] all = _store.Subscriptions.All();
        for (int i = 0; i < Math.Min(all.Length, MostAtOnce); i++)
        {
            TryMakePrivate(_store.Files, StoreFormat.SubscriptionName(all[_turn++ % all.Length].Name));
        }
        _turn = all.Length == 0 ? 0 : _turn % all.Length;
    }

    // What is written next: the segment that the log ends in, and those that are ready. All of each: XFS keeps several blocks in one piece of its cache, and
    // to write to one of them takes room for all.
    private void LookAtLog()
    {
        QueueMeta meta = _store.Meta;
        long tail = MachineMemory.Load(ref _store.Control.Tail), ready = MachineMemory.Load(ref _store.Control.Ready);
        long first = tail / meta.SegmentSize;
        for (long index = first; index < Math.Max(ready, first + 1) && index <= first + MostAtOnce; index++)
        {
            TryMakePrivate(_store.Files, StoreFormat.SegmentName(index * meta.SegmentSize));
        }
    }

    public void Dispose() => _timer?.Dispose();
}
