using System.Diagnostics.CodeAnalysis;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;

namespace BlitQueue.Bench.Messages;

/// <summary>8 bytes.</summary>
[InlineArray(Count)]
internal struct Words1 : IWords
{
    private const int Count = 1;
    private long _first;

    [UnscopedRef]
    public Span<byte> Bytes => MemoryMarshal.AsBytes((Span<long>)this);
}
