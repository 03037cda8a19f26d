namespace BlitQueue;

/// <summary>What calls take from, and wait for until there is something: messages, leases, letters.</summary>
/// <typeparam name="TTaken">What they take.</typeparam>
internal interface ITakeable<TTaken>
{
    /// <summary>Takes the next one, if there is one. Never waits.</summary>
    bool TryTake([NotNullWhen(true)] ref TTaken? taken);

    /// <summary>Waits until trying to take is promising, or a moment is over.</summary>
    /// <returns>false, without a wait, where the deadline is over already.</returns>
    /// <exception cref="OperationCanceledException">The token was cancelled.</exception>
    bool Wait(in Deadline deadline, CancellationToken cancellationToken);

    /// <summary>
    /// Waits and tries, until there is one or the deadline is over. Callers have tried once already, and directly: so a call that finds
    /// something does not pay for this interface.
    /// </summary>
    /// <returns>false when the time was over before there was one.</returns>
    sealed bool TryTakeUntil(in Deadline deadline, [NotNullWhen(true)] ref TTaken? taken, CancellationToken cancellationToken)
    {
        while (Wait(deadline, cancellationToken))
        {
            if (TryTake(ref taken))
            {
                return true;
            }
        }
        return false;
    }
}
