using System.Globalization;
using BlitQueue.Log;

namespace BlitQueue.Explorer;

/// <summary>The words by the names that docs/FORMAT.md has for them.</summary>
internal static class WordNames
{
    public static string OfControl(long offset) => offset switch
    {
        ControlFormat.LockOwnerOffset => "append lock",
        ControlFormat.TailOffset => "tail",
        ControlFormat.AbandonedOffset => "abandoned",
        ControlFormat.ValueVersionOffset => "value version",
        >= QueueBench.SharedDataOffset and < QueueBench.SharedDataOffset + 64 => string.Create(
            CultureInfo.InvariantCulture, $"value {(offset - QueueBench.SharedDataOffset) / 8}"),
        ControlFormat.DataWakeOffset => "data sleepers",
        ControlFormat.RoomWakeOffset => "room sleepers",
        ControlFormat.RepairsOffset => "repairs",
        ControlFormat.DurableOffset => "durable",
        ControlFormat.DurableAskedOffset => "durable asked",
        ControlFormat.FailedOffset => "failed",
        ControlFormat.FailedFileOffset => "failed file",
        ControlFormat.AllocatedEndOffset => "allocated end",
        ControlFormat.FirstRetainedOffset => "first retained",
        ControlFormat.RepairsOffset + 8 => "slot",
        > ControlFormat.RepairsOffset and < ControlFormat.InStoreOffset => string.Create(
            CultureInfo.InvariantCulture, $"file {((offset - ControlFormat.RepairsOffset) / 8) - 2}"),
        >= ControlFormat.ParticipantsOffset when (offset - ControlFormat.ParticipantsOffset) % ControlFormat.ParticipantSize
            == ControlFormat.ReadersOffset => string.Create(CultureInfo.InvariantCulture,
            $"readers {(offset - ControlFormat.ParticipantsOffset) / ControlFormat.ParticipantSize}"),
        >= ControlFormat.ParticipantsOffset when (offset - ControlFormat.ParticipantsOffset) % ControlFormat.ParticipantSize
            == ControlFormat.InsideOffset => string.Create(CultureInfo.InvariantCulture,
            $"inside {(offset - ControlFormat.ParticipantsOffset) / ControlFormat.ParticipantSize}"),
        >= ControlFormat.ParticipantsOffset when (offset - ControlFormat.ParticipantsOffset) % ControlFormat.ParticipantSize
            == ControlFormat.GrantsOffset => string.Create(CultureInfo.InvariantCulture,
            $"grants {(offset - ControlFormat.ParticipantsOffset) / ControlFormat.ParticipantSize}"),
        >= ControlFormat.ParticipantsOffset when (offset - ControlFormat.ParticipantsOffset) % ControlFormat.ParticipantSize is var part
            and (ControlFormat.SeekHoldOffset or ControlFormat.NamingHoldOffset) => string.Create(CultureInfo.InvariantCulture,
            $"hold {(offset - ControlFormat.ParticipantsOffset) / ControlFormat.ParticipantSize}."
                + $"{(part == ControlFormat.SeekHoldOffset ? "seek" : "naming")}"),
        _ => string.Create(CultureInfo.InvariantCulture, $"control {offset}"),
    };

    public static string OfSubscription(long offset)
    {
        long cell = ((offset - SubscriptionFormat.CellsOffset) / SubscriptionFormat.CellSize) + 1;
        return offset switch
        {
            SubscriptionFormat.NextOffset => "next",
            SubscriptionFormat.LeasesOffset => "leases",
            SubscriptionFormat.ReturnedOffset => "returned",
            SubscriptionFormat.DurableLeasesOffset => "settled",
            >= SubscriptionFormat.CellsOffset and < SubscriptionFormat.ConsumersOffset => string.Create(
                CultureInfo.InvariantCulture,
                $"cell {cell}.{CellPart((int)((offset - SubscriptionFormat.CellsOffset) % SubscriptionFormat.CellSize))}"),
            _ => string.Create(CultureInfo.InvariantCulture, $"subscription {offset}"),
        };
    }

    public static string OfLog(long position) => string.Create(CultureInfo.InvariantCulture, $"log {position}");

    private static string CellPart(int offset) => offset switch
    {
        0 => "message",
        SubscriptionFormat.CellOwnerOffset => "owner",
        SubscriptionFormat.CellTargetOffset => "target",
        _ => "delivery",
    };
}
