namespace BlitQueue.Bench.Links;

/// <summary>
/// The least that shared memory asks for: one producer, one consumer, a ring of fixed slots, each message published at once,
/// indices cached. No typing, no recovery, no second producer, nothing kept.
/// <code>
/// offset  size
///    128     8  tail: bytes ever written
///    256     8  head: bytes ever read
///   4096        slots: 8 bytes of length, then the message
/// </code>
/// </summary>
internal static class Ring
{
    public const int TailOffset = 128, HeadOffset = 256, SlotsOffset = 4096, HeaderSize = 8;

    /// <summary>Bytes of slots at most: 4 MiB stay in the cache that the two processors share.</summary>
    public const int Capacity = 4 << 20;

    public const long FileSize = SlotsOffset + Capacity;

    public static int SlotSize(int size) => HeaderSize + ((size + 7) & ~7);

    /// <summary>Bytes of slots that are used: whole ones.</summary>
    public static int Used(int size) => Capacity / SlotSize(size) * SlotSize(size);
}
