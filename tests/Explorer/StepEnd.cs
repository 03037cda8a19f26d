namespace BlitQueue.Explorer;

/// <summary>Leads out of the protocol's code where a run is over: what it would see next is not known yet.</summary>
internal sealed class StepEnd : Exception
{
    public static readonly StepEnd Instance = new();
}
