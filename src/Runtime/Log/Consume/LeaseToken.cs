namespace BlitQueue.Log;

/// <summary>A message that a participant holds without having consumed it.</summary>
/// <param name="Cell">The lease cell, 1 or more.</param>
/// <param name="Message">The cell's message word while the lease stands: no other lease of the cell has the same.</param>
/// <param name="Attempt">How often it was delivered, this time included.</param>
/// <param name="WasBeingDeadLettered">
/// Its holder before died while it set the message aside: it may be among the dead letters already.
/// </param>
/// <param name="Due">From when on the message, given back before, was to be delivered; milliseconds since the system's start.</param>
/// <param name="HasProperties">Whether it has properties; told only where it comes for the first time.</param>
internal readonly record struct LeaseToken(
    int Cell, long Message, int Attempt, bool WasBeingDeadLettered = false, long Due = 0, bool HasProperties = false)
{
    /// <summary>The message's position.</summary>
    public long Position => SubscriptionFormat.MessagePosition(Message);

    public int Tag => SubscriptionFormat.Tag(Message);
}
