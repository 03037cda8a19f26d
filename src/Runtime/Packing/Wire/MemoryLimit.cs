namespace BlitQueue;

/// <summary>How much memory the bytes of a message warrant: 64 MiB, or 100 times their number where that is more.</summary>
/// <remarks>
/// Two lower limits make sure of it. The memory that is <em>known</em> from counts and lengths before anything is allocated is the same for
/// packing and for unpacking, so packing refuses it already. The memory that is <em>measured</em> is all that a thread allocates while it
/// unpacks, including what constructors and collections take. Between two checks a thread allocates little, and elements of a few bytes are
/// not checked one by one: that is the difference between these limits and the total.
/// </remarks>
internal static class MemoryLimit
{
    private const long LeastKnown = 48L << 20;
    private const int KnownPerByte = 80;
    private const long LeastMeasured = 58L << 20;
    private const int MeasuredPerByte = 90;

    /// <summary>Elements above this size count as known memory, because they are larger in memory than their fewest packed bytes.</summary>
    private const int LargeElement = 64;

    /// <summary>The memory that an element takes in any collection beside its own: nodes, hash codes, links.</summary>
    private const int PerElement = 64;

    /// <summary>The most that a message's large elements and compressed members may take together.</summary>
    public static long Known(int bytes) => Math.Max(LeastKnown, (long)KnownPerByte * bytes);

    /// <summary>The most that a thread may allocate for a message, by its own count.</summary>
    public static long Measured(int bytes) => Math.Max(LeastMeasured, (long)MeasuredPerByte * bytes);

    /// <summary>The known memory of elements that may be packed as a null mark; 0 for small ones.</summary>
    /// <param name="size">An element's size in memory.</param>
    /// <param name="count">How many there are.</param>
    /// <param name="growth">How many times its elements' size a collection may have allocated when the last one is in it.</param>
    public static long OfLarge(int size, long count, int growth) => size > LargeElement ? count * size * growth : 0;

    /// <summary>The most memory that a collection of such elements takes.</summary>
    public static long OfAny(int size, long count, int growth) => count * (((long)size * growth) + PerElement);
}
