namespace BlitQueue.Log;

/// <summary>
/// A subscription's file: its next position and its leases.
/// <code>
/// offset  size
///      0     8  magic "BLITSUBS"
///      8    16  queue id
///    128     8  next: position of the next message (high 53 bits, in units of 8 bytes) and the lease cell that took the one
///               before (low 11 bits, 0 = none: it was taken and committed in one step)
///    136     8  leases: not 0 once a lease was ever taken, the subscription was exclusive, or a store had the queue open
///    144     8  returned: not 0 if a message in a cell may have been given back: 1 = one may be taken now, otherwise from when on
///               the first of them may, milliseconds since the system's start
///    152     8  dropped: how many messages producers dropped to make room
///    160     8  exclusive: the only consumer, as in the control file's lock owner; 0 = not exclusive
///    168     8  settled: not 0 once a lease was taken: what was leased before this position is in the cells on the disk, if it still is
///               leased; low 3 bits and high 9 a count of seeks
///    176     8  boot: the first 8 bytes of SHA-256 of the boot id of the system that the words belong to; set with settled
///    192     8  expired: how many messages were not delivered because their time was over
///    200     8  ephemeral: 1 = it is removed with its last consumer; 0 = it stays
///    208     8  expires after: for so long, in ticks of 100 ns, it stays without a consumer; 0 = for ever
///    216     8  idle: since when no process consumes, as far as any has noticed, UTC ticks; 0 = some process does, or unknown
///    224     8  the same in milliseconds of the system whose boot the next word names; written before idle
///    232     8  as boot
///   4096        lease cells 1 to 2047, 32 bytes each, cell n at 4096 + 32 * (n - 1):
///                 0  8  message: its position, the state in the low 3 bits, a tag in the high 9
///                 8  8  owner: as in the control file's lock owner, in the high 16 bits a tag; it holds the cell where the tags are the
///                       same, is about to take it where the owner's is one more, and counts for nothing otherwise
///                16  8  delivery: when it was delivered last, or, once given back, from when on it may be again (low 40 bits,
///                       milliseconds since the system's start; 0 of a lease: it has lasted for too long); how often it was delivered
///                       (15 bits); the tag of that time (9 bits)
///                24  8  target: where the message stands that a letter becomes, or the record in front that announces it; counts in the
///                       state of requeueing alone
///  69632        who uses it, 4 bytes for each participant: the incarnation in which it last looked for messages here; with the highest bit
///               set: in which it has subscribed, and was not asked for any message yet
/// </code>
/// </summary>
internal static class SubscriptionFormat
{
    public const long Magic = 0x5342_5553_5449_4C42;
    public const int MagicOffset = 0, IdOffset = 8, NextOffset = 128, LeasesOffset = 136, ReturnedOffset = 144, DroppedOffset = 152,
        ExclusiveOffset = 160, DurableLeasesOffset = 168, BootOffset = 176, ExpiredOffset = 192, EphemeralOffset = 200,
        ExpiresAfterOffset = 208, IdleOffset = 216, IdleMillisecondsOffset = 224, IdleBootOffset = 232;
    public const int CellsOffset = 4096, CellSize = 32, Cells = 2047;
    public const int CellOwnerOffset = 8, CellDeliveryOffset = 16, CellTargetOffset = 24;
    public const int ConsumersOffset = CellsOffset + (CellSize * (Cells + 1));
    public const int Size = ConsumersOffset + (sizeof(int) * ControlFormat.MaximumParticipants);

    /// <summary>The next position of a deleted subscription: the compare-exchange of every process that has it mapped fails.</summary>
    public const long GonePosition = (1L << 55) - 8;

    /// <summary>Set in a participant's word while it has subscribed and does not consume yet.</summary>
    public const uint SeatedMark = 1u << 31;

    /// <summary>Deliveries are counted up to this number.</summary>
    public const int MostAttempts = (1 << 15) - 1;

    private const int CellBits = 11, TagShift = 55, OwnerTagShift = 48, AttemptShift = 40, TagMask = 511;
    private const long StateMask = 7, PositionMask = (1L << TagShift) - 8, TimeMask = (1L << AttemptShift) - 1;

    public static long NextWord(long position, int cell) => (position << (CellBits - 3)) | (uint)cell;

    public static long Position(long nextWord) => (long)((ulong)nextWord >> CellBits) << 3;

    public static int Cell(long nextWord) => (int)(nextWord & Cells);

    public static long MessageWord(long position, LeaseState state, int tag) => position | (long)state | ((long)tag << TagShift);

    public static long MessagePosition(long messageWord) => messageWord & PositionMask;

    public static LeaseState State(long messageWord) => (LeaseState)(messageWord & StateMask);

    /// <summary>The same message, tag and all, in another state.</summary>
    public static long InState(long messageWord, LeaseState state) => (messageWord & ~StateMask) | (long)state;

    /// <summary>
    /// The same message without a holder. The tag goes two steps on, so that the owner word matches neither the holder nor a consumer that
    /// was about to take the message. If the message was becoming a dead letter, the state still says so.
    /// </summary>
    public static long Forfeited(long messageWord) => MessageWord(
        MessagePosition(messageWord),
        State(messageWord) == LeaseState.DeadLettering ? LeaseState.DeadLettering : LeaseState.Returned,
        TagAfter(Tag(messageWord), 2));

    /// <summary>No message; the tag stays, so that the cell's next message gets another one.</summary>
    public static long Freed(long messageWord) => messageWord & ~(PositionMask | StateMask);

    /// <summary>The tag of a message's word, or of a delivery's.</summary>
    public static int Tag(long word) => (int)((ulong)word >> TagShift);

    /// <summary>The tag so many steps after another; tags wrap around.</summary>
    public static int TagAfter(int tag, int count) => (tag + count) & TagMask;

    public static long CellOwnerWord(long participant, int tag) => participant | ((long)tag << OwnerTagShift);

    /// <summary>The participant's word in an owner word, without the tag.</summary>
    public static long NameOf(long ownerWord) => ownerWord & ((1L << OwnerTagShift) - 1);

    public static int OwnerTag(long ownerWord) => (int)((ulong)ownerWord >> OwnerTagShift);

    public static long DeliveryWord(long time, int attempt, int tag) =>
        Math.Clamp(time, 0, TimeMask) | ((long)Math.Clamp(attempt, 0, MostAttempts) << AttemptShift) | ((long)tag << TagShift);

    /// <summary>Instead of the time of a delivery: a consumer has decided that the lease has lasted for too long.</summary>
    public const long Overdue = 0;

    /// <summary>Instead of a time: given back, to be delivered again at once.</summary>
    public const long AtOnce = TimeMask;

    public static long Time(long deliveryWord) => deliveryWord & TimeMask;

    public static int Attempt(long deliveryWord) => (int)(deliveryWord >> AttemptShift) & MostAttempts;
}
