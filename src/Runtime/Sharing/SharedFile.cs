using BlitQueue.Log;
using BlitQueue.Memory;
using BlitQueue.Platform;
using Microsoft.Win32.SafeHandles;

namespace BlitQueue.Sharing;

/// <summary>One handle to the file of a shared object: mapped, and with a participant that the kernel says is alive or dead.</summary>
/// <remarks>
/// A file under its final name is complete: <see cref="UnfinishedSharedFile"/> makes it.
/// </remarks>
internal sealed class SharedFile : IDisposable
{
    // All participants' locks are taken only for the moment of a deletion.
    private static readonly TimeSpan LongestDeletion = TimeSpan.FromMilliseconds(500);

    private readonly SafeFileHandle _file;

    private SharedFile(SafeFileHandle file, string path, in SharedShape shape, MappedRegion region, ControlFile control, Participant self)
    {
        (_file, Path, Shape, Region, Control, Self) = (file, path, shape, region, control, self);
        MachineMemory.Store(ref Readers(self.Index), 0);
    }

    public string Path { get; }

    /// <summary>What is in it.</summary>
    public SharedShape Shape { get; }

    public MappedRegion Region { get; }

    /// <summary>The words that the file has in common with a queue's control file.</summary>
    public ControlFile Control { get; }

    /// <summary>This handle.</summary>
    public Participant Self { get; }

    /// <summary>The open file, whose byte locks say which participants live.</summary>
    public SafeFileHandle Locks => _file;

    /// <summary>How many times a participant reads under the reader/writer lock.</summary>
    private ref long Readers(int participant) => ref Control.ReadersWord(participant);

    /// <summary>Joins what is there, or makes it where the shape has a length.</summary>
    /// <param name="path">Absolute.</param>
    /// <param name="asked">What the caller expects.</param>
    /// <param name="rights">
    /// The rights of a new file; null: read and write for the owner alone, and no check of the rights of an existing file.
    /// </param>
    /// <param name="cancellationToken">Ends the wait for processes that make or delete the same file.</param>
    /// <exception cref="QueueException">It is not there, or the system refuses; its reason says what.</exception>
    /// <exception cref="SchemaMismatchException">Another kind of object, or other elements, are there.</exception>
    /// <exception cref="ArgumentException">What is there has another length, or other rights.</exception>
    /// <exception cref="OperationCanceledException">The token was cancelled.</exception>
    public static SharedFile Open(
        string path, in SharedShape asked, UnixFileMode? rights = null, CancellationToken cancellationToken = default)
    {
        try
        {
            while (true)
            {
                cancellationToken.ThrowIfCancellationRequested();
                if (TryOpen(path) is { } file)
                {
                    if (TryJoin(file, path, asked, rights, cancellationToken) is { } joined)
                    {
                        return joined;
                    }
                }
                else if (asked.Length is null)
                {
                    throw new QueueException($"{path} does not exist. To make it, open it with a length.")
                    { Reason = QueueError.NotFound, Path = path };
                }
                else
                {
                    UnfinishedSharedFile.Make(path, asked, rights ?? FileRights.OwnerAlone, cancellationToken);
                }
            }
        }
        catch (Exception exception) when (SharedRefusal.Is(exception))
        {
            throw SharedRefusal.Of(path, exception);
        }
    }

    /// <summary>
    /// Deletes the file of an object that no process has open, and unfinished files of processes that died while they made it.
    /// </summary>
    /// <returns>false if there is none.</returns>
    /// <exception cref="QueueException">A process has it open, or it is no shared object, or the system refuses.</exception>
    /// <exception cref="OperationCanceledException">The token was cancelled; nothing was deleted.</exception>
    public static bool Delete(string path, CancellationToken cancellationToken)
    {
        try
        {
            cancellationToken.ThrowIfCancellationRequested();
            UnfinishedSharedFile.DeleteDead(path);
            for (long started = Stopwatch.GetTimestamp(); TryOpen(path) is { } file; Thread.Sleep(1))
            {
                int? user;
                // The locks of participants that it took go with the file.
                using (file)
                {
                    if (TryDelete(file, path, out user))
                    {
                        return true;
                    }
                }
                cancellationToken.ThrowIfCancellationRequested();
                if (user is { } process && !(MayBeClosing(process) && Stopwatch.GetElapsedTime(started) < Participant.LongestClosing))
                {
                    throw new QueueException(
                        $"{path} is open in process {process}. Dispose every handle to it, or end the processes that have it open, before "
                        + "it is deleted.")
                    { Reason = QueueError.InUse, Path = path, ProcessId = process };
                }
            }
            return false;
        }
        catch (DirectoryNotFoundException)
        {
            return false;
        }
        catch (Exception exception) when (SharedRefusal.Is(exception))
        {
            throw SharedRefusal.Of(path, exception);
        }
    }

