using BlitQueue.Memory;
using BlitQueue.Platform;
using Microsoft.Win32.SafeHandles;

namespace BlitQueue.Log;

/// <summary>The mapped control file: each of its words has a property here.</summary>
internal sealed class ControlFile(MappedRegion region) : IDisposable
{
    private readonly SharedWord<long> _appendLock = region.SharedWord(ControlFormat.LockOwnerOffset);
    private readonly SharedWord<long> _tail = region.SharedWord(ControlFormat.TailOffset);

    public ref long LockOwner => ref _appendLock.Value;

    public ref long Tail => ref _tail.Value;

    /// <summary><see cref="LockOwner"/>, for callers that store the word.</summary>
    public SharedWord<long> LockOwnerWord => _appendLock;

    /// <summary><see cref="Tail"/>, for callers that store the word.</summary>
    public SharedWord<long> TailWord => _tail;

    public ref long Progress => ref region.Word(ControlFormat.ProgressOffset);

    public ref long AllocatedEnd => ref region.Word(ControlFormat.AllocatedEndOffset);

    /// <summary>
    /// Says which segments were given up, and counts the holds. While the queue is in use only atomic operations change it.
    /// </summary>
    public ref long FirstRetainedState => ref region.Word(ControlFormat.FirstRetainedOffset);

    /// <summary>The index of the first segment that was not given up.</summary>
    public long FirstRetained => ControlFormat.FirstRetainedIndex(MachineMemory.Load(ref FirstRetainedState));

    public ref long ParticipantsEnd => ref region.Word(ControlFormat.ParticipantsEndOffset);

    public ref long MaintenanceOwner => ref region.Word(ControlFormat.MaintenanceOwnerOffset);

    public ref long Subscriptions => ref region.Word(ControlFormat.SubscriptionsOffset);

    /// <summary>1 + the number of subscriptions; 0 where it is not known.</summary>
    public ref long SubscriptionFiles => ref region.Word(ControlFormat.SubscriptionFilesOffset);

    public ref long RetainBytes => ref region.Word(ControlFormat.RetainBytesOffset);

    public ref long RetainTicks => ref region.Word(ControlFormat.RetainTicksOffset);

    /// <summary>How many bytes of log may wait to be consumed; 0 for no limit.</summary>
    public ref long Capacity => ref region.Word(ControlFormat.CapacityOffset);

    /// <summary>Whether the queue was made with the subscription <c>default</c>; 0 where that is unknown.</summary>
    public ref long DefaultMade => ref region.Word(ControlFormat.DefaultMadeOffset);

    /// <summary>How many bytes of the first segment's file have blocks of the disk; 0 where all have.</summary>
    public ref long FirstReserved => ref region.Word(ControlFormat.FirstReservedOffset);

    /// <summary>Takes over what the queue's users have set, from another control file of it; what cannot be is left out.</summary>
    public void TakeSettings(ControlFile from) => (RetainBytes, RetainTicks, Capacity, DefaultMade) =
        (Math.Max(0, from.RetainBytes), Math.Max(0, from.RetainTicks), Math.Max(0, from.Capacity),
            from.DefaultMade is ControlFormat.MadeWithDefault or ControlFormat.MadeWithoutDefault ? from.DefaultMade : 0);

    public ref long Openings => ref region.Word(ControlFormat.OpeningsOffset);

    public ref long Repairs => ref region.Word(ControlFormat.RepairsOffset);

    public ref long InStore => ref region.Word(ControlFormat.InStoreOffset);

    public ref long Durable => ref region.Word(ControlFormat.DurableOffset);

    public ref long DurableAsked => ref region.Word(ControlFormat.DurableAskedOffset);

    /// <summary>A recovery need not read the whole segments before this position. Only a recovery lowers it.</summary>
    public ref long Checked => ref region.Word(ControlFormat.CheckedOffset);

    /// <summary>
    /// Whether the words were written in the file at this path, and not in a file that it is a copy of. Callers ask while no process has
    /// the file open. Where the system gives files no identity, the boot id alone decides.
    /// </summary>
    public bool IsOriginal(string path) => CurrentPlatform.Instance.IdentityOf(path) is not { } identity
        || IdentityBytes.SequenceEqual(identity);

