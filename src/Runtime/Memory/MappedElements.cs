namespace BlitQueue.Memory;

/// <summary>
/// Values in a mapping, reached as those of an array are. Each access compares its index with the length and nothing else, so the owner
/// calls <see cref="End"/> when no more accesses are wanted, and leaves memory at the address (<see cref="MappedRegion.Detach"/>).
/// </summary>
/// <typeparam name="T">Values without references.</typeparam>
internal unsafe struct MappedElements<T>
    where T : unmanaged
{
    private readonly T* _first;
    private int _length;

    internal MappedElements(T* first, int length)
    {
        Debug.Assert(((nint)first & 63) == 0, "Elements begin at a cache line, so that one of 8 bytes is read and written in one piece.");
        _first = first;
        _length = length;
    }

    /// <summary>0 after <see cref="End"/>.</summary>
    public readonly int Length => _length;

    public readonly Span<T> Span => new(_first, _length);

    /// <summary>The first element, or where it would be.</summary>
    public readonly ref T First => ref *_first;

    /// <summary>Whether there is an element with this index.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public readonly bool Has(int index) => (uint)index < (uint)_length;

    /// <summary>The element with this index, beside the first. The caller has asked <see cref="Has"/>.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static ref T At(ref T first, int index) => ref Unsafe.Add(ref first, (nint)(uint)index);

    /// <summary>From now on there are no elements.</summary>
    public void End() => Volatile.Write(ref _length, 0);
}
