namespace BlitQueue.Bench.Measuring;

/// <summary>
/// Something that a message goes into and comes out of on one thread. Structs implement it, so that the loop is compiled for each.
/// </summary>
internal interface IPair : IDisposable
{
    /// <summary>Passes a message through.</summary>
    /// <returns>The number of what came out.</returns>
    /// <exception cref="InvalidDataException">What came out is not whole.</exception>
    long Pass(long number);
}
