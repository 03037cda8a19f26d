namespace BlitQueue;

/// <summary>What a call had done when the disk refused.</summary>
public enum FailureOutcome
{
    /// <summary>It is not known.</summary>
    Unknown,

    /// <summary>Nothing was enqueued or committed: the caller may repeat the call, or store the messages elsewhere.</summary>
    NothingDone,

    /// <summary>
    /// All of it is enqueued or committed, and visible, but may be lost when the power fails. The caller must not repeat it.
    /// </summary>
    Committed,
}
