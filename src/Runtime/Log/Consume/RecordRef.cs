using System.Runtime.CompilerServices;

namespace BlitQueue.Log;

/// <summary>A message that a cursor found at its subscription's next position.</summary>
/// <param name="NextWord">The subscription's next word at that time: the message is still there to take while the word is.</param>
/// <param name="Segment">The segment that the message starts in.</param>
/// <param name="Position">Where its record starts.</param>
/// <param name="After">The position behind it.</param>
/// <param name="Header">Its record's header.</param>
/// <param name="Length">Payload bytes, of all pieces together, properties included.</param>
internal readonly record struct RecordRef(
    long NextWord, Segment Segment, long Position, long After, long Header, long Length)
{
    /// <summary>
    /// Whether the message is something else than one record's whole payload: it lies in several, or behind a block of properties.
    /// <see cref="RecordReader{TMem}.Message(in RecordRef)"/> says what it is.
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
