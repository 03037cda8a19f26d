using BlitQueue.Memory;

namespace BlitQueue.Segments;

/// <summary>Copies into the log while the turn is held, and shows those who wait for the turn that its holder is at work.</summary>
internal struct LongCopy<TMem>(ControlFile control)
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
            source[..part].CopyTo(destination);
            TMem.Increment(ref control.Progress);
            source = source[part..];
            destination = destination[part..];
            _sinceShown = 0;
        }
        source.CopyTo(destination);
        _sinceShown += source.Length;
    }
}
