using BlitQueue.Log;
using BlitQueue.Platform;
using Microsoft.Win32.SafeHandles;

namespace BlitQueue.Sharing;

/// <summary>Files beside a shared object that have a maker: the object's own until it is complete, and files of calls.</summary>
/// <remarks>
/// A maker gives its file a name of its own, locks a byte of it, reserves every block, writes the header, and gives it the final name by a
/// rename that replaces nothing. So several makers keep no one waiting; the first to rename wins. A file whose byte is not locked has a
/// dead maker, and the next process deletes it.
/// <para>
/// Where the file system has room for one of several makers, they take turns, by name: a maker that finds it full gives back its blocks,
/// keeps its empty file and its lock, which say that it waits, and tries again when no living maker's name is before its own.
/// </para>
/// </remarks>
internal static class UnfinishedSharedFile
{
    private const string Maker = "make.";

    // So many times in a row a maker finds the file system full while no other one has blocks, and none has come: then it is full. Once is
    // not enough, since another may have given back its blocks meanwhile.
    private const int EnoughRefusals = 3;

    // A maker that was stopped keeps its blocks and its turn: others do not wait for it longer than this.
    private static readonly TimeSpan LongestMaking = TimeSpan.FromSeconds(5);

    /// <summary>Makes the complete file, or leaves it to a process that has just made it. The caller looks at the name again.</summary>
    /// <exception cref="IOException">The file system is full, and no other maker has its room; or the system refuses.</exception>
    /// <exception cref="OperationCanceledException">The token was cancelled; nothing was made.</exception>
    public static void Make(string path, in SharedShape shape, UnixFileMode rights, CancellationToken cancellationToken)
    {
        DeleteDead(path);
        string unfinished = NameOf(path, $"{Maker}{Environment.ProcessId}-{Guid.NewGuid():N}");
        SafeFileHandle file = CurrentPlatform.Instance.OpenFile(unfinished, FileMode.CreateNew, FileAccess.ReadWrite, rights);
        FailPoint.Reach(ProtocolStep.SharedFileMade);
        try
        {
            // The lock says that the maker lives. Another process that got it first has deleted the file.
            if (CurrentPlatform.Instance.TryLockByte(file, StoreFormat.OpeningLockByte)
                && CurrentPlatform.Instance.LeadsTo(unfinished, file) != false
                && TryReserve(file, SharedFormat.SizeOf(shape), path, unfinished, cancellationToken))
            {
                QueueFiles.Write(file, SharedFormat.Header(shape), 0);
                FailPoint.Reach(ProtocolStep.SharedFileWritten);
                CurrentPlatform.Instance.TryName(unfinished, path);
                FailPoint.Reach(ProtocolStep.SharedFileNamed);
            }
        }
        catch (FileNotFoundException)
        {
            // Another maker deleted it before this one had the lock: the caller tries again.
        }
        finally
        {
            // It has this name no more if it was finished.
            CurrentPlatform.Instance.Delete(unfinished);
            file.Dispose();
        }
    }

    // false if another process has made the object meanwhile.
    private static bool TryReserve(
        SafeFileHandle file, long size, string path, string unfinished, CancellationToken cancellationToken)
    {
        long started = Stopwatch.GetTimestamp();
        HashSet<string> known = [];
        bool isLast = false;
        for (int refusals = 0; !CurrentPlatform.Instance.IsThere(path);)
        {
            try
            {
                // A length says to other makers that this one has blocks, or is about to.
                RandomAccess.SetLength(file, 1);
                CurrentPlatform.Instance.Preallocate(file, size);
                return true;
            }
            catch (IOException full) when (DiskFullException.Is(full))
            {
                RandomAccess.SetLength(file, 0);
                bool isFreed = DeleteDead(path), isOthers = isFreed;
                foreach ((string name, bool hasBlocks) in LivingMakers(path, unfinished))
                {
                    isOthers |= hasBlocks | known.Add(name);
                }
                refusals = isOthers ? 0 : refusals + 1;
                // One that came since may have the room, or have made the object.
                bool isOver = isLast && (!isOthers || Stopwatch.GetElapsedTime(started) > LongestMaking);
                if ((isOver || refusals == EnoughRefusals) && !CurrentPlatform.Instance.IsThere(path))
                {
                    throw;
                }
                // Once more also where others took too long: one that was stopped may have had the turn and no blocks.
                isLast = !isFreed && !AwaitOthers(path, unfinished, started, cancellationToken);
            }
        }
        return false;
    }

