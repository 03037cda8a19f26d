namespace BlitQueue.Calls;

/// <summary>A handle with open calls, or with clients.</summary>
internal interface IRpcWatched
{
    /// <summary>Asks which of its peers are dead and which deadlines are over, and ends what has to end. Throws nothing.</summary>
    void LookAtPeers();
}
