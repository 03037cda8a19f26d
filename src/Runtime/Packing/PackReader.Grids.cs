namespace BlitQueue;

/// <content>Arrays of several dimensions.</content>
public ref partial struct PackReader
{
    /// <summary>Reads the lengths of an array of several dimensions, and refuses what the bytes left cannot hold.</summary>
    /// <param name="lengths">One for each dimension.</param>
    /// <param name="minimumElementSize">The fewest bytes an element can have, 1 or more.</param>
    /// <exception cref="PackException">Too many elements for the bytes left, or for an array.</exception>
    public void ReadLengths(scoped Span<int> lengths, int minimumElementSize)
    {
        ArgumentOutOfRangeException.ThrowIfLessThan(minimumElementSize, 1);
        var start = _position;
        var isEmpty = false;
        var product = 1L;
        foreach (ref var length in lengths)
        {
            // Zeros are left out of the product: the runtime multiplies the lengths of an empty array too, and must not overflow.
            var declared = ReadRaw<uint>();
            isEmpty |= declared == 0;
            product *= Math.Max(1, declared);
            if (product > Array.MaxLength)
                PackException.ThrowCount(start, product, Remaining);
            length = (int)declared;
        }

        if (!isEmpty && (product * minimumElementSize > Remaining || !TryPromise(product, minimumElementSize)))
            PackException.ThrowCount(start, product, Remaining);
    }
}
