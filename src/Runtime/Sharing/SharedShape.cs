namespace BlitQueue.Sharing;

/// <summary>What a shared file contains, by its header; or what a process that joins expects.</summary>
/// <param name="Kind">What it is.</param>
/// <param name="Layout">The element type's name, size and fields; empty if there are no elements.</param>
/// <param name="ElementSize">Bytes of one element.</param>
/// <param name="Length">How many elements; null for a process that takes what is there.</param>
internal readonly record struct SharedShape(SharedKind Kind, string Layout, int ElementSize, int? Length)
{
    // The two copies of a value have no cache line in common, nor two neighbouring ones.
    private const int Apart = 128;

    /// <summary>From the beginning of one copy of a value to the beginning of the other.</summary>
    public long Stride => ((long)ElementSize + Apart - 1) & -Apart;

    /// <summary>Bytes behind the header and the participants.</summary>
    public long DataBytes => Kind == SharedKind.Value ? 2 * Stride : (long)(Length ?? 0) * ElementSize;

    /// <summary>For messages to people: "a SharedArray of 10 times Int64, 8 bytes".</summary>
    public string Text => Kind switch
    {
        SharedKind.Array => string.Create(CultureInfo.InvariantCulture, $"a SharedArray of {Times}{Layout}"),
        SharedKind.Value => $"a SharedValue of {Layout}",
        SharedKind.Buffer => string.Create(CultureInfo.InvariantCulture, $"a SharedBuffer of {Times}bytes"),
        SharedKind.Mutex => "a SharedMutex",
        SharedKind.Channel => $"a channel of {Layout}",
        _ => "a SharedReaderWriterLock",
    };

    private string Times => Length is { } length ? string.Create(CultureInfo.InvariantCulture, $"{length} times ") : "";
}
