using Microsoft.Win32.SafeHandles;

namespace BlitQueue.Platform;

/// <content>Reserving clusters, and bringing contents and names to the disk.</content>
internal sealed partial class WindowsPlatform
{
    private const uint Compressed = 0x800, Sparse = 0x200;

    private const int FlushAttempts = 300;

    // A compressed or sparse file gets clusters when it is written to, so it must be neither. Where the file system then still has not
    // reserved all of them (FAT by network, Wine), zeros do.
    public override void Preallocate(SafeFileHandle file, long size)
    {
        TakeAllClusters(file);
        Allocate(file, size);
        try
        {
            RandomAccess.SetLength(file, size);
        }
        catch (IOException exception) when (DiskFullException.Is(exception))
        {
            throw NoRoom(size, exception.Message);
        }
        if (AllocatedOf(file) < size)
        {
            WriteZeros(file, size);
        }
    }

    private static void TakeAllClusters(SafeFileHandle file)
    {
        if (TryGetAttributes(file, out Kernel32.AttributeTag tag))
        {
            Clear(file, tag.Attributes & Compressed, Kernel32.SetCompression, sizeof(ushort));
            Clear(file, tag.Attributes & Sparse, Kernel32.SetSparse, sizeof(byte));
        }
    }

    // Zero is the format of a file that is not compressed, and false for a sparse one.
    private static void Clear(SafeFileHandle file, uint attribute, uint code, uint size)
    {
        ushort none = 0;
        if (attribute != 0 && !Kernel32.Control(file, code, ref none, size, 0, 0, out _, 0))
        {
            int error = Marshal.GetLastPInvokeError();
            throw WindowsError.IsDiskFull(error) ? NoRoom(0, $"error {error}") : WindowsError.Failure("DeviceIoControl", error);
        }
    }

    private static void Allocate(SafeFileHandle file, long size)
    {
        byte[] information = new byte[sizeof(long)];
        BinaryPrimitives.WriteInt64LittleEndian(information, size);
        if (!Kernel32.SetInformation(file, Kernel32.AllocationInfo, ref information[0], (uint)information.Length)
            && Marshal.GetLastPInvokeError() is var error && !WindowsError.IsUnknownCall(error))
        {
            throw WindowsError.IsDiskFull(error) ? NoRoom(size, $"error {error}")
                : WindowsError.Failure("SetFileInformationByHandle", error);
        }
    }

    private static long AllocatedOf(SafeFileHandle file) =>
        TryGetStandard(file, out Kernel32.Standard standard) ? standard.AllocationSize : 0;

    private static bool TryGetStandard(SafeFileHandle file, out Kernel32.Standard standard) =>
        Kernel32.GetStandard(file, Kernel32.StandardInfo, out standard, (uint)Marshal.SizeOf<Kernel32.Standard>());

    private static DiskFullException NoRoom(long size, string cause) => new($"No room for {size} bytes ({cause}).");

    public override FileView Map(SafeFileHandle file, long length, bool isWritten)
    {
        FileView view = base.Map(file, length, isWritten);
        if (!isWritten)
        {
            return view;
        }
        var written = new WindowsView(view, Reopened(file, view), length, _views);
        _views.Add(written);
        return written;
    }

    // A handle of its own, because the system releases a handle's byte locks when the last copy of it is closed, and callers close theirs
    // to release them.
    private static SafeFileHandle Reopened(SafeFileHandle file, FileView view)
    {
        SafeFileHandle own = Kernel32.ReOpenFile(file, Kernel32.GenericWrite, Kernel32.ShareAll, 0);
        if (!own.IsInvalid)
        {
            return own;
        }
        int error = Marshal.GetLastPInvokeError();
        own.Dispose();
        bool isGone = error == WindowsError.FileNotFound || IsDeleted(file);
        view.Dispose();
        throw isGone ? new FileNotFoundException("The file was deleted after this process had opened it.")
            : WindowsError.Failure("ReOpenFile", error);
    }

    // Such a file cannot be opened again. To its opener it is as if it had come a moment later.
    private static bool IsDeleted(SafeFileHandle file) => TryGetStandard(file, out Kernel32.Standard standard)
        && (standard.DeletePending != 0 || standard.NumberOfLinks == 0);

    // FlushViewOfFile hands the pages to the file system, and FlushFileBuffers brings them and the file's length to the disk itself.
    public override void SyncRange(FileView view, nint address, long length)
    {
        FlushView(address, length);
        if (view is SyncedView synced && !Kernel32.FlushFile(synced.File))
        {
            throw WindowsError.Failure("FlushFileBuffers", Marshal.GetLastPInvokeError());
        }
    }

    // NTFS refuses the first with a lock violation, although no lock is there, while it writes the same pages itself.
    private static void FlushView(nint address, long length)
    {
        var spin = default(SpinWait);
        for (int attempt = 0; !Kernel32.FlushView(address, (nuint)length); attempt++)
        {
            int error = Marshal.GetLastPInvokeError();
            if (error != WindowsError.LockViolation || attempt == FlushAttempts)
            {
                throw WindowsError.Failure("FlushViewOfFile", error);
            }
            spin.SpinOnce();
        }
    }

    // Renames are brought to the disk by the handle that renames. This is for new files and directories, on file systems that sync a
    // directory at all.
    public override void SyncDirectory(string path)
    {
        using SafeFileHandle directory = Kernel32.CreateFile(
            WindowsPath.Extended(path), Kernel32.GenericWrite, Kernel32.ShareAll, 0, Kernel32.OpenExisting, Kernel32.DirectoryToo, 0);
        int error = directory.IsInvalid || !Kernel32.FlushFile(directory) ? Marshal.GetLastPInvokeError() : 0;
        if (error != 0 && error != WindowsError.AccessDenied && !WindowsError.IsUnknownCall(error))
        {
            throw WindowsError.Of("FlushFileBuffers", path, error);
        }
    }
}
