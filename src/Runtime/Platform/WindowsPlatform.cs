using System.Runtime.InteropServices;
using Microsoft.Win32.SafeHandles;

namespace BlitQueue.Platform;

/// <summary>
/// Windows, written from its documentation and untested: byte-range locks by LockFileEx, sleeping by bounded polling, because
/// WaitOnAddress does not reach across processes.
/// </summary>
internal sealed class WindowsPlatform : ManagedPlatform
{
    public override bool TryLockByte(SafeFileHandle file, long offset)
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

    public override bool UnlockByte(SafeFileHandle file, long offset)
    {
        Kernel32.Overlapped where = At(offset);
        return Kernel32.UnlockFile(file, 0, 1, 0, ref where);
    }

    public override bool IsByteLocked(SafeFileHandle file, long offset)
    {
        if (!TryLockByte(file, offset))
        {
            return true;
        }
        UnlockByte(file, offset);
        return false;
    }

    // Extending a file reserves its clusters on NTFS unless the file is sparse or compressed.
    public override void Preallocate(SafeFileHandle file, long size)
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

    public override void SyncRange(nint address, long length)
    {
        if (!Kernel32.FlushView(address, (nuint)length))
        {
            throw new IOException($"FlushViewOfFile failed (error {Marshal.GetLastPInvokeError()}).");
        }
    }

    // A new directory in the temporary directory inherits its rights.
    public override bool IsPrivateDirectory(string path) => new DirectoryInfo(path) is { Exists: true, LinkTarget: null };

    private static Kernel32.Overlapped At(long offset) => new() { Offset = (uint)offset, OffsetHigh = (uint)(offset >> 32) };
}
