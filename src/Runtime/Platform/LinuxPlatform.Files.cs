using Microsoft.Win32.SafeHandles;

namespace BlitQueue.Platform;

/// <content>Opening files, renaming without replacing, and the owners of directories.</content>
internal partial class LinuxPlatform
{
    private const int ForBoth = 2, Create = 0x40, MustBeNew = 0x80, WithoutWaiting = 0x800, NotToChildren = 0x80000;
    private const int NoLink = 0x20000, NoLinkArm64 = 0x8000;
    private const int OfHandle = 0x1000, LinkType = 0xA000, RegularType = 0x8000;

    // statx, whose structure is the same on every processor: unlike that of stat.
    private const int CurrentDirectory = -100, NoFollow = 0x100, StatusSize = 256, UserOffset = 20, GroupOffset = 24, ModeOffset = 28,
        InodeOffset = 32, BirthOffset = 80, DeviceOffset = 136;
    private const uint TypeModeAndUser = 1 | 2 | 8, OfGroup = 16, Inode = 0x100, Birth = 0x800, SameUser = uint.MaxValue;
    private const int TypeMask = 0xF000, DirectoryType = 0x4000, OthersRights = 0x3F, AllRights = 0x1B6;

    // statfs, the same on x64 and arm64.
    private const int FileSystemIdOffset = 56;
    private const long Btrfs = 0x9123683E;

    private const long ReplaceNothing = 1;

    // Special values for the nanoseconds of a file's time.
    private const long Present = 0x3FFF_FFFF, Unchanged = 0x3FFF_FFFE;

    private static readonly long RenameCall = Arm64 ? 276 : 316;

    public virtual SafeFileHandle OpenFile(string path, FileMode mode, FileAccess access, UnixFileMode rights, bool isTemporary)
    {
        // Without it the call would wait for the other end of a pipe, or for a device.
        int flags = WithoutWaiting | NotToChildren | (Arm64 ? NoLinkArm64 : NoLink) | (access == FileAccess.Read ? 0 : ForBoth);
        int file = mode switch
        {
            FileMode.Open => OpenOnce(path, flags, rights),
            FileMode.CreateNew => OpenOnce(path, flags | Create | MustBeNew, rights),
            _ => OpenOrCreate(path, flags, rights),
        };
        var handle = new SafeFileHandle(file, ownsHandle: true);
        int type = TypeOf(file);
        if (type != RegularType)
        {
            handle.Dispose();
            throw new IrregularFileException(NameOf(type));
        }
        return handle;
    }

    private static int OpenOrCreate(string path, int flags, UnixFileMode rights)
    {
        for (; ; )
        {
            try
            {
                return OpenOnce(path, flags, rights);
            }
            catch (FileNotFoundException)
            {
                try
                {
                    return OpenOnce(path, flags | Create | MustBeNew, rights);
                }
                catch (IOException exception) when (exception.HResult == LibC.EEXIST)
                {
                    // Another process has just made it.
                }
            }
        }
    }

    private static int OpenOnce(string path, int flags, UnixFileMode rights)
    {
        for (; ; )
        {
            int file = LibC.Open(path, flags, (uint)rights);
            int error = Marshal.GetLastPInvokeError();
            if (file >= 0)
            {
                // The rights that were asked for, whatever the process's umask removes.
                if ((flags & Create) != 0)
                {
                    LibC.SetRights(file, (uint)rights);
                    WriteInPlace(file);
                }
                return file;
            }
            if (error != LibC.EINTR)
            {
                throw OpeningFailure(path, error);
            }
        }
    }

    private static Exception OpeningFailure(string path, int error) => error switch
    {
        LibC.ENOENT when Path.GetDirectoryName(path) is { } parent && !Directory.Exists(parent) =>
            new DirectoryNotFoundException($"Could not find a part of the path '{path}'."),
        LibC.ENOENT => new FileNotFoundException($"Could not find file '{path}'.", path),
        LibC.ELOOP => new IrregularFileException("a link"),
        LibC.EISDIR => new IrregularFileException("a directory"),
        LibC.ENXIO => new IrregularFileException("a pipe, a socket or a device"),
        LibC.EACCES or LibC.EPERM =>
            new UnauthorizedAccessException($"Access to the path '{path}' is denied ({new Win32Exception(error).Message})."),
        _ => new IOException($"open({path}) failed: {new Win32Exception(error).Message} (errno {error}).", error),
    };

