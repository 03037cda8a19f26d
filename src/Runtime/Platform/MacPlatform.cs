using Microsoft.Win32.SafeHandles;

namespace BlitQueue.Platform;

/// <summary>
/// macOS, written from its documentation and never run. It uses open-file-description locks (fcntl F_OFD_SETLK), without which each byte
/// would need a file of its own for flock.
/// </summary>
internal sealed class MacPlatform : ManagedPlatform
{
    private const int OfdSetLock = 90, OfdGetLock = 92, FullSync = 51;
    private const short WriteLock = 3, Unlocked = 2;
    private const int Again = 35, AccessDenied = 13;

    // OS_SYNC_WAIT_ON_ADDRESS_SHARED and OS_CLOCK_MACH_ABSOLUTE_TIME.
    private const uint Shared = 1, AbsoluteTime = 32;

    private static readonly bool Arm64 = RuntimeInformation.ProcessArchitecture == Architecture.Arm64;
    private static readonly bool SleepsOnWords = OperatingSystem.IsMacOSVersionAtLeast(14, 4);

    public override bool TryLockByte(SafeFileHandle file, long offset) => SetLock(file, offset, WriteLock);

    public override bool UnlockByte(SafeFileHandle file, long offset)
    {
        try
        {
            return SetLock(file, offset, Unlocked);
        }
        catch (IOException)
        {
            return false;
        }
    }

    public override bool IsByteLocked(SafeFileHandle file, long offset)
    {
        var asked = new MacLibC.FileLock { Type = WriteLock, Start = offset, Length = 1 };
        return Control(file, OfdGetLock, ref asked) != 0
            ? throw new IOException($"fcntl(F_OFD_GETLK) failed (errno {Marshal.GetLastPInvokeError()}).")
            : asked.Type != Unlocked;
    }

    private static bool SetLock(SafeFileHandle file, long offset, short type)
    {
        var wanted = new MacLibC.FileLock { Type = type, Start = offset, Length = 1 };
        if (Control(file, OfdSetLock, ref wanted) == 0)
        {
            return true;
        }
        int error = Marshal.GetLastPInvokeError();
        return error is Again or AccessDenied ? false : throw new IOException($"fcntl(F_OFD_SETLK) failed (errno {error}).", error);
    }

    private static int Control(SafeFileHandle file, int command, ref MacLibC.FileLock fileLock) => Arm64
        ? MacLibC.FileControl(file, command, 0, 0, 0, 0, 0, 0, ref fileLock)
        : MacLibC.FileControl(file, command, ref fileLock);

    public override void Preallocate(SafeFileHandle file, long size) => WriteZeros(file, size);

    // Locks belong to the open file, of which this is a second descriptor: callers close the view before they rely on their own being gone.
    public override FileView Map(SafeFileHandle file, long length, bool isWritten)
    {
        FileView view = base.Map(file, length, isWritten);
        return isWritten && MacLibC.Duplicate(file) is >= 0 and var own
            ? new SyncedView(view, new SafeFileHandle(own, ownsHandle: true))
            : view;
    }

    // msync and fsync leave the bytes in the disk's cache; this command of fcntl empties it, where the disk knows how.
    public override void SyncRange(FileView view, nint address, long length)
    {
        const int syncNow = 0x10;
        if (LibC.SyncMemory(address, (nuint)length, syncNow) != 0)
        {
            throw new IOException($"msync failed (errno {Marshal.GetLastPInvokeError()}).");
        }
        if (view is SyncedView synced && MacLibC.FileControl(synced.File, FullSync) == -1)
        {
            RandomAccess.FlushToDisk(synced.File);
        }
    }

    // Opening a directory and fsync on it are as on Linux, where this is tested; .NET has no call for it.
    public override void SyncDirectory(string path)
    {
        const int forReading = 0;
        int directory = LibC.Open(path, forReading);
        if (directory >= 0)
        {
            LibC.Sync(directory);
            LibC.Close(directory);
        }
    }

    public override void Wait(nint address, int expected, TimeSpan timeout)
    {
        if (!SleepsOnWords)
        {
            base.Wait(address, expected, timeout);
            return;
        }
        // Every outcome means the same to the caller: look again.
        MacLibC.WaitOnAddress(
            address, (uint)expected, sizeof(int), Shared, AbsoluteTime, (ulong)Math.Max(1, timeout.TotalNanoseconds));
    }

    public override void WakeAll(nint address, int left)
    {
        if (SleepsOnWords)
        {
            MacLibC.WakeByAddress(address, sizeof(int), Shared);
        }
    }

    public override string BootId => field ??= ReadBootId();

    private static string ReadBootId()
    {
        byte[] value = new byte[64];
        nuint size = (nuint)value.Length;
        return MacLibC.ReadSetting("kern.bootsessionuuid", ref value[0], ref size, 0, 0) == 0
            ? Encoding.ASCII.GetString(value, 0, (int)size).TrimEnd('\0')
            : throw new IOException($"sysctlbyname(kern.bootsessionuuid) failed (errno {Marshal.GetLastPInvokeError()}).");
    }

    public override bool IsPrivateDirectory(string path) =>
        new DirectoryInfo(path) is { Exists: true, LinkTarget: null } directory
        && (directory.UnixFileMode & ~(UnixFileMode.UserRead | UnixFileMode.UserWrite | UnixFileMode.UserExecute)) == 0;
}
