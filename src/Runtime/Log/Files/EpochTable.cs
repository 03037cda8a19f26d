using System.Security.Cryptography;
using BlitQueue.Memory;

namespace BlitQueue.Log;

/// <summary>
/// The epochs of a log, in its control file: which begins where. Written by a recovery or repair alone, while no process has the queue
/// open; so they stay as they are for as long as one has.
/// </summary>
/// <remarks>
/// Two slots have the same table, each with a check, which is <see cref="Unfinished"/> while the slot is written. They are written one
/// after the other, first the one that does not count: where a kill tears one, the other one is whole. Where a recovery is killed between
/// the two, the older table names all messages as well, because nothing was appended since. So a damaged slot costs nothing as long as the
/// other one is whole.
/// </remarks>
internal static class EpochTable
{
    private const int Slots = 2, CounterOffset = 0, CountOffset = 8, EntriesOffset = 16, EntrySize = 16;
    private const int CheckOffset = ControlFormat.EpochSlotSize - sizeof(long);

    // Instead of a check.
    private const long Unfinished = -1;

    /// <summary>
    /// The most that a slot has room for. One more makes the two oldest one, by the name of the later: no message ever had that name and a
    /// position from before.
    /// </summary>
    public const int Most = (CheckOffset - EntriesOffset) / EntrySize;

    // From the time when the queue was made.
    private static readonly QueueEpoch First = new(0, new QueuePosition(0));

    /// <summary>All epochs, oldest first; the first one begins at 0.</summary>
    public static List<QueueEpoch> Read(ControlFile control)
    {
        List<QueueEpoch> epochs = [];
        if (Newest(control) is { } slot)
        {
            ReadOnlySpan<byte> bytes = control.EpochSlot(slot);
            for (int i = 0; i < CountIn(bytes); i++)
            {
                ReadOnlySpan<byte> entry = bytes.Slice(EntriesOffset + (i * EntrySize), EntrySize);
                epochs.Add(new QueueEpoch(
                    BinaryPrimitives.ReadInt64LittleEndian(entry),
                    new QueuePosition(BinaryPrimitives.ReadInt64LittleEndian(entry[sizeof(long)..]))));
            }
        }
        // What was before the oldest that is left has no messages any more.
        return epochs is [var oldest, .. var later] ? [oldest with { Start = First.Start }, .. later] : [First];
    }

    /// <summary>Begins one, at the end that a recovery has found. Those that no message is left of are forgotten.</summary>
    /// <param name="control">The control file; the caller syncs it before anything is appended.</param>
    /// <param name="first">The first position of the log.</param>
    /// <param name="end">Where the log goes on.</param>
    /// <param name="sync">Brings the file to the disk, so that no loss of power meets both slots; null: none can.</param>
    public static void Begin(ControlFile control, long first, long end, Action? sync = null)
    {
        List<QueueEpoch> epochs = Known(control);
        epochs.RemoveAll(one => one.Start.Value >= end && one.Start.Value > 0);
        epochs.Add(new QueueEpoch(NewId(), new QueuePosition(end)));
        while (epochs.Count > 1 && epochs[1].Start.Value <= first)
        {
            epochs.RemoveAt(0);
        }
        while (epochs.Count > Most)
        {
            epochs[1] = epochs[1] with { Start = epochs[0].Start };
            epochs.RemoveAt(0);
        }
        Write(control, epochs, sync);
    }

    /// <summary>The offset of a damaged slot in the control file; null where none is.</summary>
    public static long? DamagedAt(ControlFile control)
    {
        for (int slot = 0; slot < Slots; slot++)
        {
            ReadOnlySpan<byte> bytes = control.EpochSlot(slot);
            if (!IsWhole(bytes) && (IsWritten(bytes) ? !MayBeUnfinished(control, slot) : IsMissing(control.EpochSlot(1 - slot))))
            {
                return ControlFormat.EpochsOffset + (slot * ControlFormat.EpochSlotSize);
            }
        }
        return null;
    }

    // The second slot is written when the first one is whole. So without that one, it is all that is left of a table.
    private static bool MayBeUnfinished(ControlFile control, int slot) =>
        CheckIn(control.EpochSlot(slot)) == Unfinished && (slot == 0 || IsWhole(control.EpochSlot(0)));

    // Whether a slot without a byte should have some: the other one was not the very first that was written.
    private static bool IsMissing(ReadOnlySpan<byte> other) => IsWhole(other) && CounterIn(other) > 1;

