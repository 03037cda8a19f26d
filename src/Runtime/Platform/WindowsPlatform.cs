using System.Runtime.InteropServices;
using Microsoft.Win32.SafeHandles;

namespace BlitQueue.Platform;

/// <summary>
/// Windows, written from its documentation and untested: byte-range locks by LockFileEx, sleeping by bounded polling, because
/// WaitOnAddress does not reach across processes.
/// </summary>
internal sealed class WindowsPlatform : IPlatform
{
    public SafeFileHandle OpenFile(string path, FileMode mode, FileAccess access, UnixFileMode rights) => LookedAtFile.Open(path, mode, access, rights);

    public bool TryLockByte(SafeFileHandle file, long offset)
    {
        Kernel32.Overlapped where = At(offset);
        if (Kernel32.LockFile(file, Kernel32.LockExclusive | Kernel32.LockFailImmediately, 0, 1, 0, ref where))
        {
            return true;
        }
        int error = Marshal.GetLastPInvokeError();
        return error is Kernel32.ErrorLockViolation or Kernel32.ErrorIoPending
            ? false
            : throw new IOException($"LockFileEx failed (error {error}).", error);
    }

    public bool UnlockByte(SafeFileHandle file, long offset)
    {
        Kernel32.Overlapped where = At(offset);
        return Kernel32.UnlockFile(file, 0, 1, 0, ref where);
    }

    public bool IsByteLocked(SafeFileHandle file, long offset)
    {
        if (!TryLockByte(file, offset))
        {
            return true;
        }
        UnlockByte(file, offset);
        return false;
    }

    // Extending a file reserves its clusters on NTFS unless the file is sparse or compressed.
    public void Preallocate(SafeFileHandle file, long size)
    {
        try
        {
            RandomAccess.SetLength(file, size);
        }
        catch (IOException exception)
        {
            throw new DiskFullException($"No room for {size} bytes ({exception.Message}).");
        }
    }

    public void PreallocateInMemory(SafeFileHandle file, long size, TimeSpan patience, Func<bool>? isHurried) => Preallocate(file, size);

    public bool TryName(string path, string name) => ManagedName.TryGive(path, name);

    public FileView Map(SafeFileHandle file, long length, bool isWritten) => ManagedView.Of(file, length, isWritten);

    public void Populate(nint address, long length, bool inMemory)
    {
    }

    public void SyncRange(nint address, long length)
    {
        if (!Kernel32.FlushView(address, (nuint)length))
        {
            throw new IOException($"FlushViewOfFile failed (error {Marshal.GetLastPInvokeError()}).");
        }
    }

    // NTFS journals its directories; there is no call for one directory alone.
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

    // The tick count starts at zero with the system; rounded so that it is one text for one boot.
    // The temporary directory is the user's own there, and what is made in it inherits its rights.
    public string UserId => Environment.UserName;

    public bool IsPrivateDirectory(string path) => new DirectoryInfo(path) is { Exists: true, LinkTarget: null };

    public string BootId => field ??= (DateTime.UtcNow - TimeSpan.FromMilliseconds(Environment.TickCount64)).ToString("yyyyMMddHHmm");

    private static Kernel32.Overlapped At(long offset) => new() { Offset = (uint)offset, OffsetHigh = (uint)(offset >> 32) };
}
