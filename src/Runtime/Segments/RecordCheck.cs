using System.Runtime.CompilerServices;

namespace BlitQueue.Segments;

/// <summary>What stands in the check field of one queue's records: over the payload where the queue has checksums on, else without.</summary>
internal readonly struct RecordCheck(QueueMeta meta)
{
    private readonly ulong _salt = meta.Salt;
    private readonly bool _withPayload = meta.Checksum;

    /// <summary>The header of a record with this payload.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public long Header(RecordKind kind, long position, ReadOnlySpan<byte> payload) =>
        RecordFormat.Header(kind, payload.Length, Of(kind, position, payload));

    /// <summary>Whether a header's check fits its payload.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public bool Fits(long header, long position, ReadOnlySpan<byte> payload) =>
        RecordFormat.Check(header) == Of(RecordFormat.Kind(header), position, payload);

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private uint Of(RecordKind kind, long position, ReadOnlySpan<byte> payload) => _withPayload
        ? Checksum.Compute(_salt, position, kind, payload)
        : Checksum.Stamp(_salt, position, kind, payload.Length);
}
