namespace BlitQueue.Generator.Parse;

/// <summary>What the packed layout's 16-bit counts allow.</summary>
internal static class Limits
{
    /// <summary>The most bytes of a fixed block, and the most variables of a message: 65535 is left to the null mark.</summary>
    public const int MaxPart = 65534;

    /// <summary>The highest number of a tolerant message's member, which is a variable's index.</summary>
    public const int MaxNumber = MaxPart - 1;
}
