namespace BlitQueue.Bench.Measuring;

/// <summary>What a row is for.</summary>
internal enum Role
{
    /// <summary>A queue.</summary>
    Queue,

    /// <summary>What somebody might use instead; ratios are given against one of them, the <see cref="Peer"/>.</summary>
    Rival,

    /// <summary>The rival that ratios are given against.</summary>
    Peer,

    /// <summary>What the hardware allows; ratios are given against it.</summary>
    Floor,
}
