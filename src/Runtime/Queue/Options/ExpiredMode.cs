namespace BlitQueue;

/// <summary>What a consumer does with a message whose time to live is over. It is never delivered.</summary>
public enum ExpiredMode
{
    /// <summary>It is consumed, unseen.</summary>
    Drop,

    /// <summary>It becomes a dead letter of the subscription.</summary>
    DeadLetter,
}
