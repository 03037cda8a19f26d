namespace BlitQueue.Generator.Model;

/// <summary>How the bytes identify members. The values are those of PackLayout in the attribute.</summary>
internal enum MessageLayout
{
    /// <summary>By their order.</summary>
    Sequential = 0,

    /// <summary>By number.</summary>
    Tolerant = 1,

    /// <summary>By their order; each object is written only once.</summary>
    Circular = 2,
}
