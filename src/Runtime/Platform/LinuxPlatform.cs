using Microsoft.Win32.SafeHandles;

namespace BlitQueue.Platform;

/// <summary>Linux on x64 and arm64: open-file-description locks, fallocate, futex, membarrier.</summary>
/// <remarks>Not sealed, for the tests' platform that refuses what Windows refuses.</remarks>
/// <param name="waitsOnMany">false to behave as on a kernel that cannot sleep on several words at once, for tests; otherwise the first call
/// finds out.</param>
internal partial class LinuxPlatform(bool waitsOnMany = true) : IPlatform
{
    // fcntl: open-file-description locks belong to the open file, not to the process, and conflict across pid namespaces.
    private const int OfdGetLock = 36, OfdSetLock = 37, OfdSetLockWaiting = 38;
    private const short WriteLock = 1, Unlocked = 2;

    // RLIMIT_FSIZE.
    private const int FileLengthLimit = 1;

    private const int UnlockAttempts = 3;
    private const int SyncNow = 4;

    // flock: LOCK_EX | LOCK_NB.
    private const int ExclusiveWithoutWaiting = 2 | 4;
    private const int OpenDirectory = 0x10000 | 0x80000;
    private const int OpenDirectoryArm64 = 0x4000 | 0x80000;
    private const int FutexWaitShared = 0, FutexWakeShared = 1;
    private const int BarrierGlobalExpedited = 1 << 1, BarrierRegisterGlobalExpedited = 1 << 2;

    private static readonly bool Arm64 = RuntimeInformation.ProcessArchitecture == Architecture.Arm64;
    private static readonly long FutexCall = Arm64 ? 98 : 202;
    private static readonly long MemoryBarrierCall = Arm64 ? 283 : 324;

    private bool _fenceJoined;

    // A directory of ext4 can be made so that it does, which no call here asks for.
    public bool IgnoresCase => false;

    public virtual bool ReplacesMapped => true;

    public virtual bool RenamesDirectoriesInUse => true;

    public virtual bool TryLockByte(SafeFileHandle file, long offset) => SetLock(file, offset, WriteLock) switch
    {
        0 => true,
        LibC.EAGAIN or LibC.EACCES => false,
        int error => throw NoLock("F_OFD_SETLK", error),
    };

    public virtual void LockByte(SafeFileHandle file, long offset)
    {
        if (SetLock(file, offset, WriteLock, OfdSetLockWaiting) is var error and not 0)
        {
            throw NoLock("F_OFD_SETLKW", error);
        }
    }

    // The kernel may need memory for the remaining parts of a lock.
    public virtual bool UnlockByte(SafeFileHandle file, long offset)
    {
        bool unlocked = false;
        for (int attempt = 0; attempt < UnlockAttempts && !unlocked; attempt++)
        {
            unlocked = SetLock(file, offset, Unlocked) is 0;
        }
        return unlocked;
    }

    // 0, or the error.
    private static int SetLock(SafeFileHandle file, long offset, short type, int command = OfdSetLock)
    {
        var wanted = new LibC.FileLock { Type = type, Start = offset, Length = 1 };
        int error;
        do
        {
            error = LibC.FileControl(file, command, ref wanted) == 0 ? 0 : Marshal.GetLastPInvokeError();
        }
        while (error == LibC.EINTR);
        return error;
    }

    public bool IsByteLocked(SafeFileHandle file, long offset) => IsAnyByteLocked(file, offset, 1);

    public virtual bool IsAnyByteLocked(SafeFileHandle file, long offset, int count) => AskWhetherLocked(file, offset, count);

    private static bool AskWhetherLocked(SafeFileHandle file, long offset, int count)
    {
        var asked = new LibC.FileLock { Type = WriteLock, Start = offset, Length = count };
        while (LibC.FileControl(file, OfdGetLock, ref asked) != 0)
        {
            int error = Marshal.GetLastPInvokeError();
            if (error != LibC.EINTR)
            {
                throw NoLock("F_OFD_GETLK", error);
            }
        }
        return asked.Type != Unlocked;
    }

    public virtual bool IsAnyByteLockedElsewhere(SafeFileHandle file, long offset, int count) =>
        AskWhetherLocked(file, WindowsPlatform.FirstLock + offset, count);

    public bool TryLockDirectory(string path, out SafeFileHandle? held)
    {
        int directory;
        while ((directory = LibC.Open(path, Arm64 ? OpenDirectoryArm64 : OpenDirectory)) < 0)
        {
            int error = Marshal.GetLastPInvokeError();
            if (error is LibC.EACCES or LibC.EPERM)
            {
                // A user who may not list the directory cannot open it.
                held = null;
                return true;
            }
            if (error != LibC.EINTR)
            {
                throw error == LibC.ENOENT ? new DirectoryNotFoundException($"{path} does not exist.") : Failure($"open({path})", error);
            }
        }
        held = new SafeFileHandle(directory, ownsHandle: true);
        int refusal = 0;
        while (LibC.LockFile(held, ExclusiveWithoutWaiting) != 0 && (refusal = Marshal.GetLastPInvokeError()) == LibC.EINTR)
        {
        }
        if (refusal is 0 or LibC.EINTR)
        {
            return true;
        }
        held.Dispose();
        held = null;
        return refusal != LibC.EAGAIN;
    }

