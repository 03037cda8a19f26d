namespace BlitQueue;

/// <summary>A subscription's state when its queue was verified.</summary>
/// <param name="Queue">The queue's directory, absolute.</param>
/// <param name="Name">The subscription's name.</param>
/// <param name="Next">The position of its next message.</param>
/// <param name="Waiting">How many undamaged messages there are from there to the log's end.</param>
/// <param name="Held">How many messages in front of it are leased, given back or becoming dead letters.</param>
public sealed record VerifiedSubscription(string Queue, string Name, QueuePosition Next, long Waiting, long Held);
