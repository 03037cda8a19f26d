namespace BlitQueue.Log;

/// <summary>
/// The control file: words that every participant maps. All of it can be rebuilt from the segments.
/// <code>
/// offset  size
///      0     8  magic "BLITCTRL"
///      8     8  1 once the file is complete
///     16    16  queue id
///     32    64  boot id of the system that the words belong to, ASCII, zero-filled
///     96    32  identity: device, inode and time of birth (seconds, nanoseconds) of this file; a copy has others; 0 = unknown
///    128    32  lock identity: the same of the lock file by which the processes that use these words see each other; 0 = unknown
///   1024     8  lock owner: who may append (0 = none); low 16 bits participant + 1, next 32 bits its incarnation. Not 0 above them: the
///               lock is biased to that participant, the next 14 bits say for which time, and bit 62 is set once that is revoked (LockWord)
///   1032     8  tail: where the next record goes; written by the holder of the append lock alone
///   1040     8  progress: counts up while the holder of the append lock does work that takes long, so that it is not taken for stopped
///   1152     8  allocated end: how many segments, counted from position 0, appenders may use
///   1160     8  first retained: low 40 bits the index of the first segment that was not given up; above them a count of holds
///   1168     8  subscriptions: twice how often one was made or deleted, and one more while that goes on
///   1176     8  retained bytes: how much of the log stays although every subscription has passed it; 0 = nothing
///   1184     8  retained time, ticks of 100 ns: how long; 0 = not at all
///   1192     8  openings: how often the queue was opened; each time a newer version of the message type may have come
///   1200     8  participants' end: how many entries of the participants' table were ever used
///   1208     8  maintenance owner: who makes or deletes a subscription, as in lock owner, or was the last to; for reports only
///   1216     8  subscription files: 1 + how many subscriptions there are, while none is being made or deleted; 0 = unknown
///   1224     8  capacity: how many bytes of log may wait to be consumed, whichever process enqueues; 0 = no limit
///   1232     8  whether the queue was made with the subscription "default": 1 = with it, 2 = without; 0 = unknown
///   1240     8  first reserved: so many bytes of the first segment have blocks of the disk; appenders write there alone; 0 = all have
///   1280     8  data sleepers: mark and ticket (EventCount) of those who sleep until something is enqueued
///   1408     8  room sleepers: the same for producers that wait for room
///   1536     8  repairs: append locks taken over from the dead
///   1664     8  in a store: not 0 once a store had the queue open; then transactions of the dead may have to be carried out
///   1792     8  append back-off: when those who wait for the append lock look at it (SlottedBackoff); low 32 bits the last slot that was
///               given out, microseconds of the clock that all processes share, and how many slots in a row found the lock idle; high 32
///               bits how often they were woken. Any value is harmless
///   2048     8  durable: the position up to which the log is known to be on the disk; only grows
///   2056     8  durable asked: not 0 once somebody consumes only what is durable, and is to be woken when that grows
///   2176     8  failed: not 0 when a sync has failed; low 32 bits the system's error number, high 32 the process
///   2184     8  failed file: the base position of the segment that could not be synced; -1 = another file; -2 = none: the lock file was
///               lost, and other processes have these words in another file now
///   2304     8  modified: the latest time that a handle gave the files at its end or a flush, Unix seconds; 0 = none
///   2312     8  timed: the segments in front of this index have the time that they got when they were left
///   2432     8  checked: no segment that ends in front of this position need be read by a recovery: it is whole, and was on the disk with
///               its header before this word said so; 0 = unknown
///   2688     8  expired subscriptions: how many were removed because no process had consumed them for too long
///   2816     8  unsettled requeue: the position of the last message that a dead letter has become, while that letter may not be consumed
///               yet; 0 = none; 1 = a recovery, which does not know
///   3072     512  epochs (EpochTable): a counter, how many, then id and start of each, 8 bytes each; at the end the first 8 bytes of the
///               SHA-256 of what is in front. The slot that is whole and has the higher counter counts
///   3584     512  epochs, the other slot
///   4096        participants, 64 bytes each:
///                 0  4  incarnation, counts how often the entry was used
///                 4  4  process id, to tell whether it runs, and for reports
///                 8  8  while it moves a position back: 1 + the first segment that it needs; 0 = none
///                16  8  while it gives a segment its name: 1 + the segment's index; 0 = none
///                32  8  not 0 while it appends by the bias of the append lock
///                40  8  how many times the append lock was biased to it
/// </code>
/// Words that different parties write are 128 bytes apart, because processors fetch lines of 64 bytes in pairs.
/// </summary>
internal static class ControlFormat
{
    public const long Magic = 0x4C52_5443_5449_4C42;
    public const int MagicOffset = 0, CompleteOffset = 8, IdOffset = 16, BootOffset = 32, BootSize = 64;
    public const int IdentityOffset = 96, IdentitySize = 32, LockIdentityOffset = 128;
    public const int LockOwnerOffset = 1024, TailOffset = 1032, ProgressOffset = 1040;
    public const int AllocatedEndOffset = 1152, FirstRetainedOffset = 1160, SubscriptionsOffset = 1168, RetainBytesOffset = 1176,
        RetainTicksOffset = 1184, OpeningsOffset = 1192, ParticipantsEndOffset = 1200, MaintenanceOwnerOffset = 1208,
        SubscriptionFilesOffset = 1216, CapacityOffset = 1224, DefaultMadeOffset = 1232, FirstReservedOffset = 1240;
    public const int DataWakeOffset = 1280, RoomWakeOffset = 1408;
    public const int RepairsOffset = 1536;
    public const int InStoreOffset = 1664;
    public const int AppendBackoffOffset = 1792;
    public const int DurableOffset = 2048, DurableAskedOffset = 2056;
    public const int ModifiedOffset = 2304, TimedOffset = 2312;
    public const int CheckedOffset = 2432;
    public const int ExpiredSubscriptionsOffset = 2688;
    public const int UnsettledRequeueOffset = 2816;
    public const int EpochsOffset = 3072, EpochSlotSize = 512;
    public const int FailedOffset = 2176, FailedFileOffset = 2184;
    public const int ParticipantsOffset = 4096, ParticipantSize = 64, MaximumParticipants = 1024;
    public const int ProcessIdOffset = 4, SeekHoldOffset = 8, NamingHoldOffset = 16, InsideOffset = 32,
        GrantsOffset = 40;

