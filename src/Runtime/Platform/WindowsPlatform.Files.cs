using Microsoft.Win32.SafeHandles;

namespace BlitQueue.Platform;

/// <content>Opening, renaming and deleting, each by one handle.</content>
internal sealed partial class WindowsPlatform
{
    private const uint OnDisk = 1;
    private const uint ReparsePoint = 0x400, OfDirectory = 0x10, LinkBit = 0x2000_0000;
    private const uint Mark = 1, AtOnce = 2;
    private const uint ReplaceTarget = 1, EvenOpen = 2;
    private const int IdentitySize = 32;

    // 1 + 2 + 4 + ... ms: a virus scanner is done with a file by then.
    private const int MostAttempts = 7;

    public override SafeFileHandle OpenFile(string path, FileMode mode, FileAccess access, UnixFileMode rights, bool isTemporary)
    {
        uint disposition = mode switch
        {
            FileMode.Open => Kernel32.OpenExisting,
            FileMode.CreateNew => Kernel32.CreateNew,
            _ => Kernel32.OpenAlways,
        };
        uint asked = Kernel32.GenericRead | (access == FileAccess.Read ? 0 : Kernel32.GenericWrite);
        uint flags = Kernel32.NoFollow | (isTemporary ? Kernel32.Temporary : 0);
        SafeFileHandle file = Opened(path, asked, disposition, flags, out int error);
        if (file.IsInvalid)
        {
            throw error == WindowsError.AccessDenied && IsDirectoryNow(path)
                ? new IrregularFileException("a directory")
                : WindowsError.Of("CreateFile", path, error);
        }
        if (IrregularityOf(file) is { } kind)
        {
            file.Dispose();
            throw new IrregularFileException(kind);
        }
        return file;
    }

    // The attributes are those of what was opened, whatever has the name by now.
    private static string? IrregularityOf(SafeFileHandle file) => Kernel32.FileType(file) != OnDisk ? "a pipe or a device"
        : !TryGetAttributes(file, out Kernel32.AttributeTag tag) ? null
        : (tag.Attributes & ReparsePoint) != 0
        ? (tag.ReparseTag & LinkBit) != 0 ? "a link" : $"a reparse point (tag {tag.ReparseTag:x8})"
        : (tag.Attributes & OfDirectory) != 0 ? "a directory"
        : null;

    private static bool TryGetAttributes(SafeFileHandle file, out Kernel32.AttributeTag tag) => Kernel32.GetAttributeTag(
        file, Kernel32.AttributeTagInfo, out tag, (uint)Marshal.SizeOf<Kernel32.AttributeTag>());

    private static bool IsDirectoryNow(string path)
    {
        using SafeFileHandle found = Kernel32.CreateFile(
            WindowsPath.Extended(path), Kernel32.ReadAttributes, Kernel32.ShareAll, 0, Kernel32.OpenExisting,
            Kernel32.NoFollow | Kernel32.DirectoryToo, 0);
        return !found.IsInvalid && TryGetAttributes(found, out Kernel32.AttributeTag tag) && (tag.Attributes & OfDirectory) != 0;
    }

    private static SafeFileHandle Opened(
        string path, uint access, uint disposition, uint flags, out int error, uint share = Kernel32.ShareAll)
    {
        for (int attempt = 0; ; attempt++)
        {
            SafeFileHandle file = Kernel32.CreateFile(
                WindowsPath.Extended(path), access, share, 0, disposition, flags, 0);
            error = file.IsInvalid ? Marshal.GetLastPInvokeError() : 0;
            if (error == 0 || !MayTryAgain(error, attempt))
            {
                return file;
            }
            file.Dispose();
        }
    }

    // Sleeps before the caller tries again.
    private static bool MayTryAgain(int error, int attempt)
    {
        bool may = WindowsError.IsMomentary(error) && attempt < MostAttempts;
        if (may)
        {
            Thread.Sleep(1 << attempt);
        }
        return may;
    }

    public override bool Delete(string path, string? aside = null)
    {
        int error = TryDelete(path, aside, out bool isGone);
        return error is 0 or WindowsError.FileNotFound ? isGone : throw WindowsError.Of("delete", path, error);
    }

    private static int TryDelete(string path, string? aside, out bool isGone)
    {
        isGone = true;
        for (int attempt = 0; ; attempt++)
        {
            using SafeFileHandle file = OpenToDelete(path, flags: 0);
            int error = file.IsInvalid ? Marshal.GetLastPInvokeError() : DeleteOpen(file, path, aside, out isGone);
            if (error == 0 || !MayTryAgain(error, attempt))
            {
                return error;
            }
        }
    }

    // The name is free afterwards: at once where the file system can do that, else because the file has another name until its last handle
    // is closed or its last mapping ends. What cannot be deleted under that name a later opening deletes.
    private static int DeleteOpen(SafeFileHandle file, string path, string? aside, out bool isGone)
    {
        isGone = SetDisposition(file, Kernel32.DispositionInfoEx, Mark | AtOnce) == 0;
        if (isGone)
        {
            return 0;
        }
        int error = aside is null
            ? SetDisposition(file, Kernel32.DispositionInfo, Mark)
            : RenameOpen(file, path, aside, flags: 0);
        isGone = error == 0 && (aside is null || TryDeleteAtLast(aside));
        return error;
    }

    // By a handle that was opened by the file's present name: Wine deletes what has the name by which a handle was opened.
    private static bool TryDeleteAtLast(string aside)
    {
        using SafeFileHandle file = OpenToDelete(aside, flags: 0);
        return !file.IsInvalid && SetDisposition(file, Kernel32.DispositionInfo, Mark) == 0;
    }

