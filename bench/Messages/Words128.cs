using System.Diagnostics.CodeAnalysis;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;

namespace BlitQueue.Bench.Messages;

/// <summary>1024 bytes.</summary>
[InlineArray(Count)]
internal struct Words128 : IWords
{
    private const int Count = 128;
    private long _first;

    [UnscopedRef]
    public Span<byte> Bytes => MemoryMarshal.AsBytes((Span<long>)this);
}