    /// <summary>Words that only the files of shared objects have, which are laid out like this one.</summary>
    public const int AbandonedOffset = 1048, ValueVersionOffset = 2944, ReadersOffset = 24;

    public const int Size = ParticipantsOffset + (ParticipantSize * MaximumParticipants);

    /// <summary>
    /// In the append lock's word: the lock is closed for good, because a sync has failed or the lock file was lost. No participant has this
    /// number.
    /// </summary>
    public const long ClosedLock = 0xFFFF;

    /// <summary>
    /// In the word for the unsettled requeue: some letter may have become a message anywhere in the log. No message is there.
    /// </summary>
    public const long AnyRequeue = 1;

    /// <summary>In the word for the failed file: no sync has failed, but the lock file was lost.</summary>
    public const long LockWasLost = -2;

    /// <summary>In the word for the subscription <c>default</c>: the queue was made with it, or without.</summary>
    public const long MadeWithDefault = 1, MadeWithoutDefault = 2;

    private const int RetainedBits = 40;

    /// <summary>
    /// Each hold adds this to the first retained word: a process that has read the word before can no longer exchange it.
    /// </summary>
    public const long OneHold = 1L << RetainedBits;

    /// <summary>The index of the first segment that was not given up, by the word that decides that.</summary>
    public static long FirstRetainedIndex(long state) => state & (OneHold - 1);

    /// <summary>The word that names the holder of a lock or a lease.</summary>
    public static long OwnerWord(int participant, uint incarnation) => ((long)incarnation << 16) | (uint)(participant + 1);

    public static int ParticipantIndex(long ownerWord) => (int)(ownerWord & 0xFFFF) - 1;

    /// <summary>The word of a failed sync; never 0.</summary>
    public static long FailedWord(int error, int process) => ((long)process << 32) | (uint)error;

    public static int FailedError(long failed) => (int)failed;

    public static int FailedProcess(long failed) => (int)(failed >> 32);

    public static uint Incarnation(long ownerWord) => (uint)(ownerWord >> 16);
}
