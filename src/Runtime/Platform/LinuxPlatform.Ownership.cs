using System.Buffers.Binary;
using System.Globalization;
using System.Runtime.InteropServices;

namespace BlitQueue.Platform;

internal sealed partial class LinuxPlatform
{
    // statx, whose structure is the same on every processor: unlike that of stat.
    private const int CurrentDirectory = -100, NoFollow = 0x100, StatusSize = 256, UserOffset = 20, ModeOffset = 28;
    private const uint TypeModeAndUser = 1 | 2 | 8;
    private const int TypeMask = 0xF000, DirectoryType = 0x4000, OthersRights = 0x3F;

    public string UserId => LibC.EffectiveUser().ToString(CultureInfo.InvariantCulture);

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