    /// <summary>
    /// The same, for callers that ask while others may have the file open: processes that reach one file through different mounts may see
    /// it on different devices. A file of an older version has no identity, and counts as an original.
    /// </summary>
    public bool MayBeOriginal(string path)
        => CurrentPlatform.Instance.IdentityOf(path) is not { } identity || !IdentityBytes.ContainsAnyExcept((byte)0)
        || IdentityBytes[sizeof(long)..].SequenceEqual(identity.AsSpan(sizeof(long)));

    /// <summary>Whether processes wrote the words in this very file since the system was started.</summary>
    public bool IsAsLeft(string path) => BootId == CurrentPlatform.Instance.BootId && MayBeOriginal(path);

    /// <summary>Notes the identity of the file at this path: from now on the words count in it, and in no copy.</summary>
    public void NoteIdentity(string path) => CurrentPlatform.Instance.IdentityOf(path)?.CopyTo(IdentityBytes);

    /// <summary>
    /// Whether the processes that use the words see each other by this open lock file. True also where no identity is noted yet, as an
    /// earlier version leaves it.
    /// </summary>
    public bool UsesLock(SafeFileHandle locks) => CurrentPlatform.Instance.IdentityOf(locks) is not { } identity
        || !LockIdentityBytes.ContainsAnyExcept((byte)0)
        || LockIdentityBytes[sizeof(long)..].SequenceEqual(identity.AsSpan(sizeof(long)));

    /// <summary>Notes that the processes which use the words see each other by this open lock file.</summary>
    public void NoteLock(SafeFileHandle locks) => CurrentPlatform.Instance.IdentityOf(locks)?.CopyTo(LockIdentityBytes);

    /// <summary>A slot of the <see cref="EpochTable"/>, 0 or 1.</summary>
    public Span<byte> EpochSlot(int slot) =>
        region.Bytes(ControlFormat.EpochsOffset + (slot * ControlFormat.EpochSlotSize), ControlFormat.EpochSlotSize);

    private Span<byte> LockIdentityBytes => region.Bytes(ControlFormat.LockIdentityOffset, ControlFormat.IdentitySize);

    private Span<byte> IdentityBytes => region.Bytes(ControlFormat.IdentityOffset, ControlFormat.IdentitySize);

    public ref long ExpiredSubscriptions => ref region.Word(ControlFormat.ExpiredSubscriptionsOffset);

    public ref long Modified => ref region.Word(ControlFormat.ModifiedOffset);

    public ref long Timed => ref region.Word(ControlFormat.TimedOffset);

    public ref long Failed => ref region.Word(ControlFormat.FailedOffset);

    public ref long FailedFile => ref region.Word(ControlFormat.FailedFileOffset);

    /// <summary>
    /// The position of the last message that a dead letter has become, while the letter may not be consumed yet; 0 = none; <see
    /// cref="ControlFormat.AnyRequeue"/> = unknown which.
    /// </summary>
    public ref long UnsettledRequeue => ref region.Word(ControlFormat.UnsettledRequeueOffset);

    public ref long AppendBackoffWord => ref region.Word(ControlFormat.AppendBackoffOffset);

    /// <summary>Of those who wait for the append lock.</summary>
    public SlottedBackoff AppendBackoff => field ??= new SlottedBackoff(
        region.SharedWord(ControlFormat.AppendBackoffOffset), () => AppendHolder<MachineMemory>() == 0,
        region.SharedWord(ControlFormat.TailOffset));

    public EventCount Data { get; } = new(region, ControlFormat.DataWakeOffset);

    public EventCount Room { get; } = new(region, ControlFormat.RoomWakeOffset);

    public ref int Incarnation(int participant) => ref region.Word32(ParticipantOffset(participant));

    /// <summary>The first segment, counted from 1, that a participant holds for one of the two reasons; 0 where it holds none.</summary>
    public SharedWord<long> HoldWord(int participant, int offset) => region.SharedWord(ParticipantOffset(participant) + offset);

