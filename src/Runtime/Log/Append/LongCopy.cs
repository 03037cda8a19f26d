using BlitQueue.Memory;

namespace BlitQueue.Log;

/// <summary>
/// Copies into the log while the append lock is held, and shows those who wait for the append lock that its holder is at work.
/// </summary>
/// <param name="control">Where the work is shown.</param>
/// <param name="byPage">No store goes over the end of a page: <see cref="StoreMedium.CopiesOnWrite"/>.</param>
internal struct LongCopy<TMem>(ControlFile control, bool byPage)
    where TMem : struct, ISharedMemory
{
    // Far less than a millisecond's work, where its pages have to be made, too.
    private const int Step = 1 << 18;

    private int _sinceShown;

    /// <summary>Copies bytes that nobody reads yet.</summary>
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

    // To make one page writable, btrfs may write the one before to the disk, where the disk is full, and write-protects it for that: a
    // store that needs both would never end.
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
