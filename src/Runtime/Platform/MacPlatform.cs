using System.Runtime.InteropServices;
using Microsoft.Win32.SafeHandles;

namespace BlitQueue.Platform;

/// <summary>
/// macOS, written from its documentation and untested. It uses open-file-description locks (fcntl F_OFD_SETLK), without which each byte
/// would need a file of its own for flock, and sleeps by bounded polling.
/// </summary>
internal sealed class MacPlatform : ManagedPlatform
{
    private const int OfdSetLock = 90, OfdGetLock = 92;
    private const short WriteLock = 3, Unlocked = 2;
    private const int Again = 35, AccessDenied = 13;

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
        return MacLibC.FileControl(file, OfdGetLock, 0, 0, 0, 0, 0, 0, ref asked) != 0
            ? throw new IOException($"fcntl(F_OFD_GETLK) failed (errno {Marshal.GetLastPInvokeError()}).")
            : asked.Type != Unlocked;
    }

    private static bool SetLock(SafeFileHandle file, long offset, short type)
    {
        var wanted = new MacLibC.FileLock { Type = type, Start = offset, Length = 1 };
        if (MacLibC.FileControl(file, OfdSetLock, 0, 0, 0, 0, 0, 0, ref wanted) == 0)
        {
            return true;
        }
        int error = Marshal.GetLastPInvokeError();
        return error is Again or AccessDenied ? false : throw new IOException($"fcntl(F_OFD_SETLK) failed (errno {error}).", error);
    }

    public override void Preallocate(SafeFileHandle file, long size) => WriteZeros(file, size);

    public override void SyncRange(nint address, long length)
    {
        const int syncNow = 0x10;
        if (LibC.SyncMemory(address, (nuint)length, syncNow) != 0)
        {
            throw new IOException($"msync failed (errno {Marshal.GetLastPInvokeError()}).");
        }
    }

    public override bool IsPrivateDirectory(string path) =>
        new DirectoryInfo(path) is { Exists: true, LinkTarget: null } directory
        && (directory.UnixFileMode & ~(UnixFileMode.UserRead | UnixFileMode.UserWrite | UnixFileMode.UserExecute)) == 0;
}
