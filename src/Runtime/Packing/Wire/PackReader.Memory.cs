using BlitQueue.Memory;

namespace BlitQueue;

/// <content>How much may be allocated for the bytes: see <see cref="MemoryLimit"/>.</content>
public ref partial struct PackReader
{
    // Every object that is made has a variable. A check is a call, so only one in so many variables has one.
    private const int VariablesPerLook = 16;

    // An allocation of fewer bytes needs no check of its own.
    private const long WorthALook = 64 * 1024;

    /// <summary>
    /// Reads how many variable elements follow. Refuses a count for which there are too few bytes left, or more memory than the bytes
    /// warrant.
    /// </summary>
    /// <typeparam name="T">The elements' type in memory.</typeparam>
    /// <param name="minimumElementSize">The fewest bytes an element can have, 1 or more. A variable has at least 4.</param>
    /// <param name="growth">How many times its elements' size the collection may have allocated when the last one is in it.</param>
    /// <returns>0 or more; so small that the elements may be allocated.</returns>
    /// <exception cref="PackException">Too many elements for the bytes left.</exception>
    public int ReadCount<T>(int minimumElementSize = MessageFormat.HeaderSize, int growth = 1)
    {
        int count = ReadCount(minimumElementSize);
        ExpectLarge<T>(count, growth);
        Expect<T>(count, growth);
        return count;
    }

    /// <summary>
    /// Counts the elements of fixed size in the rest of the open variable, and refuses more memory for them than the bytes warrant.
    /// </summary>
    /// <typeparam name="T">The elements' type in memory.</typeparam>
    /// <param name="elementSize">Bytes of an element, 1 or more.</param>
    /// <param name="growth">How many times its elements' size the collection may have allocated when the last one is in it.</param>
    /// <returns>0 or more; so small that the elements may be allocated.</returns>
    /// <exception cref="PackException">The bytes are no whole number of elements.</exception>
    [EditorBrowsable(EditorBrowsableState.Never)]
    public int CountElements<T>(int elementSize, int growth = 1)
    {
        int count = CountElements(elementSize);
        Expect<T>(count, growth);
        return count;
    }

    /// <summary>For generated code: counts the elements that are about to be copied into a collection.</summary>
    /// <typeparam name="T">The elements' type in memory.</typeparam>
    /// <param name="count">How many.</param>
    /// <exception cref="PackException">The bytes do not warrant the memory.</exception>
    [EditorBrowsable(EditorBrowsableState.Never)]
    public void CountCopy<T>(int count)
    {
        ExpectLarge<T>(count, growth: 1);
        Expect<T>(count, growth: 1);
    }

    /// <summary>
    /// Reads the lengths of an array of several dimensions. Refuses more elements than the bytes left can contain, or more memory than they
    /// warrant.
    /// </summary>
    /// <typeparam name="T">The elements' type in memory.</typeparam>
    /// <param name="lengths">One for each dimension.</param>
    /// <param name="minimumElementSize">The fewest bytes an element can have, 1 or more.</param>
    /// <exception cref="PackException">Too many elements for the bytes left, or for an array.</exception>
    public void ReadLengths<T>(scoped Span<int> lengths, int minimumElementSize)
    {
        ReadLengths(lengths, minimumElementSize);
        long count = 1L;
        foreach (int length in lengths)
        {
            count *= length;
        }

        ExpectLarge<T>(count, growth: 1);
        Expect<T>(count, growth: 1);
    }

    /// <summary>
    /// Refuses a compressed member whose known memory, with that of those before, is more than the bytes warrant; what is reused counts
    /// too.
    /// </summary>
    private void ExpectKnown(long bytes)
    {
        _known += bytes;
        if (_known > MemoryLimit.Known(_length))
        {
            PackException.ThrowMemory(_position, _known, _length);
        }
    }

    // The JIT knows the size, and removes all of this for small elements.
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private void ExpectLarge<T>(long count, int growth)
    {
        if (MemoryLimit.OfLarge(Blit.SizeOfAny<T>(), 1, growth) > 0)
        {
            ExpectKnown(MemoryLimit.OfLarge(Blit.SizeOfAny<T>(), count, growth));
        }
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private void Expect<T>(long count, int growth) => Expect(MemoryLimit.OfAny(Blit.SizeOfAny<T>(), count, growth));

    /// <summary>Checks an allocation that is about to be made, if it is large enough.</summary>
    private void Expect(long bytes)
    {
        if (bytes > WorthALook)
        {
            Look(bytes);
        }
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private void CountVariable()
    {
        if (--_untilLook < 0)
        {
            Look(wanted: 0);
        }
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private void Look(long wanted)
    {
        _untilLook = VariablesPerLook;
        long allocated = GC.GetAllocatedBytesForCurrentThread();
        if (_allocatedBefore == 0)
        {
            _allocatedBefore = allocated;
        }

        allocated += wanted - _allocatedBefore;
        if (allocated > MemoryLimit.Measured(_length))
        {
            PackException.ThrowMemory(_position, allocated, _length);
        }
    }
}
