namespace BlitQueue.Segments;

/// <summary>A message that a cursor found at its subscription's next position.</summary>
/// <param name="NextWord">The subscription's next word at that time: the message is still there to take while the word is.</param>
/// <param name="Segment">The segment that the message starts in.</param>
/// <param name="Position">Where its record starts.</param>
/// <param name="After">The position behind it.</param>
/// <param name="Header">Its record's header.</param>
/// <param name="Length">Payload bytes, of all pieces together.</param>
internal readonly record struct FoundRecord(
    long NextWord, Segment Segment, long Position, long After, long Header, long Length)
{
    /// <summary>Whether the message lies in more than one record.</summary>
    public bool IsSplit => RecordFormat.Kind(Header) == RecordKind.BatchFragment;
}
