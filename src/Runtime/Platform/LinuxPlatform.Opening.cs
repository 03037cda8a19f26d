using System.Buffers.Binary;
using System.ComponentModel;
using System.Runtime.InteropServices;
using Microsoft.Win32.SafeHandles;

namespace BlitQueue.Platform;

internal sealed partial class LinuxPlatform
{
    private const int ForBoth = 2, Create = 0x40, MustBeNew = 0x80, WithoutWaiting = 0x800, NotToChildren = 0x80000;
    private const int NoLink = 0x20000, NoLinkArm64 = 0x8000;
    private const int OfHandle = 0x1000, LinkType = 0xA000, RegularType = 0x8000;

    public SafeFileHandle OpenFile(string path, FileMode mode, FileAccess access, UnixFileMode rights)
    {
        // A pipe without another end, or a device, would keep the call waiting.
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
        for (;;)
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
        for (;;)
        {
            int file = LibC.Open(path, flags, (uint)rights);
            int error = Marshal.GetLastPInvokeError();
            if (file >= 0)
            {
                // What was asked for, whatever the process's mask takes away.
                if ((flags & Create) != 0)
                {
                    LibC.SetRights(file, (uint)rights);
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
        LibC.EACCES or LibC.EPERM or LibC.EROFS =>
            new UnauthorizedAccessException($"Access to the path '{path}' is denied ({new Win32Exception(error).Message})."),
        _ => new IOException($"open({path}) failed: {new Win32Exception(error).Message} (errno {error}).", error),
    };

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
}
