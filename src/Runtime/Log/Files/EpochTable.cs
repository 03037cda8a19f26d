using System.Security.Cryptography;
using BlitQueue.Memory;

namespace BlitQueue.Log;

/// <summary>
/// The epochs of a log, in its control file: which begins where. Written by a recovery or repair alone, while no process has the queue
/// open; so they stay as they are for as long as one has.
/// </summary>
/// <remarks>
/// Two slots are written in turn, each with a check that is 0 while the slot is written: where a kill tears one, the other one is whole. A
/// slot with a check that is wrong was damaged later. It may have been the newer one, so the other one counts no more either.
/// </remarks>
internal static class EpochTable
{
    private const int Slots = 2, CounterOffset = 0, CountOffset = 8, EntriesOffset = 16, EntrySize = 16;
    private const int CheckOffset = ControlFormat.EpochSlotSize - sizeof(long);

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
        return epochs is [{ Start.Value: 0 }, ..] ? epochs : [First, .. epochs];
    }

    /// <summary>Begins one, at the end that a recovery has found. Those that no message is left of are forgotten.</summary>
    /// <param name="control">The control file; the caller syncs it before anything is appended.</param>
    /// <param name="first">The first position of the log.</param>
    /// <param name="end">Where the log goes on.</param>
    public static void Begin(ControlFile control, long first, long end)
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
        Write(control, epochs);
    }

    /// <summary>The offset of a damaged slot in the control file; null where none is.</summary>
    public static long? DamagedAt(ControlFile control)
    {
        for (int slot = 0; slot < Slots; slot++)
        {
            ReadOnlySpan<byte> bytes = control.EpochSlot(slot);
            if (!IsWhole(bytes) && CheckIn(bytes) != 0)
            {
                return ControlFormat.EpochsOffset + (slot * ControlFormat.EpochSlotSize);
            }
        }
        return null;
    }

    // All; a new one where they are not known: by the names of other epochs, messages would have the names of others.
    private static List<QueueEpoch> Known(ControlFile control) => IsLost(control) ? [new QueueEpoch(NewId(), First.Start)] : Read(control);

    // The file was made anew, without the table of the one before, or its table is damaged.
    private static bool IsLost(ControlFile control) => DamagedAt(control) is not null
        || (Newest(control) is null
            && (control.BootId.Length == 0 || IsWritten(control.EpochSlot(0)) || IsWritten(control.EpochSlot(1))));

    private static bool IsWritten(ReadOnlySpan<byte> slot) => slot.ContainsAnyExcept((byte)0);

    /// <summary>Takes them over into a control file that was made for the same log, or for a copy.</summary>
    public static void Copy(ControlFile from, ControlFile to) => Write(to, Known(from));

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

    private static void Write(ControlFile control, List<QueueEpoch> epochs)
    {
        int? newest = Newest(control);
        long counter = newest is { } slot ? CounterIn(control.EpochSlot(slot)) + 1 : 1;
        Span<byte> bytes = control.EpochSlot((int)(counter % Slots));
        // First: a slot without a check was being written.
        BinaryPrimitives.WriteInt64LittleEndian(bytes[CheckOffset..], 0);
        bytes.Clear();
        BinaryPrimitives.WriteInt64LittleEndian(bytes[CounterOffset..], counter);
        BinaryPrimitives.WriteInt64LittleEndian(bytes[CountOffset..], epochs.Count);
        for (int i = 0; i < epochs.Count; i++)
        {
            Span<byte> entry = bytes.Slice(EntriesOffset + (i * EntrySize), EntrySize);
            BinaryPrimitives.WriteInt64LittleEndian(entry, epochs[i].Id);
            BinaryPrimitives.WriteInt64LittleEndian(entry[sizeof(long)..], epochs[i].Start.Value);
        }
        FailPoint.Reach(ProtocolStep.RecoveryEpochWritten);
        // Last: until it is there the other slot counts.
        BinaryPrimitives.WriteInt64LittleEndian(bytes[CheckOffset..], CheckOf(bytes));
        // What was damaged has no meaning any more.
        if (DamagedAt(control) is not null)
        {
            control.EpochSlot((int)((counter + 1) % Slots)).Clear();
        }
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
