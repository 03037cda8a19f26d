namespace BlitQueue.Segments;

/// <summary>A message that a participant holds without having consumed it.</summary>
/// <param name="Cell">The lease cell, 1 or more.</param>
/// <param name="Position">The message's position.</param>
/// <param name="Attempt">How often it was delivered, this time included.</param>
/// <param name="WasBeingBuried">Its holder before died while it set the message aside: it may be among the dead letters already.</param>
internal readonly record struct HeldLease(int Cell, long Position, int Attempt, bool WasBeingBuried = false);
