namespace BlitQueue;

/// <summary>An open handle of a queue: who has it open, and what it consumes.</summary>
/// <param name="Index">Its number among the participants, from 0.</param>
/// <param name="ProcessId">Its process, as that process sees its own id.</param>
/// <param name="Consumes">The subscriptions from which it consumes, or to which it has subscribed, by name.</param>
/// <param name="IsAppending">Whether it had the append lock.</param>
internal sealed record QueuePeer(int Index, int ProcessId, IReadOnlyList<string> Consumes, bool IsAppending);
