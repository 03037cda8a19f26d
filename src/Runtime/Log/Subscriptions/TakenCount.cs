namespace BlitQueue.Log;

/// <summary>How far a subscription has taken messages, and what became of those that it took and did not commit.</summary>
/// <param name="Next">The position of the first message that is to be taken next.</param>
/// <param name="Returned">How many messages were given back and wait to be taken again.</param>
/// <param name="InFlight">How many messages a consumer has.</param>
internal readonly record struct TakenCount(long Next, int Returned, int InFlight)
{
    /// <summary>With so many more.</summary>
    public TakenCount With(int returned, int inFlight) => new(Next, Returned + returned, InFlight + inFlight);
}
