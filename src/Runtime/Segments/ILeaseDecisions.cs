namespace BlitQueue.Segments;

/// <summary>What says whether the messages that dead consumers had marked for a transaction are consumed.</summary>
internal interface ILeaseDecisions
{
    /// <summary>Whether a committed transaction consumes the message of a cell.</summary>
    bool Consumes(string subscription, int cell, long message);
}
