namespace BlitQueue.Checker;

/// <summary>One process that worked: what it did, and what became of it.</summary>
/// <param name="log">The file's name.</param>
public sealed class CrewMember(string log)
{
    public string Log => log;

    /// <summary>Its number as a producer; -1 when it enqueues nothing.</summary>
    public int Producer { get; init; } = -1;

    /// <summary>How many messages it may enqueue in one step.</summary>
    public int[] Operations { get; init; } = [];

    /// <summary>All its steps are batches of this many; 0 when they are not.</summary>
    public int Batch { get; init; }

    /// <summary>The subscription that it consumes from; null when it consumes nothing that is judged.</summary>
    public string? Group { get; init; }

    /// <summary>How many messages it may have consumed, and not said so, when it is killed.</summary>
    public int InHand { get; init; }

    /// <summary>It takes messages without consuming them at once, so that they come again when it is killed.</summary>
    public bool TakesLeases { get; init; }

    /// <summary>What it enqueues comes to this subscription alone; null where it comes to all.</summary>
    public string? Only { get; init; }

    public bool WasKilled { get; set; }

    public bool HasEnded { get; set; }
}