    // false if nothing has the name. Any other refusal is an exception: to return false then would be to treat an existing file as missing.
    private static bool TryGetStatus(string path, uint mask, Span<byte> status, int flags = NoFollow)
    {
        if (LibC.Status(CurrentDirectory, path, flags, mask, ref status[0]) == 0)
        {
            return true;
        }
        int error = Marshal.GetLastPInvokeError();
        return error is LibC.ENOENT or LibC.ENOTDIR ? false
            : throw (error is LibC.EACCES or LibC.EPERM ? OpeningFailure(path, error) : Failure($"statx({path})", error));
    }

    private static int TypeOf(int file)
    {
        Span<byte> status = stackalloc byte[StatusSize];
        return LibC.Status(file, "", OfHandle, TypeModeAndUser, ref status[0]) == 0
            ? BinaryPrimitives.ReadUInt16LittleEndian(status[ModeOffset..]) & TypeMask
            : throw Failure("statx", Marshal.GetLastPInvokeError());
    }

    private static string NameOf(int type) => type switch
    {
        DirectoryType => "a directory",
        LinkType => "a link",
        _ => "a pipe, a socket or a device",
    };

    public virtual bool TryName(string path, string name)
    {
        while (LibC.Rename(RenameCall, CurrentDirectory, path, CurrentDirectory, name, ReplaceNothing) != 0)
        {
            switch (Marshal.GetLastPInvokeError())
            {
                case LibC.EINTR:
                    continue;
                case LibC.EEXIST:
                    return false;
                default:
                    // A file system that does not know the call, a sandbox, or a failure that .NET has an exception for.
                    return ManagedPlatform.TryMove(path, name);
            }
        }
        return true;
    }

    public virtual void Replace(string path, string name) => File.Move(path, name, overwrite: true);

    public virtual bool Delete(string path, string? aside = null)
    {
        File.Delete(path);
        return true;
    }

    public bool IsThere(string path)
    {
        Span<byte> status = stackalloc byte[StatusSize];
        return TryGetStatus(path, 0, status);
    }

    public bool IsWithin(string path, string directory)
    {
        byte[] wanted = NumberOf(directory);
        string here = path + "/.";
        // Goes up by the directory's own "..", which ignores links; that of the root is the root.
        for (byte[]? below = null; NumberOf(here) is var number && !number.AsSpan().SequenceEqual(below); below = number, here += "/..")
        {
            if (number.AsSpan().SequenceEqual(wanted))
            {
                return true;
            }
        }
        return false;
    }

    // The device of the file that a path leads to, and the file's number there; empty if there is no file, or the file system has no
    // numbers.
    private static byte[] NumberOf(string path)
    {
        const int following = 0;
        Span<byte> status = stackalloc byte[StatusSize];
        return TryGetStatus(path, Inode, status, following) && (BinaryPrimitives.ReadUInt32LittleEndian(status) & Inode) != 0
            ? [.. status.Slice(DeviceOffset, sizeof(long)), .. status.Slice(InodeOffset, sizeof(long))]
            : [];
    }

    public PathKind KindOf(string path)
    {
        const int following = 0;
        Span<byte> status = stackalloc byte[StatusSize];
        return !TryGetStatus(path, TypeModeAndUser, status, following) ? PathKind.Nothing
            : (BinaryPrimitives.ReadUInt16LittleEndian(status[ModeOffset..]) & TypeMask) == DirectoryType ? PathKind.Directory
            : PathKind.File;
    }

    public (UnixFileMode Mode, uint? Group)? RightsOf(string path)
    {
        Span<byte> status = stackalloc byte[StatusSize];
        return TryGetStatus(path, TypeModeAndUser | OfGroup, status)
            && (BinaryPrimitives.ReadUInt16LittleEndian(status[ModeOffset..]) & TypeMask) == RegularType
            ? ((UnixFileMode)(BinaryPrimitives.ReadUInt16LittleEndian(status[ModeOffset..]) & AllRights),
                BinaryPrimitives.ReadUInt32LittleEndian(status[GroupOffset..]))
            : null;
    }

    public void TrySetGroup(SafeFileHandle file, uint group) => LibC.SetOwner(file, SameUser, group);

