namespace BlitQueue.Log;

/// <summary>A message that a cursor has found at its subscription's next position.</summary>
/// <param name="NextWord">The subscription's next word at that time: the message can be taken as long as the word does not change.</param>
/// <param name="Segment">The segment that the message starts in.</param>
/// <param name="Position">The position of its first record.</param>
/// <param name="After">The position behind the message.</param>
/// <param name="Header">The header of its first record.</param>
/// <param name="Length">The payload's length, bytes: all pieces together, properties included.</param>
internal readonly record struct RecordRef(
    long NextWord, Segment Segment, long Position, long After, long Header, long Length)
{
    /// <summary>
    /// Whether the message is not simply one record's payload: it is in several records, or behind a block of properties. <see
    /// cref="RecordReader{TMem}.Message(in RecordRef)"/> gives it.
    /// </summary>
    public bool IsSplit
    {
        [MethodImpl(MethodImplOptions.AggressiveInlining)]
        get => !RecordFormat.Kind(Header).IsData();
    }

    /// <summary>Whether the message goes on in further records.</summary>
    public bool IsInPieces => RecordFormat.Kind(Header).IsFragment();

    /// <summary>Whether a block of properties comes before the message.</summary>
    public bool HasProperties => RecordFormat.Kind(Header).HasProperties();
}
