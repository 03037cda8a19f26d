namespace BlitQueue.Generator.Model;

/// <summary>How the bytes say which member is which. The values are those of the attribute's PackLayout.</summary>
internal enum MessageLayout
{
    /// <summary>By place.</summary>
    Sequential = 0,

    /// <summary>By number.</summary>
    Tolerant = 1,

    /// <summary>By place, and each object only once.</summary>
    Circular = 2,
}
