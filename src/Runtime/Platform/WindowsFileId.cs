using Microsoft.Win32.SafeHandles;

namespace BlitQueue.Platform;

/// <summary>What tells a file of Windows from every other file: its volume, and a number that no other file of the volume has.</summary>
internal static class WindowsFileId
{
    public const int VolumeSize = 8, Size = VolumeSize + 16;

    /// <summary>Reads both; the volume comes first.</summary>
    /// <param name="file">The open file.</param>
    /// <param name="id"><see cref="Size"/> bytes, or more.</param>
    /// <returns>false if the file system has no such numbers.</returns>
    public static bool TryRead(SafeFileHandle file, Span<byte> id) =>
        Kernel32.GetInformation(file, Kernel32.FileIdInfo, ref id[0], Size) || TryReadOld(file, id);

    // BY_HANDLE_FILE_INFORMATION has the volume, and the lower half of the number, high word first; the upper half is zero where a file
    // system has no more.
    private static bool TryReadOld(SafeFileHandle file, Span<byte> id)
    {
        const int size = 52, volumeOffset = 28, highOffset = 44, lowOffset = 48, word = 4;
        byte[] old = new byte[size];
        id[..Size].Clear();
        bool isTold = Kernel32.GetOldInformation(file, ref old[0]);
        old.AsSpan(volumeOffset, word).CopyTo(id);
        old.AsSpan(lowOffset, word).CopyTo(id[VolumeSize..]);
        old.AsSpan(highOffset, word).CopyTo(id[(VolumeSize + word)..]);
        return isTold;
    }
}
