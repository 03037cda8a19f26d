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

    /// <summary>After how many milliseconds it takes a lease from another who lives; 0: never.</summary>
    public int TimeOut { get; init; }

    /// <summary>The process that it is a thread of; 0 where that is not told.</summary>
    public int Process { get; init; }

    /// <summary>What its queue does when its capacity is used up; null where it has none.</summary>
    public string? Room { get; init; }

    /// <summary>When it was stopped, and went on; or when it was killed, and gone.</summary>
    public List<Times> Harms { get; } = [];

    public bool WasKilled { get; set; }

    public bool HasEnded { get; set; }
}