    public bool TrySetModified(string path, long seconds)
    {
        Span<LibC.TimeSpec> times = [new() { Nanoseconds = Unchanged }, new() { Seconds = seconds }];
        if (LibC.SetTimes(CurrentDirectory, path, ref times[0], NoFollow) == 0)
        {
            return true;
        }
        if (Marshal.GetLastPInvokeError() is not (LibC.EPERM or LibC.EACCES))
        {
            return false;
        }
        // A user who only has the right to write may set the present time and no other.
        times.Fill(new LibC.TimeSpec { Nanoseconds = Present });
        return LibC.SetTimes(CurrentDirectory, path, ref times[0], NoFollow) == 0;
    }

    public int LooksInFiveMilliseconds => 1000;

    public virtual bool? LeadsTo(string path, SafeFileHandle file)
    {
        Span<byte> named = stackalloc byte[StatusSize], open = stackalloc byte[StatusSize];
        if (LibC.Status(file, "", OfHandle, Inode, ref open[0]) != 0)
        {
            throw Failure("statx", Marshal.GetLastPInvokeError());
        }
        return !TryGetStatus(path, Inode, named) ? false
            : !HasInode(open) ? null
            : named.Slice(InodeOffset, sizeof(long)).SequenceEqual(open.Slice(InodeOffset, sizeof(long)))
                && named.Slice(DeviceOffset, sizeof(long)).SequenceEqual(open.Slice(DeviceOffset, sizeof(long)));
    }

    public byte[]? IdentityOf(string path)
    {
        Span<byte> status = stackalloc byte[StatusSize];
        return TryGetStatus(path, Inode | Birth, status) ? IdentityIn(status, path) : null;
    }

    public byte[]? IdentityOf(SafeFileHandle file)
    {
        Span<byte> status = stackalloc byte[StatusSize];
        // The kernel leads this path to the open file, even if the file has no name any more.
        return LibC.Status(file, "", OfHandle, Inode | Birth, ref status[0]) == 0
            ? IdentityIn(status, $"/proc/self/fd/{file.DangerousGetHandle()}")
            : throw Failure("statx", Marshal.GetLastPInvokeError());
    }

    private static byte[]? IdentityIn(ReadOnlySpan<byte> status, string path) => HasInode(status)
        ? [.. DeviceOf(path, status), .. status.Slice(InodeOffset, sizeof(long)), .. status.Slice(BirthOffset, 2 * sizeof(long))]
        : null;

    private static bool HasInode(ReadOnlySpan<byte> status) => (BinaryPrimitives.ReadUInt32LittleEndian(status) & Inode) != 0;

    // A snapshot on btrfs has the inodes and the times of birth of its original, and when it is mounted it may get the device number that
    // the original had: a device with major number 0 gets its number at each mount. There the id of the file system names the subvolume.
    private static byte[] DeviceOf(string path, ReadOnlySpan<byte> status)
    {
        byte[] device = status.Slice(DeviceOffset, sizeof(long)).ToArray();
        if (BinaryPrimitives.ReadInt32LittleEndian(device) != 0)
        {
            return device;
        }
        Span<byte> system = stackalloc byte[StatusSize];
        return LibC.FileSystemStatus(path, ref system[0]) != 0 ? throw Failure($"statfs({path})", Marshal.GetLastPInvokeError())
            : BinaryPrimitives.ReadInt64LittleEndian(system) == Btrfs ? system.Slice(FileSystemIdOffset, sizeof(long)).ToArray()
            : device;
    }

    public string UserId => LibC.EffectiveUser().ToString(CultureInfo.InvariantCulture);

    public void MakePrivateDirectory(string path) => Directory.CreateDirectory(path);

    public bool IsPrivateDirectory(string path)
    {
        Span<byte> status = stackalloc byte[StatusSize];
        if (LibC.Status(CurrentDirectory, path, NoFollow, TypeModeAndUser, ref status[0]) != 0)
        {
            throw Failure("statx", Marshal.GetLastPInvokeError());
        }
        int mode = BinaryPrimitives.ReadUInt16LittleEndian(status[ModeOffset..]);
        return (mode & TypeMask) == DirectoryType
            && (mode & OthersRights) == 0
            && BinaryPrimitives.ReadUInt32LittleEndian(status[UserOffset..]) == LibC.EffectiveUser();
    }
}
