namespace BlitQueue.Log;

/// <summary>The names in a queue's directory, and the format's version. docs/FORMAT.md describes every byte.</summary>
/// <remarks>
/// <code>
/// queue.meta                 text: version, id, segment size, checksum, schema; anew when a newer message type adds members
/// queue.lock                 byte locks: opening, subscriptions, segment making, one byte per participant
/// queue.control              mapped: append lock, tail, wake words, participants
/// segment-0000000000000000   mapped: records; named by the position of the first byte, 16 hexadecimal digits
/// subscription-default       mapped: next position, leases
/// reasons-default            why messages of that subscription were given back
/// dead-default               a directory: the queue of what that subscription set aside
/// queue.repair               a repair was begun
/// damaged-20260102T030405678 a directory: what a repair set aside
/// *.new                      being made; not part of the queue
/// </code>
/// </remarks>
internal static class StoreFormat
{
    /// <summary>The version that this library writes, and the newest that it reads.</summary>
    public const int Version = 1;

    /// <summary>The advice for damage, in texts of exceptions.</summary>
    public const string Remedy = "MappedQueue.Repair(path), run when no process has the queue open, goes on with every message that is "
        + "whole, and deletes nothing (docs/repair.md).";

    public const string MetaName = "queue.meta";
    public const string LockName = "queue.lock";
    public const string ControlName = "queue.control";
    /// <summary>A file that exists while a repair has begun and has not ended.</summary>
    public const string RepairName = "queue.repair";

    /// <summary>
    /// What <see cref="MetaName"/> is called from when a deletion begins until it ends, on a system that cannot rename the directory.
    /// </summary>
    public const string DeletedName = "queue.deleted";

    /// <summary>Directories with the files that a repair set aside, named by its time.</summary>
    public const string AsidePrefix = "damaged-";

    public const string SegmentPrefix = "segment-";
    public const string SubscriptionPrefix = "subscription-";
    public const string ReasonsPrefix = "reasons-";
    public const string DeadLettersPrefix = "dead-";
    public const string UnfinishedSuffix = ".new";
    private const int OwnerDigits = 16;

    /// <summary>The byte of the lock file that a process holds while it opens the queue.</summary>
    public const long OpeningLockByte = 0;

    /// <summary>Where the lock file says, behind the file's mark, which process holds that byte and how far it is.</summary>
    public const long OpeningWords = 16;

    /// <summary>The byte that a process holds while it makes or deletes a subscription.</summary>
    public const long MaintenanceLockByte = 1;

    /// <summary>
    /// The byte that a process holds while it makes a segment, so that others need not make the same. Nothing relies on it.
    /// </summary>
    public const long MakingLock = 2;

    /// <summary>The byte of participant 0; the others follow.</summary>
    public const long FirstParticipantLock = 64;

    public static string SegmentName(long basePosition) => $"{SegmentPrefix}{basePosition:x16}";

    /// <summary>Whether the queue's own file of this name and length may have parts without blocks: a large first segment.</summary>
    public static bool IsReservedInSteps(string name, long length) => length > SegmentFormat.LargestAtOnce && name == SegmentName(0);

    /// <summary>
    /// The name of a file that is to become a segment: the maker's owner word, and a number that tells the maker's files apart.
    /// </summary>
    public static string UnfinishedSegmentName(long owner, long number) => $"{SegmentPrefix}{owner:x16}-{number:x}{UnfinishedSuffix}";

    /// <summary>A name for a deleted file that is still there because a process has it mapped; an opening deletes it.</summary>
    public static string AsideName() => $"{SegmentPrefix}aside-{Guid.NewGuid():N}{UnfinishedSuffix}";

    /// <summary>The owner word of the participant that makes the segment of this unfinished name; 0 if the name has none.</summary>
    public static long OwnerOfUnfinished(string name) =>
        name.Length > SegmentPrefix.Length + OwnerDigits && name[SegmentPrefix.Length + OwnerDigits] == '-'
        && long.TryParse(
            name.AsSpan(SegmentPrefix.Length, OwnerDigits), NumberStyles.AllowHexSpecifier, CultureInfo.InvariantCulture, out long owner)
                ? owner
                : 0;

    /// <summary>The base position in a segment's name; false for any other name, an unfinished segment's too.</summary>
    public static bool TryParseSegment(string name, out long basePosition)
    {
        basePosition = 0;
        return name.StartsWith(SegmentPrefix, StringComparison.Ordinal)
            && long.TryParse(
                name.AsSpan(SegmentPrefix.Length), NumberStyles.AllowHexSpecifier, CultureInfo.InvariantCulture, out basePosition)
            && SegmentName(basePosition) == name;
    }

    public static string SubscriptionName(string name) => SubscriptionPrefix + name;

    /// <summary>The name of the file that says why a subscription's messages were given back.</summary>
    public static string ReasonsName(string subscription) => ReasonsPrefix + subscription;

    public static string DeadLettersName(string subscription) => DeadLettersPrefix + subscription;

    /// <summary>Whether a file of this name is the queue's own.</summary>
    public static bool IsOurs(string name) =>
        name is MetaName or LockName or ControlName or RepairName or DeletedName
        || name.StartsWith(SegmentPrefix, StringComparison.Ordinal)
        || name.StartsWith(SubscriptionPrefix, StringComparison.Ordinal)
        || name.StartsWith(ReasonsPrefix, StringComparison.Ordinal)
        || (name.EndsWith(UnfinishedSuffix, StringComparison.Ordinal) && IsOurs(name[..^UnfinishedSuffix.Length]));

    /// <summary>Whether a directory of this name within a queue is the queue's own.</summary>
    public static bool IsOurDirectory(string name) =>
        name.StartsWith(DeadLettersPrefix, StringComparison.Ordinal) || name.StartsWith(AsidePrefix, StringComparison.Ordinal);
}
