namespace BlitQueue.Log;

/// <summary>Tells whether a letter that a dead process was making a message again has become one.</summary>
/// <param name="letter">The letter's cell, in the state <see cref="LeaseState.Requeueing"/>.</param>
/// <param name="ifNot">Called if it has not, while no process can make a letter of these a message; null: nothing is called.</param>
/// <returns>null where the queue does not tell now: nothing was called.</returns>
internal delegate bool? RequeueDecision(in LeaseCell letter, Action? ifNot);