    // A handle of this process may be disposed while a thread of the library has not left it yet; and another process may be deleting the
    // file as well.
    private static bool MayBeClosing(int process) => process == 0 || process == Environment.ProcessId;

    // While this handle has the locks of all participants, no process can join. A process that has the file open already finds afterwards
    // that it has lost its name.
    private static bool TryDelete(SafeFileHandle file, string path, out int? user)
    {
        user = null;
        if (!SharedFormat.IsOurs(HeaderOf(file)))
        {
            throw new QueueException($"{path} is no shared object, and was not deleted.") { Reason = QueueError.NotAQueue, Path = path };
        }
        for (int index = 0; index < ControlFormat.MaximumParticipants; index++)
        {
            if (!CurrentPlatform.Instance.TryLockByte(file, StoreFormat.FirstParticipantLock + index))
            {
                user = ProcessOf(file, index);
                return false;
            }
        }
        if (!HasName(file, path))
        {
            return false;
        }
        UnfinishedSharedFile.Delete(path);
        return true;
    }

    private static int ProcessOf(SafeFileHandle file, int participant)
    {
        Span<byte> word = stackalloc byte[sizeof(int)];
        RandomAccess.Read(
            file, word, ControlFormat.ParticipantsOffset + ((long)participant * ControlFormat.ParticipantSize) + sizeof(int));
        return BinaryPrimitives.ReadInt32LittleEndian(word);
    }

    public static SafeFileHandle? TryOpen(string path)
    {
        try
        {
            return CurrentPlatform.Instance.OpenFile(path, FileMode.Open, FileAccess.ReadWrite, FileRights.OwnerAlone);
        }
        catch (FileNotFoundException)
        {
            return null;
        }
    }

    // null if the file lost its name before this handle was a participant; closes it then.
    private static SharedFile? TryJoin(
        SafeFileHandle file, string path, in SharedShape asked, UnixFileMode? rights, CancellationToken cancellationToken)
    {
        SharedFile? joined = null;
        MappedRegion? region = null;
        try
        {
            SharedShape shape = SharedFormat.Read(path, HeaderOf(file), RandomAccess.GetLength(file), asked);
            RequireRights(path, rights);
            // A program that copied the file may have left holes where there are zeros. A store into a hole ends the process if the disk is
            // full.
            if (CurrentPlatform.Instance.HasHoles(file, SharedFormat.SizeOf(shape)))
            {
                CurrentPlatform.Instance.TryReserve(file, SharedFormat.SizeOf(shape), 0, SharedFormat.SizeOf(shape));
            }
            region = new MappedRegion(file, SharedFormat.SizeOf(shape));
            var control = new ControlFile(region);
            if (TryTakePart(control, file, path, cancellationToken) is { } self)
            {
                joined = new SharedFile(file, path, shape, region, control, self);
            }
            return joined;
        }
        finally
        {
            if (joined is null)
            {
                region?.Dispose();
                file.Dispose();
            }
        }
    }

    private static Participant? TryTakePart(
        ControlFile control, SafeFileHandle file, string path, CancellationToken cancellationToken)
    {
        for (long started = Stopwatch.GetTimestamp(); ; Thread.Sleep(1))
        {
            try
            {
                // The owner word in the lock is not used for this handle, even if the count of incarnations was lost.
                var self = Participant.Join(control, file, path, [MachineMemory.Load(ref control.LockOwner)]);
                if (HasName(file, path))
                {
                    return self;
                }
                self.Dispose();
                return null;
            }
            catch (QueueException exception) when (exception.Reason == QueueError.TooManyHandles)
            {
                if (!HasName(file, path))
                {
                    return null;
                }
                cancellationToken.ThrowIfCancellationRequested();
                if (Stopwatch.GetElapsedTime(started) > LongestDeletion)
                {
                    throw;
                }
            }
        }
    }

    private static bool HasName(SafeFileHandle file, string path) => CurrentPlatform.Instance.LeadsTo(path, file) ?? true;

    private static void RequireRights(string path, UnixFileMode? asked)
    {
        if (asked is { } mode && CurrentPlatform.Instance.RightsOf(path) is { } there && there.Mode != mode)
        {
            throw new ArgumentException(
                $"{path} was made with the rights {there.Mode}, and was opened with {mode}. Open it without, to take what is there.");
        }
    }

    private static byte[] HeaderOf(SafeFileHandle file)
    {
        byte[] header = new byte[SharedFormat.HeaderSize];
        return header[..RandomAccess.Read(file, header, 0)];
    }

    /// <summary>Gives back descriptor and mapping. Callers make sure that no call is inside.</summary>
    public void Dispose()
    {
        Self.Dispose();
        Region.Dispose();
        _file.Dispose();
    }

    /// <summary>The same for a caller that has given out references to the mapping: the addresses stay valid.</summary>
    public void Detach()
    {
        Self.Dispose();
        Region.Detach();
        _file.Dispose();
    }
}
