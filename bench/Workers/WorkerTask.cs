namespace BlitQueue.Bench.Workers;

/// <summary>What another process is to do.</summary>
/// <param name="Job">What.</param>
/// <param name="Transport">Over which transport.</param>
/// <param name="Root">The directory that all use.</param>
/// <param name="Duration">For how long, where it sends or is a pair.</param>
internal sealed record WorkerTask(WorkerJob Job, string Transport, string Root, TimeSpan Duration = default);

/// <summary>What another process is to do with its end of a transport.</summary>
internal enum WorkerJob
{
    /// <summary>Receive until the end.</summary>
    Receive,

    /// <summary>Answer each message until the end.</summary>
    Answer,

    /// <summary>Take each message's latency until the end.</summary>
    Clock,

    /// <summary>Send, when told to go.</summary>
    Send,

    /// <summary>Pass messages of 64 bytes through a queue on one thread; there is no transport.</summary>
    Pair,

    /// <summary>Take one message, then say how much memory this process has.</summary>
    TellMemory,
}

/// <summary>How much memory a process has.</summary>
/// <param name="Resident">Bytes of it, mapped files included.</param>
internal sealed record MemoryResult(long Resident);
