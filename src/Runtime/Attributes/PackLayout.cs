namespace BlitQueue;

/// <summary>How packed bytes identify a message's members, and whether shared references stay shared.</summary>
public enum PackLayout
{
    /// <summary>Members by their order. New members may be appended; nothing else may change.</summary>
    Sequential,

    /// <summary>Members by their <see cref="PackOrderAttribute"/> number. They may be added, removed and reordered.</summary>
    VersionTolerant,

    /// <summary>
    /// As <see cref="Sequential"/>; in addition, an object that one root message refers to twice is one object after unpacking, too.
    /// </summary>
    CircularReference,
}
