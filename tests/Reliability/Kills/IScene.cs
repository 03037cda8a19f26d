namespace BlitQueue.Reliability.Kills;

/// <summary>What stands in a round's directory, who works there, and how it is emptied at the end.</summary>
internal interface IScene
{
    /// <summary>One job for each worker; who dies is followed by another with the same job.</summary>
    IReadOnlyList<Job> Jobs { get; }

    /// <summary>A queue that the campaign itself may enqueue to all the time; null where the workers are to be alone.</summary>
    MappedQueue<Parcel>? OpenProbed();

    /// <summary>Takes all that is left, so that the checker sees where each message went.</summary>
    void Empty(Trial trial);
}
