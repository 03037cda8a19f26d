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
        >= ControlFormat.ParticipantsOffset when OfParticipant(offset - ControlFormat.ParticipantsOffset) is { } name => name,
        _ => string.Create(CultureInfo.InvariantCulture, $"control {offset}"),
    };

    private static string? OfParticipant(long offset)
    {
        long index = Math.DivRem(offset, ControlFormat.ParticipantSize, out long part);
        return part switch
        {
            ControlFormat.ReadersOffset => string.Create(CultureInfo.InvariantCulture, $"readers {index}"),
            ControlFormat.InsideOffset => string.Create(CultureInfo.InvariantCulture, $"inside {index}"),
            ControlFormat.GrantsOffset => string.Create(CultureInfo.InvariantCulture, $"grants {index}"),
            ControlFormat.SeekHoldOffset => string.Create(CultureInfo.InvariantCulture, $"hold {index}.seek"),
            ControlFormat.NamingHoldOffset => string.Create(CultureInfo.InvariantCulture, $"hold {index}.naming"),
            _ => null,
        };
    }

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
