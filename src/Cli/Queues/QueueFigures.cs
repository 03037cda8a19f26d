using BlitQueue.Cli.Output;

namespace BlitQueue.Cli.Queues;

/// <summary>How a queue stood at one look, and how many messages per second it has had since the look before.</summary>
internal sealed class QueueFigures
{
    /// <summary>The queue's directory, absolute.</summary>
    public required string Path { get; init; }

    /// <summary>What it is called below the directory that was given.</summary>
    public required string Name { get; init; }

    /// <summary>Why it cannot be read; null if it was read, and then all other figures are there.</summary>
    public Exception? Fault { get; init; }

    /// <summary>What is wrong with it, for people; null if nothing is known to be.</summary>
    public string? Problem => Fault is not null ? Guarded.TextOf(Fault) : Status!.IsFailed ? StatusJson.FailedText(Path) : null;

    /// <summary>The same object for as long as the directory has the same queue.</summary>
    public QueueLook? Look { get; init; }

    public QueueStatus? Status { get; init; }

    public QueueDetails? Details { get; init; }

    /// <summary>The position of the next message of each subscription, by its name.</summary>
    public Dictionary<string, long> Positions { get; init; } = [];

    /// <summary>Messages per second that were enqueued; null at the first look.</summary>
    public double? Into { get; init; }

    /// <summary>Messages per second that each subscription took, by its name.</summary>
    public Dictionary<string, double> From { get; init; } = [];
}
