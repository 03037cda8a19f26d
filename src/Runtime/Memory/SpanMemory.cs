namespace BlitQueue.Memory;

/// <summary>A <see cref="Memory{T}"/> over a mapping, which does not move.</summary>
/// <param name="length">How many values there are.</param>
/// <param name="span">Gives them; throws when they are gone.</param>
internal sealed unsafe class SpanMemory<T>(int length, SpanMemory<T>.Source span) : MemoryManager<T>
    where T : unmanaged
{
    /// <summary>Gives the values.</summary>
    public delegate Span<T> Source();

    public override Memory<T> Memory => CreateMemory(length);

    public override Span<T> GetSpan() => span();

    public override MemoryHandle Pin(int elementIndex = 0) =>
        new(Unsafe.AsPointer(ref MemoryMarshal.GetReference(span()[elementIndex..])));

    public override void Unpin()
    {
    }

    protected override void Dispose(bool disposing)
    {
    }
}
