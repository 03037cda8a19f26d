namespace BlitQueue.Bench.Links;

/// <summary>The sending end of a link. Structs implement it, so that the loops are compiled for each.</summary>
internal interface ISender : IDisposable
{
    /// <summary>Sends one message, visible to the other end when this returns.</summary>
    void Send(long number);
}
