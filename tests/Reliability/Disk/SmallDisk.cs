using System.Globalization;

namespace BlitQueue.Reliability.Disk;

/// <summary>A mounted file system that is soon full, and a file of somebody else's on it.</summary>
internal sealed class SmallDisk : IDisposable
{
    private const int LargeChunk = 1 << 18, SmallChunk = 4096;

    private readonly string _root;
    private readonly string _ballast;

    private SmallDisk(string root, bool isMemory)
    {
        (_root, IsMemory) = (root, isMemory);
        MountPoint = Directory.CreateDirectory(Path.Combine(root, "disk")).FullName;
        _ballast = Path.Combine(MountPoint, "ballast");
    }

    public string MountPoint { get; }

    /// <summary>Nothing is durable there.</summary>
    public bool IsMemory { get; }

    public static SmallDisk OfMemory(string root, string options)
    {
        var disk = new SmallDisk(root, isMemory: true);
        MountSpace.Run("mount", "-t", "tmpfs", "-o", options, "tmpfs", disk.MountPoint);
        return disk;
    }

    /// <summary>ext4 on a loop device, whose image lies in memory.</summary>
    /// <param name="root">Where to put both.</param>
    /// <param name="blockSize">Bytes: 1024 or 4096.</param>
    /// <param name="kibibytes">Of the image, with a journal of 1,024 blocks.</param>
    public static SmallDisk OfLoop(string root, int blockSize, int kibibytes)
    {
        var disk = new SmallDisk(root, isMemory: false);
        string memory = Directory.CreateDirectory(Path.Combine(root, "memory")).FullName, image = Path.Combine(memory, "image");
        MountSpace.Run("mount", "-t", "tmpfs", "tmpfs", memory);
        MountSpace.Run("truncate", "-s", string.Create(CultureInfo.InvariantCulture, $"{kibibytes}k"), image);
        MountSpace.Run(
            "mkfs.ext4", "-q", "-b", blockSize.ToString(CultureInfo.InvariantCulture), "-J", $"size={blockSize / 1024}", "-m", "0", image);
        // The device goes with the mount.
        MountSpace.Run("mount", "-o", "loop", image, disk.MountPoint);
        return disk;
    }

    /// <summary>A file system that lets files share blocks, on a loop device whose image lies in memory.</summary>
    /// <param name="root">Where to put both.</param>
    /// <param name="kind">Of <see cref="SharingCampaign"/>.</param>
    public static SmallDisk OfSharing(string root, string kind)
    {
        var disk = new SmallDisk(root, isMemory: false);
        string memory = Directory.CreateDirectory(Path.Combine(root, "memory")).FullName, image = Path.Combine(memory, "image");
        MountSpace.Run("mount", "-t", "tmpfs", "tmpfs", memory);
        bool isXfs = kind == SharingCampaign.Xfs;
        MountSpace.Run("truncate", "-s", "400m", image);
        MountSpace.Run(isXfs ? "mkfs.xfs" : "mkfs.btrfs", [.. isXfs ? (string[])["-q", "-m", "reflink=1"] : ["-q"], image]);
        MountSpace.Run("mount", "-o", "loop", image, disk.MountPoint);
        return disk;
    }

    /// <summary>Others take all room but so many bytes.</summary>
    public void LeaveRoom(long bytes) => TakeRoom(new DriveInfo(MountPoint).AvailableFreeSpace - bytes);

    /// <summary>Others take room: so many bytes, or all there is.</summary>
    /// <returns>Whether it is full now.</returns>
    public bool TakeRoom(long bytes)
    {
        try
        {
            using FileStream file = new(_ballast, FileMode.Append, FileAccess.Write, FileShare.ReadWrite, bufferSize: 0);
            byte[] chunk = new byte[bytes > 16 * LargeChunk ? LargeChunk : SmallChunk];
            for (long taken = 0; taken < bytes; taken += chunk.Length)
            {
                file.Write(chunk);
            }
            return false;
        }
        catch (IOException)
        {
            return true;
        }
    }

    /// <summary>They give it back.</summary>
    public void GiveRoomBack() => File.Delete(_ballast);

    public void Dispose()
    {
        MountSpace.Run("umount", "--lazy", MountPoint);
        if (!IsMemory)
        {
            MountSpace.Run("umount", "--lazy", Path.Combine(_root, "memory"));
        }
    }
}
