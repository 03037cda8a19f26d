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

    /// <summary>Slots of large messages.</summary>
    public const int Nodes = 20;

    // 4 MiB stay in the cache that the two processors share.
    private const int Capacity = 4 << 20, Large = 64 << 10;

    public static long FileSize(int size) => SlotsOffset + Used(size);

    public static int SlotSize(int size) => HeaderSize + ((size + 7) & ~7);

    /// <summary>Bytes of slots that are used: whole ones.</summary>
    public static int Used(int size) => (size < Large ? Capacity / SlotSize(size) : Nodes) * SlotSize(size);
}
