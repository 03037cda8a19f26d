using System.Runtime.InteropServices;
using Microsoft.Win32.SafeHandles;

namespace BlitQueue.Platform;

/// <summary>
/// macOS, written from its documentation and untested: flock of one file per byte would be needed where open-file-description locks are
/// not to be had, so it uses those (fcntl F_OFD_SETLK) and bounded polling for sleeping.
/// </summary>
internal sealed class MacPlatform : IPlatform
{
    private const int OfdSetLock = 90, OfdGetLock = 92;
    private const short WriteLock = 3, Unlocked = 2;
    private const int Again = 35, AccessDenied = 13;

    public SafeFileHandle OpenFile(string path, FileMode mode, FileAccess access, UnixFileMode rights) => LookedAtFile.Open(path, mode, access, rights);

    public bool TryLockByte(SafeFileHandle file, long offset) => SetLock(file, offset, WriteLock);

    public bool UnlockByte(SafeFileHandle file, long offset)
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

    public bool IsByteLocked(SafeFileHandle file, long offset)
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

    public void Preallocate(SafeFileHandle file, long size) => ZeroFill.Write(file, size);

    public void PreallocateInMemory(SafeFileHandle file, long size, TimeSpan patience, Func<bool>? isHurried) => Preallocate(file, size);

    public bool TryName(string path, string name) => ManagedName.TryGive(path, name);

    public FileView Map(SafeFileHandle file, long length, bool isWritten) => ManagedView.Of(file, length, isWritten);

    public void Populate(nint address, long length, bool inMemory)
    {
    }

    public void SyncRange(nint address, long length)
    {
        const int syncNow = 0x10;
        if (LibC.SyncMemory(address, (nuint)length, syncNow) != 0)
        {
            throw new IOException($"msync failed (errno {Marshal.GetLastPInvokeError()}).");
        }
    }

    public void SyncDirectory(string path)
    {
    }

    public void Wait(nint address, int expected, TimeSpan timeout) => PollingWait.Wait(timeout);

    // Nothing limits it: the words are not looked at, the caller is.
    public int MostWords => 128;

    public void WaitAny(ReadOnlySpan<ExpectedWord> words, TimeSpan timeout) => PollingWait.WaitAny(words.Length, timeout);

    public void WakeAll(nint address)
    {
    }

    public bool JoinHeavyFence() => false;

    public bool TryHeavyFence() => false;

    public bool Runs(int process) => false;

    // The temporary directory is the user's own there.
    public string UserId => Environment.UserName;

    public bool IsPrivateDirectory(string path) =>
        new DirectoryInfo(path) is { Exists: true, LinkTarget: null } directory
        && (directory.UnixFileMode & ~(UnixFileMode.UserRead | UnixFileMode.UserWrite | UnixFileMode.UserExecute)) == 0;

    public string BootId => field ??= (DateTime.UtcNow - TimeSpan.FromMilliseconds(Environment.TickCount64)).ToString("yyyyMMddHHmm");
}