    public SafeFileHandle? PreserveName(string path) => null;

    public virtual void Preallocate(SafeFileHandle file, long size)
    {
        RequireLengthAllowed(size);
        if (!TryAllocate(file, 0, size))
        {
            ManagedPlatform.WriteZeros(file, size);
        }
    }

    public bool TryReserve(SafeFileHandle file, long size, long offset, long length)
    {
        RequireLengthAllowed(size);
        if (RandomAccess.GetLength(file) < size)
        {
            RandomAccess.SetLength(file, size);
        }
        return TryAllocate(file, offset, length);
    }

    // false if the file system has no such call.
    private static bool TryAllocate(SafeFileHandle file, long offset, long length)
    {
        while (LibC.Allocate(file, 0, offset, length) != 0)
        {
            int error = Marshal.GetLastPInvokeError();
            switch (error)
            {
                case LibC.EINTR:
                    continue;
                case LibC.ENOSPC or LibC.EDQUOT or LibC.EFBIG:
                    throw new DiskFullException($"No room for {length} bytes ({new Win32Exception(error).Message}).");
                case LibC.EOPNOTSUPP:
                    return false;
                default:
                    throw Failure("fallocate", error);
            }
        }
        return true;
    }

    // The system ends a process that makes a file longer than its limit (SIGXFSZ, which .NET does not handle).
    private static void RequireLengthAllowed(long size)
    {
        if (LibC.ReadLimit(FileLengthLimit, out LibC.Limit limit) == 0 && limit.Soft < (ulong)size)
        {
            throw new DiskFullException(
                $"No room for {size} bytes: this process may make files of {limit.Soft} bytes at most (ulimit -f, RLIMIT_FSIZE).");
        }
    }

    public void SyncRange(FileView view, nint address, long length)
    {
        while (LibC.SyncMemory(address, (nuint)length, SyncNow) != 0)
        {
            RequireInterruption("msync");
        }
    }

    public void SyncDirectory(string path)
    {
        int directory;
        while ((directory = LibC.Open(path, Arm64 ? OpenDirectoryArm64 : OpenDirectory)) < 0)
        {
            RequireInterruption($"open({path})");
        }
        try
        {
            while (LibC.Sync(directory) != 0)
            {
                RequireInterruption($"fsync({path})");
            }
        }
        finally
        {
            LibC.Close(directory);
        }
    }

    // A call that a signal has interrupted is repeated.
    private static void RequireInterruption(string call)
    {
        int error = Marshal.GetLastPInvokeError();
        if (error != LibC.EINTR)
        {
            throw Failure(call, error);
        }
    }

    public void Wait(nint address, int expected, TimeSpan timeout)
    {
        LibC.TimeSpec relative = Spec(timeout);
        // Every outcome (woken, value changed, timed out, interrupted) means the same to the caller: look again.
        LibC.Futex(FutexCall, address, FutexWaitShared, expected, in relative, 0, 0);
    }

    public void WakeAll(nint address, int left) => LibC.FutexWake(FutexCall, address, FutexWakeShared, int.MaxValue);

    public bool JoinHeavyFence() =>
        _fenceJoined = LibC.MemoryBarrier(MemoryBarrierCall, BarrierRegisterGlobalExpedited, 0, 0) == 0;

    public bool TryHeavyFence() =>
        _fenceJoined && LibC.MemoryBarrier(MemoryBarrierCall, BarrierGlobalExpedited, 0, 0) == 0;

    public string BootId => field ??= ReadBootId("/proc/sys/kernel/random/boot_id");

    private static string ReadBootId(string path)
    {
        string? found = null;
        try
        {
            found = File.ReadAllText(path).Trim();
        }
        catch (Exception exception) when (exception is IOException or UnauthorizedAccessException)
        {
        }
        return !string.IsNullOrEmpty(found) ? found : throw new QueueException(
            $"{path}: it is missing, empty or cannot be read, so that nothing says whether the machine was started anew since the queue "
            + "was used last. Nothing was opened. Let the process see /proc (in a container: do not mask /proc/sys).")
        { Reason = QueueError.SystemRefused, Path = path };
    }

    private static QueueException NoLock(string command, int error) => new(
        $"The system refuses a lock of a queue's queue.lock or a store's store.lock: {Failure($"fcntl({command})", error).Message} Nothing "
        + "was enqueued. Where the cause is over, try again.")
    { Reason = QueueError.SystemRefused };

    private static IOException Failure(string call, int error) =>
        new($"{call} failed: {new Win32Exception(error).Message} (errno {error}).", error);
}
