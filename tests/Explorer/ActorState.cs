namespace BlitQueue.Explorer;

/// <summary>How a process is.</summary>
internal enum ActorState : byte
{
    /// <summary>It goes on as soon as the scheduler lets it.</summary>
    Ready,

    /// <summary>It sleeps in the kernel.</summary>
    Asleep,

    /// <summary>It was stopped, and lives.</summary>
    Stopped,

    /// <summary>It was killed.</summary>
    Dead,

    /// <summary>It is through.</summary>
    Done,
}
