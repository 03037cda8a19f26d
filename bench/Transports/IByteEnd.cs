namespace BlitQueue.Bench.Links;

/// <summary>One end of a stream of bytes that the system carries. Structs implement it, so that the loops are compiled for each.</summary>
internal interface IByteEnd : IDisposable
{
    /// <summary>Writes some of the bytes.</summary>
    /// <returns>How many.</returns>
    int Write(ReadOnlySpan<byte> bytes);

    /// <summary>Waits for bytes.</summary>
    /// <returns>How many; 0 at the end.</returns>
    int Read(Span<byte> room);
}
