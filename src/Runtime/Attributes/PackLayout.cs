namespace BlitQueue;

/// <summary>How a message identifies its members, and what becomes of shared references.</summary>
public enum PackLayout
{
    /// <summary>Members by their place. New members may be appended; nothing else may change.</summary>
    Sequential,

    /// <summary>Members by their <see cref="PackOrderAttribute"/> number. They may be added, removed and reordered.</summary>
    VersionTolerant,

    /// <summary>
    /// As <see cref="Sequential"/>; in addition, an object met twice within one root message is one object after unpacking too.
    /// </summary>
    CircularReference,
}