    // Returns when no living maker's name is before this one's, or fewer makers live, or the object is there. false if no other maker
    // lives, or one has kept its blocks for too long.
    private static bool AwaitOthers(string path, string unfinished, long started, CancellationToken cancellationToken)
    {
        int most = 0;
        while (!CurrentPlatform.Instance.IsThere(path))
        {
            (string Name, bool)[] others = LivingMakers(path, unfinished);
            if (others.Length < most)
            {
                return true;
            }
            if (others.Length == 0 || Stopwatch.GetElapsedTime(started) > LongestMaking)
            {
                return false;
            }
            cancellationToken.ThrowIfCancellationRequested();
            Thread.Sleep(1);
            if (others.All(other => string.CompareOrdinal(unfinished, other.Name) < 0))
            {
                return true;
            }
            most = others.Length;
        }
        return true;
    }

    private static (string Name, bool HasBlocks)[] LivingMakers(string path, string except) =>
        [.. from name in Files(path, Maker) where name != except
            let length = LengthIfAlive(name) where length is not null
            select (name, length > 0)];

    private static long? LengthIfAlive(string maker)
    {
        try
        {
            using SafeFileHandle? file = SharedFile.TryOpen(maker);
            return file is null || CurrentPlatform.Instance.TryLockByte(file, StoreFormat.OpeningLockByte)
                ? null
                : RandomAccess.GetLength(file);
        }
        catch (UnauthorizedAccessException)
        {
            // Another user's.
            return null;
        }
    }

    /// <summary>
    /// Deletes what dead processes left beside the object's file: unfinished files, and files of calls. A living process has a byte of its
    /// file locked.
    /// </summary>
    /// <returns>Whether there was such a file.</returns>
    public static bool DeleteDead(string path)
    {
        bool wasThere = false;
        foreach (string left in Files(path))
        {
            try
            {
                using SafeFileHandle? file = SharedFile.TryOpen(left);
                // With the lock no other process deletes it; another file may have its name since before.
                if (file is not null && CurrentPlatform.Instance.TryLockByte(file, StoreFormat.OpeningLockByte)
                    && CurrentPlatform.Instance.LeadsTo(left, file) != false)
                {
                    Delete(left);
                    wasThere = true;
                }
            }
            catch (UnauthorizedAccessException)
            {
                // The file is another user's, who deletes it.
            }
        }
        return wasThere;
    }

    private static IEnumerable<string> Files(string path, string kind = "") => NamedFiles.In(
        Path.GetDirectoryName(path)!, BeginningOf(path) + kind, StoreFormat.UnfinishedSuffix);

    /// <summary>Deletes an object's own file, or one that a maker left beside it; also one that a process has mapped.</summary>
    public static void Delete(string path) => CurrentPlatform.Instance.Delete(path, AsideOf(path));

    // Beside the object, with a name by which DeleteDead finds it.
    private static string AsideOf(string path)
    {
        const string mark = "-aside-";
        string unfinished = path.EndsWith(StoreFormat.UnfinishedSuffix, StringComparison.Ordinal) ? path : NameOf(path, "gone");
        int end = unfinished.LastIndexOf(mark, StringComparison.Ordinal) is >= 0 and var marked
            ? marked
            : unfinished.Length - StoreFormat.UnfinishedSuffix.Length;
        return $"{unfinished.AsSpan(0, end)}{mark}{Guid.NewGuid():N}{StoreFormat.UnfinishedSuffix}";
    }

    /// <summary>The path of a file that its maker alone needs, and that others delete when the maker is dead.</summary>
    /// <param name="path">The file beside which it is.</param>
    /// <param name="maker">Tells it from those of other makers.</param>
    public static string NameOf(string path, string maker) => Path.Combine(
        Path.GetDirectoryName(path)!, $"{BeginningOf(path)}{maker}{StoreFormat.UnfinishedSuffix}");

    private static string BeginningOf(string path) => $".{Path.GetFileName(path)}.";
}
