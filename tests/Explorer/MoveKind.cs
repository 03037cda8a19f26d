namespace BlitQueue.Explorer;

/// <summary>What the scheduler does.</summary>
internal enum MoveKind : byte
{
    /// <summary>Lets a process do its next access.</summary>
    Step,

    /// <summary>Lets a process's oldest buffered write arrive.</summary>
    Drain,

    /// <summary>Kills a process.</summary>
    Kill,

    /// <summary>Stops a process.</summary>
    Stop,

    /// <summary>Lets a stopped process go on; done when nobody else can.</summary>
    Continue,

    /// <summary>Lets a sleep's time run out; done when nobody can do anything.</summary>
    TimeOut,
}
