namespace BlitQueue.Log;

/// <summary>A lease: a message that a participant holds without having consumed it.</summary>
/// <param name="Cell">The lease cell, 1 or more.</param>
/// <param name="Message">The cell's message word while the lease is valid: no other lease of the cell has the same.</param>
/// <param name="Attempt">How often the message was delivered, this time included.</param>
/// <param name="WasBeingDeadLettered">
/// Whether the previous holder died while it made the message a dead letter, so that it may be among the dead letters already.
/// </param>
/// <param name="Due">When the message, which was given back before, was to be delivered; milliseconds since the system's start.</param>
/// <param name="HasProperties">
/// Whether the message may have properties: known for one from the log, assumed for one that was taken over.
/// </param>
internal readonly record struct LeaseToken(
    int Cell, long Message, int Attempt, bool WasBeingDeadLettered = false, long Due = 0, bool HasProperties = false)
{
    /// <summary>The message's position.</summary>
    public long Position => SubscriptionFormat.MessagePosition(Message);

    public int Tag => SubscriptionFormat.Tag(Message);
}
