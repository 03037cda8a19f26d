using System.Diagnostics.CodeAnalysis;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;

namespace BlitQueue.Bench.Messages;

/// <summary>64 bytes.</summary>
[InlineArray(Count)]
internal struct Words8 : IWords
{
    private const int Count = 8;
    private long _first;

    [UnscopedRef]
    public Span<byte> Bytes => MemoryMarshal.AsBytes((Span<long>)this);
}
