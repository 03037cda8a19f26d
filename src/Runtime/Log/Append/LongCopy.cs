using BlitQueue.Memory;

namespace BlitQueue.Log;

/// <summary>Copies into the log while the append lock is held, and shows progress to the processes that wait for the lock.</summary>
/// <param name="control">The control file with the progress word.</param>
/// <param name="byPage">Whether no store may cross the end of a page: <see cref="StoreMedium.CopiesOnWrite"/>.</param>
internal struct LongCopy<TMem>(ControlFile control, bool byPage)
    where TMem : struct, ISharedMemory
{
    // Bytes between two signs of progress: far less than a millisecond's work, even if the kernel must make the pages.
    private const int Step = 1 << 18;

    private int _sinceShown;

    /// <summary>Copies bytes into memory that no reader looks at yet.</summary>
    public void Run(ReadOnlySpan<byte> source, Span<byte> destination)
    {
        while (source.Length > Step - _sinceShown)
        {
            int part = Step - _sinceShown;
            Copy(source[..part], destination);
            TMem.Increment(ref control.Progress);
            source = source[part..];
            destination = destination[part..];
            _sinceShown = 0;
        }
        Copy(source, destination);
        _sinceShown += source.Length;
    }

    // On a full disk, btrfs may write the previous page to the disk before it makes a page writable, and write-protects the previous one
    // for that: a store that needs both pages would fault for ever.
    private readonly void Copy(ReadOnlySpan<byte> source, Span<byte> destination)
    {
        for (int part;
            byPage && (part = Blit.BytesToPageEnd(destination)) < source.Length;
            source = source[part..], destination = destination[part..])
        {
            source[..part].CopyTo(destination);
        }
        source.CopyTo(destination);
    }
}
