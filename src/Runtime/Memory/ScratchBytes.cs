using BlitQueue.Platform;

namespace BlitQueue.Memory;

/// <summary>
/// Bytes to work in, which <see cref="IDisposable.Dispose"/> gives back. Up to <see cref="LargestPooled"/> they are an array of the shared
/// pool. More bytes are memory of their own, which the system gets back seconds later (<see cref="ReusedScratch"/>): the pool would retain
/// the memory of one large message for as long as the process runs.
/// </summary>
internal sealed unsafe class ScratchBytes : MemoryManager<byte>
{
    /// <summary>The largest array that is taken from the pool if the system has memory that grows, bytes.</summary>
    public const int LargestPooled = 1 << 20;

    private GrowingMemory? _own;
    private byte[]? _pooled;

    private ScratchBytes(byte[] pooled) => (_pooled, Length) = (pooled, pooled.Length);

    private ScratchBytes(GrowingMemory own, int length) => (_own, Length) = (own, length);

    /// <summary>How many bytes there are.</summary>
    public int Length { get; private set; }

    /// <summary>Whether <see cref="TryGrow"/> can make them more.</summary>
    public bool Grows => _own is not null;

    /// <summary>At least so many bytes, with any content.</summary>
    public static ScratchBytes Rent(int length)
    {
        GrowingMemory? own = length > LargestPooled ? ReusedScratch.Take(length) : null;
        return own is null ? new ScratchBytes(ArrayPool<byte>.Shared.Rent(length)) : new ScratchBytes(own, length);
    }

    /// <summary>A copy of these bytes, at the beginning.</summary>
    public static ScratchBytes Of(ReadOnlySpan<byte> bytes)
    {
        ScratchBytes copy = Rent(bytes.Length);
        bytes.CopyTo(copy.GetSpan());
        return copy;
    }

    /// <summary>Makes them more in place: spans of them stay valid.</summary>
    /// <returns>false if they cannot grow.</returns>
    public bool TryGrow(int length)
    {
        if (length > Length)
        {
            if (_own?.TryGrow(length) != true)
            {
                return false;
            }
            Length = length;
        }
        return true;
    }

    public override Span<byte> GetSpan() => _own is null ? _pooled : new Span<byte>((void*)_own.Address, Length);

    public override MemoryHandle Pin(int elementIndex = 0) =>
        _own is null ? _pooled.AsMemory(elementIndex).Pin() : new MemoryHandle((byte*)_own.Address + elementIndex);

    public override void Unpin()
    {
    }

    protected override void Dispose(bool disposing)
    {
        if (_own is not null)
        {
            ReusedScratch.GiveBack(_own);
        }
        if (_pooled is not null)
        {
            ArrayPool<byte>.Shared.Return(_pooled);
        }
        (_own, _pooled, Length) = (null, null, 0);
    }
}
