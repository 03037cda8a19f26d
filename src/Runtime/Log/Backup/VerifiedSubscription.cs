namespace BlitQueue;

/// <summary>Where a subscription stood when its queue was verified.</summary>
/// <param name="Queue">The queue's directory, absolute.</param>
/// <param name="Name">The subscription's name.</param>
/// <param name="Next">The message that it comes to next.</param>
/// <param name="Waiting">Whole messages from there to the log's end.</param>
/// <param name="Held">Messages in front of it that are leased, given back or being set aside.</param>
public sealed record VerifiedSubscription(string Queue, string Name, QueuePosition Next, long Waiting, long Held);
