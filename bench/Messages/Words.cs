using System.Diagnostics.CodeAnalysis;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;

namespace BlitQueue.Bench.Messages;

/// <summary>The same bytes as a message, as a value that in-process rivals copy in and out.</summary>
internal interface IWords
{
    [System.Diagnostics.CodeAnalysis.UnscopedRef]
    Span<byte> Bytes { get; }
}

/// <summary>8 bytes.</summary>
[InlineArray(Count)]
internal struct Words1 : IWords
{
    private const int Count = 1;
    private long _first;

    [UnscopedRef]
    public Span<byte> Bytes => MemoryMarshal.AsBytes((Span<long>)this);
}

/// <summary>64 bytes.</summary>
[InlineArray(Count)]
internal struct Words8 : IWords
{
    private const int Count = 8;
    private long _first;

    [UnscopedRef]
    public Span<byte> Bytes => MemoryMarshal.AsBytes((Span<long>)this);
}

/// <summary>1024 bytes.</summary>
[InlineArray(Count)]
internal struct Words128 : IWords
{
    private const int Count = 128;
    private long _first;

    [UnscopedRef]
    public Span<byte> Bytes => MemoryMarshal.AsBytes((Span<long>)this);
}
