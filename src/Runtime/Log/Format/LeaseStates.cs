namespace BlitQueue.Log;

/// <summary>What a lease cell's states have in common.</summary>
internal static class LeaseStates
{
    /// <summary>
    /// Whether a consumer has the message in a cell, or is just ending its lease: the message is neither free nor consumed.
    /// </summary>
    public static bool IsInFlight(this LeaseState state) =>
        state is LeaseState.Leased or LeaseState.DeadLettering or LeaseState.Committing or LeaseState.GivingBack or LeaseState.Requeueing;
}
