using Microsoft.Win32.SafeHandles;

namespace BlitQueue.Platform;

/// <summary>Reserves a file's blocks by writing them, for file systems that cannot reserve without.</summary>
internal static class ZeroFill
{
    private const int ChunkSize = 1 << 20;

    /// <summary>Writes <paramref name="size"/> zero bytes from the file's start.</summary>
    /// <exception cref="DiskFullException">There is no room for them.</exception>
    public static void Write(SafeFileHandle file, long size)
    {
        byte[] zeros = new byte[(int)Math.Min(ChunkSize, size)];
        try
        {
            for (long offset = 0; offset < size; offset += zeros.Length)
            {
                RandomAccess.Write(file, zeros.AsSpan(0, (int)Math.Min(zeros.Length, size - offset)), offset);
            }
        }
        catch (IOException exception)
        {
            throw new DiskFullException($"No room for {size} bytes ({exception.Message}).");
        }
    }
}
