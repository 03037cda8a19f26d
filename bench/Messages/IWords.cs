namespace BlitQueue.Bench.Messages;

/// <summary>The same bytes as a message, as a value that in-process rivals copy in and out.</summary>
internal interface IWords
{
    [System.Diagnostics.CodeAnalysis.UnscopedRef]
    Span<byte> Bytes { get; }
}