    /// <summary>Whether the table is damaged, and no slot of it is whole.</summary>
    public static bool IsLost(ControlFile control) => Newest(control) is null && DamagedAt(control) is not null;

    /// <summary>Whether they are lost, with the table or with a control file that was made anew since.</summary>
    public static bool AreUnknown(ControlFile control) =>
        IsLost(control) || (Newest(control) is null && control.BootId.Length == 0);

    // All; a new one where they are not known: by the names of other epochs, messages would have the names of others.
    private static List<QueueEpoch> Known(ControlFile control) =>
        AreUnknown(control) ? [new QueueEpoch(NewId(), First.Start)] : Read(control);

    private static bool IsWritten(ReadOnlySpan<byte> slot) => slot.ContainsAnyExcept((byte)0);

    /// <summary>Takes them over into a control file that was made for the same log, or for a copy.</summary>
    public static void Copy(ControlFile from, ControlFile to) => Write(to, Known(from), sync: null);

    private static long NewId()
    {
        long id;
        do
        {
            id = BinaryPrimitives.ReadInt64LittleEndian(RandomNumberGenerator.GetBytes(sizeof(long)));
        }
        while (id == First.Id);
        return id;
    }

    // Where neither slot is whole, a damaged one is written last: it says that the table is lost, until there is another one.
    private static void Write(ControlFile control, List<QueueEpoch> epochs, Action? sync)
    {
        int? newest = Newest(control);
        int first = newest is { } slot ? 1 - slot : DamagedAt(control) == ControlFormat.EpochsOffset ? 1 : 0;
        long counter = newest is { } counting ? CounterIn(control.EpochSlot(counting)) : 0;
        Write(control.EpochSlot(first), counter + 1, epochs);
        sync?.Invoke();
        Write(control.EpochSlot(1 - first), counter + 2, epochs);
    }

    private static void Write(Span<byte> slot, long counter, List<QueueEpoch> epochs)
    {
        Debug.Assert(epochs.Count is > 0 and <= Most, "More would go over the check, and the table be lost.");
        BinaryPrimitives.WriteInt64LittleEndian(slot[CheckOffset..], Unfinished);
        slot[..CheckOffset].Clear();
        BinaryPrimitives.WriteInt64LittleEndian(slot[CounterOffset..], counter);
        BinaryPrimitives.WriteInt64LittleEndian(slot[CountOffset..], epochs.Count);
        for (int i = 0; i < epochs.Count; i++)
        {
            Span<byte> entry = slot.Slice(EntriesOffset + (i * EntrySize), EntrySize);
            BinaryPrimitives.WriteInt64LittleEndian(entry, epochs[i].Id);
            BinaryPrimitives.WriteInt64LittleEndian(entry[sizeof(long)..], epochs[i].Start.Value);
        }
        FailPoint.Reach(ProtocolStep.RecoveryEpochWritten);
        // Last: until it is there the other slot counts.
        BinaryPrimitives.WriteInt64LittleEndian(slot[CheckOffset..], CheckOf(slot));
    }

    private static int? Newest(ControlFile control)
    {
        int? newest = null;
        for (int slot = 0; slot < Slots; slot++)
        {
            ReadOnlySpan<byte> bytes = control.EpochSlot(slot);
            if (IsWhole(bytes) && (newest is not { } other || CounterIn(bytes) > CounterIn(control.EpochSlot(other))))
            {
                newest = slot;
            }
        }
        return newest;
    }

    private static bool IsWhole(ReadOnlySpan<byte> slot) =>
        CounterIn(slot) > 0 && CountIn(slot) is > 0 and <= Most && CheckIn(slot) == CheckOf(slot);

    private static long CheckIn(ReadOnlySpan<byte> slot) => BinaryPrimitives.ReadInt64LittleEndian(slot[CheckOffset..]);

    private static long CounterIn(ReadOnlySpan<byte> slot) => BinaryPrimitives.ReadInt64LittleEndian(slot[CounterOffset..]);

    private static long CountIn(ReadOnlySpan<byte> slot) => BinaryPrimitives.ReadInt64LittleEndian(slot[CountOffset..]);

    // Against torn writes, not against people.
    private static long CheckOf(ReadOnlySpan<byte> slot) =>
        BinaryPrimitives.ReadInt64LittleEndian(SHA256.HashData(slot[..CheckOffset]));
}
