namespace BlitQueue;

/// <summary>What had become of a call when the disk refused.</summary>
public enum FailureOutcome
{
    /// <summary>It is not known.</summary>
    Unknown,

    /// <summary>Nothing was enqueued or committed: the call may be made again, or its messages be kept elsewhere.</summary>
    NothingDone,

    /// <summary>All of it is enqueued or committed, and visible; a power loss may take it. It is not to be done again.</summary>
    Committed,
}
