using BlitQueue.Platform;

namespace BlitQueue.Log;

/// <summary>
/// The free space of a disk that the appenders of a queue leave. Dead letters may use it: a consumer that cannot handle a message needs
/// room for its letter before the message's own segment can be deleted, also where the queue itself has filled the disk. Where each write
/// may take a new block, it is what consumers and appenders write before the next look.
/// </summary>
/// <remarks>
/// It is looked at when a queue is made and when blocks are reserved for a segment, not at each append. Other programs may take it, and a
/// quota is not seen.
/// </remarks>
internal sealed class FreeSpaceMargin(QueueFiles files, long segmentSize)
{
    // A queue of letters is 1.2 MiB when it is made, and grows in segments of 1 MiB.
    private const long ForLetters = 4 << 20;
    // A small disk is not for letters alone.
    private const int LargestPart = 8;
    // The blocks that describe other blocks, for each write.
    private const long ForCopies = 16 << 20;

    /// <summary>Before blocks are reserved.</summary>
    /// <param name="bytes">How many bytes they have.</param>
    /// <exception cref="DiskFullException">Less than the margin would be free.</exception>
    public void Require(long bytes)
    {
        // If the system does not tell, the reservation itself fails where there is no room.
        if (FileSystems.SpaceOf(files.Directory) is var (free, total) && free - bytes < Of(total))
        {
            throw new DiskFullException($"{free} bytes are free, and the last {Of(total)} are left for dead letters.");
        }
    }

    /// <summary>Before a segment's file is used again, which takes new blocks only where each write does.</summary>
    /// <exception cref="DiskFullException">Less than the margin is free.</exception>
    public void RequireToReuse()
    {
        if (files.Medium.AlwaysCopiesOnWrite)
        {
            Require(bytes: 0);
        }
    }

    private long Of(long total) =>
        Math.Min(ForLetters, total / LargestPart) + (files.Medium.AlwaysCopiesOnWrite ? (2 * segmentSize) + ForCopies : 0);
}
