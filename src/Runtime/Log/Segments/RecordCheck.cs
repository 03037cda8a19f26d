using System.Runtime.CompilerServices;

namespace BlitQueue.Log;

/// <summary>
/// What stands in the check field of one queue's records: over the payload where the queue has checksums on, else without.
/// </summary>
internal readonly struct RecordCheck(QueueMeta meta)
{
    private readonly ulong _salt = meta.Salt;
    private readonly bool _withPayload = meta.Checksum;

    /// <summary>The header of a record with this payload.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public long Header(RecordKind kind, long position, ReadOnlySpan<byte> payload) => _withPayload
        ? HeaderOver(_salt, kind, position, payload)
        : RecordFormat.Header(kind, payload.Length, Checksum.Stamp(_salt, position, kind, payload.Length));

    /// <summary>The header of a record whose payload is in its place.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public long Header(RecordKind kind, long position, int length, Segment segment) => _withPayload
        ? HeaderOver(_salt, kind, position, segment.Payload(position, length))
        : RecordFormat.Header(kind, length, Checksum.Stamp(_salt, position, kind, length));

    /// <summary>Whether a header's check fits its payload.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public bool Fits(long header, long position, ReadOnlySpan<byte> payload) =>
        RecordFormat.Check(header) == Of(RecordFormat.Kind(header), position, payload);

    /// <summary>The header of a gap or a hole of so many bytes behind it, whatever they are.</summary>
    public long EmptyHeader(RecordKind kind, long position, int length)
        => RecordFormat.Header(kind, length, Checksum.Stamp(_salt, position, kind, length));

    /// <summary>Whether a header is that of a gap or a hole.</summary>
    public bool FitsEmpty(long header, long position) => RecordFormat.Kind(header).IsEmpty()
        && header == EmptyHeader(RecordFormat.Kind(header), position, RecordFormat.Length(header));

    // Static, so that nobody's copy of this struct needs an address.
    [MethodImpl(MethodImplOptions.NoInlining)]
    private static long HeaderOver(ulong salt, RecordKind kind, long position, ReadOnlySpan<byte> payload) =>
        RecordFormat.Header(kind, payload.Length, Checksum.Compute(salt, position, kind, payload));

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private uint Of(RecordKind kind, long position, ReadOnlySpan<byte> payload) => _withPayload
        ? Checksum.Compute(_salt, position, kind, payload)
        : Checksum.Stamp(_salt, position, kind, payload.Length);
}
