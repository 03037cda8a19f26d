namespace BlitQueue.Reliability.Power;

/// <summary>What one subscription was given, and what it consumed.</summary>
internal sealed class SubscriptionLedger
{
    /// <summary>The place in the log of the first message that it gets.</summary>
    public required int Start { get; init; }

    /// <summary>The event by which it was there for certain.</summary>
    public required int Made { get; init; }

    /// <summary>The last event before it was deleted.</summary>
    public int Deleted { get; set; } = int.MaxValue;

    /// <summary>The last event before each message's consumption began.</summary>
    public Dictionary<long, int> Consumed { get; } = [];

    /// <summary>The event by which each message's consumption was durable.</summary>
    public Dictionary<long, int> ConsumedDurably { get; } = [];

    /// <summary>The last event before each message was handed out for the first time, consumed or not.</summary>
    public Dictionary<long, int> HandedOut { get; } = [];

    /// <summary>The messages that were set aside, and whose letters are on the disk before the messages are gone.</summary>
    public HashSet<long> Buried { get; } = [];

    public void HandOut(long number, int now) => HandedOut.TryAdd(number, now);

    public void Consume(long number, int now)
    {
        HandedOut.TryAdd(number, now);
        Consumed.TryAdd(number, now);
    }
}