    /// <summary>Not 0 while the participant appends by the bias of the append lock.</summary>
    public SharedWord<long> InsideWord(int participant) =>
        region.SharedWord(ParticipantOffset(participant) + ControlFormat.InsideOffset);

    /// <summary>How many times the append lock was biased to the participant.</summary>
    public SharedWord<long> GrantsWord(int participant) =>
        region.SharedWord(ParticipantOffset(participant) + ControlFormat.GrantsOffset);

    /// <summary>
    /// Whether the participant that the append lock is biased to, by this word, is not inside. If the bias is revoked and the caller has
    /// fenced since, it does not enter any more.
    /// </summary>
    /// <returns>
    /// false also where the participant is dead and another one has its index, because nothing says what it left; and where it was given
    /// another bias, or none: then the word is damaged.
    /// </returns>
    public bool IsOutside<TMem>(long word) where TMem : struct, ISharedMemory
    {
        long owner = LockWord.OwnerOf(word);
        int index = ControlFormat.ParticipantIndex(owner);
        // The incarnation last: a participant writes its own first, then it clears the words of the one before it.
        return (uint)index < ControlFormat.MaximumParticipants && TMem.Load(ref InsideWord(index).Value) == 0
            && LockWord.GrantOf(word) is > 0 and var grant && TMem.Load(ref GrantsWord(index).Value) == grant
            && Participant.IsKnown<TMem>(this, owner);
    }

    /// <summary>The owner word of the participant that holds the append lock; 0 while it is free, or biased and not held.</summary>
    public long AppendHolder<TMem>() where TMem : struct, ISharedMemory
    {
        // SYNC POINT append lock: acquires the tail if no participant holds it.
        long word = TMem.Load(ref LockOwner);
        return !LockWord.IsBiased(word) ? word : IsOutside<TMem>(word) ? 0 : LockWord.OwnerOf(word);
    }

    /// <summary>In the file of a shared object: how many times a participant reads under its lock. No queue uses the word.</summary>
    public ref long ReadersWord(int participant) => ref region.Word(ParticipantOffset(participant) + ControlFormat.ReadersOffset);

    /// <summary>In the file of a shared object: the word beside <see cref="LockOwner"/> that says whether a holder died.</summary>
    public ref long Abandoned => ref region.Word(ControlFormat.AbandonedOffset);

    public ref int ProcessId(int participant) => ref region.Word32(ParticipantOffset(participant) + ControlFormat.ProcessIdOffset);

    /// <summary>Raises a word that only grows to a value, unless another has raised it further.</summary>
    /// <returns>Whether this call raised it.</returns>
    public static bool Raise<TMem>(ref long word, long value) where TMem : struct, ISharedMemory
    {
        for (long now = TMem.Load(ref word); now < value; now = TMem.Load(ref word))
        {
            if (TMem.CompareExchange(ref word, value, now) == now)
            {
                return true;
            }
        }
        return false;
    }

    /// <summary>Whether the file is complete and belongs to the queue with this id.</summary>
    public bool Belongs(Guid id) =>
        region.Word(ControlFormat.MagicOffset) == ControlFormat.Magic
        && region.Word(ControlFormat.CompleteOffset) == 1
        && new Guid(region.Bytes(ControlFormat.IdOffset, 16)) == id;

    /// <summary>The boot id of the system in which the words were written; empty when an opening must rebuild them.</summary>
    public string BootId
    {
        get => Encoding.ASCII.GetString(BootIdBytes).TrimEnd('\0');
        set
        {
            BootIdBytes.Clear();
            Encoding.ASCII.TryGetBytes(value, BootIdBytes, out _);
        }
    }

    private Span<byte> BootIdBytes => region.Bytes(ControlFormat.BootOffset, ControlFormat.BootSize);

    /// <summary>Syncs all words to the disk.</summary>
    /// <exception cref="IOException">The disk refused.</exception>
    public void Sync() => region.Sync(0, region.Length);

    public void Dispose() => region.Dispose();

    private static long ParticipantOffset(int participant) =>
        ControlFormat.ParticipantsOffset + ((long)participant * ControlFormat.ParticipantSize);
}
