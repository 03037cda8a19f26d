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

    // Bytes that are asked about in one call. To ask takes the lock for a moment: a process that joins in that moment finds these bytes
    // locked, and takes one behind them. It must not find all locked.
    private const int MostAsked = 64;

    public override bool IgnoresCase => true;

    public override bool ReplacesMapped => false;

    public override bool RenamesDirectoriesInUse => false;

    public override bool TryLockByte(SafeFileHandle file, long offset) => TryLock(file, FirstLock + offset, 1, Kernel32.LockExclusive);

    private static bool TryLock(SafeFileHandle file, long byteOffset, int count, uint kind)
    {
        Kernel32.Overlapped where = At(byteOffset);
        if (Kernel32.LockFile(file, kind | Kernel32.LockFailImmediately, 0, (uint)count, 0, ref where))
        {
            return true;
        }
        int error = Marshal.GetLastPInvokeError();
        return error is WindowsError.LockViolation or WindowsError.IoPending ? false : throw WindowsError.Failure("LockFileEx", error);
    }

    public override bool UnlockByte(SafeFileHandle file, long offset) => Unlock(file, FirstLock + offset, 1);

    private static bool Unlock(SafeFileHandle file, long byteOffset, int count)
    {
        Kernel32.Overlapped where = At(byteOffset);
        return Kernel32.UnlockFile(file, 0, (uint)count, 0, ref where);
    }

    // A shared lock, so that two processes which ask at the same moment do not take each other for a holder.
    public override bool IsByteLocked(SafeFileHandle file, long offset) => IsLocked(file, FirstLock + offset, 1);

    private static bool IsLocked(SafeFileHandle file, long byteOffset, int count)
    {
        if (!TryLock(file, byteOffset, count, Shared))
        {
            return true;
        }
        Unlock(file, byteOffset, count);
        return false;
    }

    public override bool IsAnyByteLocked(SafeFileHandle file, long offset, int count) => IsAnyLocked(file, FirstLock + offset, count);

    private static bool IsAnyLocked(SafeFileHandle file, long byteOffset, int count)
    {
        for (int asked = 0; asked < count; asked += MostAsked)
        {
            if (IsLocked(file, byteOffset + asked, Math.Min(MostAsked, count - asked)))
            {
                return true;
            }
        }
        return false;
    }

    // Linux locks the bytes themselves, which Wine sees.
    public override bool IsAnyByteLockedElsewhere(SafeFileHandle file, long offset, int count) =>
        IsAnyLocked(file, offset, count);

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

    private const uint MakeUsable = 0x1000, ReserveAlone = 0x2000, GiveAllBack = 0x8000;
    private const uint NoAccess = 1, ForReadingAndWriting = 4;

    // What is reserved counts against no limit but that of addresses; what is made usable counts against the system's commit limit.
    public override GrowingMemory? TryReserve(long most)
    {
        nint address = Kernel32.Reserve(0, (nuint)most, ReserveAlone, NoAccess);
        return address == 0 ? null : new Stretch(address, most);
    }

    private sealed class Stretch(nint address, long most) : GrowingMemory(address, most)
    {
        // To ask once more for what is usable already is no error.
        protected override bool TryMakeUsable(long length) =>
            Kernel32.Reserve(Address, (nuint)length, MakeUsable, ForReadingAndWriting) != 0;

        protected override void GiveBack(long length) => Kernel32.Release(Address, 0, GiveAllBack);
    }
}
