using Microsoft.Win32.SafeHandles;

namespace BlitQueue.Platform;

/// <summary>
/// Windows: byte-range locks by LockFileEx, files opened, renamed and deleted by handle, sleeping by named events. Written from
/// documentation, whose pages docs/decisions/0016-windows.md gives, and run under Wine; nothing has run on Windows.
/// </summary>
internal sealed partial class WindowsPlatform : ManagedPlatform
{
    // A lock of Windows is mandatory: other handles cannot read or write the locked bytes. So the locks are far beyond any file's end,
    // which LockFileEx allows.
    public const long FirstLock = 1L << 62;

    private const uint Shared = 0;

    public override bool IgnoresCase => true;

    public override bool ReplacesMapped => false;

    public override bool RenamesDirectoriesInUse => false;

    public override bool TryLockByte(SafeFileHandle file, long offset) => TryLock(file, FirstLock + offset, Kernel32.LockExclusive);

    private static bool TryLock(SafeFileHandle file, long byteOffset, uint kind)
    {
        Kernel32.Overlapped where = At(byteOffset);
        if (Kernel32.LockFile(file, kind | Kernel32.LockFailImmediately, 0, 1, 0, ref where))
        {
            return true;
        }
        int error = Marshal.GetLastPInvokeError();
        return error is WindowsError.LockViolation or WindowsError.IoPending ? false : throw WindowsError.Failure("LockFileEx", error);
    }

    public override bool UnlockByte(SafeFileHandle file, long offset) => Unlock(file, FirstLock + offset);

    private static bool Unlock(SafeFileHandle file, long byteOffset)
    {
        Kernel32.Overlapped where = At(byteOffset);
        return Kernel32.UnlockFile(file, 0, 1, 0, ref where);
    }

    // A shared lock, so that two processes which ask at the same moment do not take each other for a holder.
    public override bool IsByteLocked(SafeFileHandle file, long offset) => IsLocked(file, FirstLock + offset);

    private static bool IsLocked(SafeFileHandle file, long byteOffset)
    {
        if (!TryLock(file, byteOffset, Shared))
        {
            return true;
        }
        Unlock(file, byteOffset);
        return false;
    }

    // Linux locks the bytes themselves, which Wine sees.
    public override bool IsAnyByteLockedElsewhere(SafeFileHandle file, long offset, int count) =>
        Enumerable.Range(0, count).Any(i => IsLocked(file, offset + i));

    private static Kernel32.Overlapped At(long offset) => new() { Offset = (uint)offset, OffsetHigh = (uint)(offset >> 32) };

    public override string BootId => field ??= ReadBootId();

    // When the system started, less what was added to that time because the clock was set: the difference stays the same until the next
    // start. A machine without a working clock may start at the same time twice, which the count of starts tells apart.
    private static string ReadBootId()
    {
        const int timeOfDay = 3;
        const nint startsAddress = 0x7FFE_02C4;
        Kernel32.TimeOfDay seen = default, again = default;
        do
        {
            int status = Kernel32.ReadTimeOfDay(timeOfDay, ref seen, Marshal.SizeOf<Kernel32.TimeOfDay>(), out _)
                | Kernel32.ReadTimeOfDay(timeOfDay, ref again, Marshal.SizeOf<Kernel32.TimeOfDay>(), out _);
            if (status != 0)
            {
                throw new IOException($"NtQuerySystemInformation failed (status {status:x8}): nothing tells one boot from another.");
            }
        }
        while (seen.BootTime - seen.BootTimeBias != again.BootTime - again.BootTimeBias);
        return $"{BootPrefix}{Marshal.ReadInt32(startsAddress):x8}-{seen.BootTime - seen.BootTimeBias:x16}";
    }

    private const string BootPrefix = "windows-";

    // The name of a user is not unique: a machine and its domain may each have one of that name.
    public override string UserId
    {
        get
        {
            Debug.Assert(OperatingSystem.IsWindows());
            return WindowsRights.User.Value;
        }
    }

    public override void MakePrivateDirectory(string path)
    {
        Debug.Assert(OperatingSystem.IsWindows());
        bool isNew = KindOf(path) == PathKind.Nothing;
        WindowsRights.MakePrivate(path);
        // Wine makes a directory without looking at the rights that it is asked for.
        if (isNew && !IsPrivateDirectory(path))
        {
            WindowsRights.SetPrivate(path);
        }
    }

    public override bool IsPrivateDirectory(string path)
    {
        Debug.Assert(OperatingSystem.IsWindows());
        using SafeFileHandle directory = Kernel32.CreateFile(
            WindowsPath.Extended(path), Kernel32.ReadAttributes | Kernel32.ReadControl, Kernel32.ShareAll, 0, Kernel32.OpenExisting,
            Kernel32.NoFollow | Kernel32.DirectoryToo, 0);
        return !directory.IsInvalid && TryGetAttributes(directory, out Kernel32.AttributeTag tag)
            && (tag.Attributes & (OfDirectory | ReparsePoint)) == OfDirectory && WindowsRights.IsPrivate(directory);
    }
}
