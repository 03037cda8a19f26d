namespace BlitQueue.Log;

/// <summary>Makes room for an append where the capacity has none: drops the oldest messages.</summary>
internal interface IRoomMaker
{
    /// <summary>Drops the oldest messages if there is no room and the options allow it. The caller holds the append lock.</summary>
    /// <returns>Whether so many bytes may be appended at a position now.</returns>
    bool TryMakeRoomAt(long position, long extent);
}
