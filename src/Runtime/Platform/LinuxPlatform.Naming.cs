using System.Runtime.InteropServices;

namespace BlitQueue.Platform;

/// <content>Names that only one file can get.</content>
internal sealed partial class LinuxPlatform
{
    private const long ReplaceNothing = 1;

    private static readonly long RenameCall = Arm64 ? 276 : 316;

    public bool TryName(string path, string name)
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
                    return ManagedName.TryGive(path, name);
            }
        }
        return true;
    }
}