    private static SafeFileHandle OpenToDelete(string path, uint flags) => Kernel32.CreateFile(
        WindowsPath.Extended(path), Kernel32.Delete | Kernel32.ReadAttributes, Kernel32.ShareAll, 0, Kernel32.OpenExisting,
        Kernel32.NoFollow | flags, 0);

    private static int SetDisposition(SafeFileHandle file, int what, uint flags)
    {
        byte[] information = new byte[sizeof(uint)];
        BinaryPrimitives.WriteUInt32LittleEndian(information, flags);
        // The older form has one byte.
        uint size = what == Kernel32.DispositionInfo ? 1 : (uint)information.Length;
        return Kernel32.SetInformation(file, what, ref information[0], size) ? 0 : Marshal.GetLastPInvokeError();
    }

    // Asks nothing of the directories on the way, which the caller may have no right to list.
    public override bool IsWithin(string path, string directory) =>
        WindowsVolume.FinalPathOf(path) is { } inner && WindowsVolume.FinalPathOf(directory) is { } outer
            ? WindowsPath.IsWithin(inner, outer)
            : base.IsWithin(path, directory);

    public override bool? LeadsTo(string path, SafeFileHandle file)
    {
        using SafeFileHandle? named = OpenToAsk(path);
        if (named is null)
        {
            return false;
        }
        Span<byte> one = stackalloc byte[WindowsFileId.Size], other = stackalloc byte[WindowsFileId.Size];
        return WindowsFileId.TryRead(named, one) && WindowsFileId.TryRead(file, other) ? one.SequenceEqual(other) : null;
    }

    // Wine's server, besides, has the file open once more after each of them, until no process has a part of the file locked.
    public override int LooksInFiveMilliseconds => 50;

    public override byte[]? IdentityOf(string path)
    {
        using SafeFileHandle? named = OpenToAsk(path);
        return named is null ? null : IdentityOf(named);
    }

    public override byte[]? IdentityOf(SafeFileHandle file)
    {
        byte[] identity = new byte[IdentitySize];
        return WindowsVolume.NumbersLast(file) && WindowsFileId.TryRead(file, identity) ? identity : null;
    }

    // Without a right to the content; of a link the link itself. null if nothing has the name.
    private static SafeFileHandle? OpenToAsk(string path)
    {
        SafeFileHandle named = Opened(
            path, Kernel32.ReadAttributes, Kernel32.OpenExisting, Kernel32.NoFollow | Kernel32.DirectoryToo, out int error);
        return IfThere(named, path, error);
    }

    private static SafeFileHandle? IfThere(SafeFileHandle file, string path, int error)
    {
        if (!file.IsInvalid)
        {
            return file;
        }
        file.Dispose();
        return error is WindowsError.FileNotFound or WindowsError.PathNotFound ? null : throw WindowsError.Of("CreateFile", path, error);
    }

    // A handle that does not share the right to delete, which a rename needs, too. The system asks about that only of a handle with a right
    // to the content.
    public override SafeFileHandle? PreserveName(string path)
    {
        SafeFileHandle preserved = Opened(
            path, Kernel32.GenericRead, Kernel32.OpenExisting, Kernel32.NoFollow, out int error, Kernel32.ShareContent);
        return IfThere(preserved, path, error);
    }

    public override bool TryName(string path, string name)
    {
        int error = TryRename(path, name, flags: 0);
        return error switch
        {
            0 => true,
            WindowsError.AlreadyExists or WindowsError.FileExists => false,
            WindowsError.AccessDenied when IsThere(name) => false,
            _ => throw WindowsError.Of("rename", path, error),
        };
    }

    public override void Replace(string path, string name)
    {
        int error = TryRename(path, name, ReplaceTarget | EvenOpen);
        if (error != 0)
        {
            throw WindowsError.Of("rename", path, error);
        }
    }

    private static int TryRename(string path, string name, uint flags)
    {
        for (int attempt = 0; ; attempt++)
        {
            // NTFS brings the new name to the disk before a call through such a handle returns.
            using SafeFileHandle file = OpenToDelete(path, Kernel32.DirectoryToo | Kernel32.WriteThrough);
            int error = file.IsInvalid ? Marshal.GetLastPInvokeError() : RenameOpen(file, path, name, flags);
            if (error == 0 || !MayTryAgain(error, attempt))
            {
                return error;
            }
        }
    }

    private static int RenameOpen(SafeFileHandle file, string path, string name, uint flags)
    {
        byte[] information = RenameInformation(WindowsPath.Extended(name), flags);
        if (Kernel32.SetInformation(file, Kernel32.RenameInfoEx, ref information[0], (uint)information.Length))
        {
            return 0;
        }
        int error = Marshal.GetLastPInvokeError();
        return !WindowsError.IsUnknownCall(error) ? error
            : Kernel32.Move(
                WindowsPath.Extended(path), WindowsPath.Extended(name),
                Kernel32.MoveWriteThrough | ((flags & ReplaceTarget) != 0 ? Kernel32.MoveReplace : 0)) ? 0
            : Marshal.GetLastPInvokeError();
    }

    // FILE_RENAME_INFO: flags, no root directory, the length of the name in bytes, the name.
    private static byte[] RenameInformation(string name, uint flags)
    {
        const int lengthOffset = 16, nameOffset = 20;
        byte[] bytes = Encoding.Unicode.GetBytes(name);
        byte[] information = new byte[nameOffset + bytes.Length + sizeof(char)];
        BinaryPrimitives.WriteUInt32LittleEndian(information, flags);
        BinaryPrimitives.WriteInt32LittleEndian(information.AsSpan(lengthOffset), bytes.Length);
        bytes.CopyTo(information.AsSpan(nameOffset));
        return information;
    }
}
