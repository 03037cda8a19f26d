using System.Runtime.Intrinsics.X86;

namespace BlitQueue.Log;

/// <summary>
/// The 32-bit check of one queue's records; it covers the payload if the queue has checksums on. It mixes in the record's position and the
/// queue's id, so that bytes of another position, of an earlier use of the file or of another queue are not taken for a record.
/// </summary>
/// <remarks>
/// 16 bytes a step: two words, each mixed with a constant, are multiplied to 128 bits and folded. Two independent lanes keep the
/// multiplier busy. CRC32C in one stream takes three cycles per 8 bytes, which for 64 bytes is as long as the append itself.
/// It finds damage; it does not withstand forgery.
/// </remarks>
internal readonly struct RecordCheck(ulong salt, bool coversPayload)
{
    private const ulong K0 = 0x9E37_79B9_7F4A_7C15, K1 = 0xC2B2_AE3D_27D4_EB4F, K2 = 0x1656_67B1_9E37_79F9, K3 = 0xA076_1D64_78BD_642F;

    /// <summary>Whether the queue has checksums on.</summary>
    public bool CoversPayload { get; } = coversPayload;

    private readonly ulong _salt = salt;

    /// <summary>The header of a record with this payload.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public long Header(RecordKind kind, long position, ReadOnlySpan<byte> payload) => CoversPayload
        ? HeaderOver(_salt, kind, position, payload)
        : RecordFormat.Header(kind, payload.Length, Stamp(_salt, position, kind, payload.Length));

    /// <summary>
    /// The header of a record of this length whose payload is not covered: a gap or a hole, or any record if <see cref="CoversPayload"/> is
    /// false.
    /// </summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public long Header(RecordKind kind, long position, int length)
        => RecordFormat.Header(kind, length, Stamp(_salt, position, kind, length));

    /// <summary>Whether a header's check fits its payload.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public bool Fits(long header, long position, ReadOnlySpan<byte> payload) =>
        RecordFormat.Check(header) == Of(RecordFormat.Kind(header), position, payload);

    /// <summary>Whether a header is that of a gap or a hole.</summary>
    public bool FitsEmpty(long header, long position) => RecordFormat.Kind(header).IsEmpty()
        && header == Header(RecordFormat.Kind(header), position, RecordFormat.Length(header));

    // Static, so that no copy of this struct needs an address.
    [MethodImpl(MethodImplOptions.NoInlining)]
    private static long HeaderOver(ulong salt, RecordKind kind, long position, ReadOnlySpan<byte> payload) =>
        RecordFormat.Header(kind, payload.Length, Compute(salt, position, kind, payload));

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private uint Of(RecordKind kind, long position, ReadOnlySpan<byte> payload) => CoversPayload
        ? Compute(_salt, position, kind, payload)
        : Stamp(_salt, position, kind, payload.Length);

    /// <summary>The check of a record whose payload is not covered: position, kind, length and queue alone.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static uint Stamp(ulong salt, long position, RecordKind kind, int length)
    {
        ulong seed = Seed(salt, position, kind, length);
        return (uint)(seed ^ (seed >> 32));
    }

    /// <summary>The check of a record with its payload.</summary>
    public static uint Compute(ulong salt, long position, RecordKind kind, ReadOnlySpan<byte> payload)
    {
        ulong a = Seed(salt, position, kind, payload.Length);
        ulong b = a ^ K3;
        while (payload.Length >= 32)
        {
            a = Fold(Word(payload, 0) ^ K0, Word(payload, 8) ^ a);
            b = Fold(Word(payload, 16) ^ K1, Word(payload, 24) ^ b);
            payload = payload[32..];
        }
        if (payload.Length >= 16)
        {
            a = Fold(Word(payload, 0) ^ K0, Word(payload, 8) ^ a);
            payload = payload[16..];
        }
        if (payload.Length >= 8)
        {
            b = Fold(Word(payload, 0) ^ K1, b ^ K2);
            payload = payload[8..];
        }
        if (payload.Length > 0)
        {
            a = Fold(Tail(payload) ^ K2, a ^ K1);
        }
        ulong folded = Fold(a ^ K2, b ^ K0) ^ a ^ b;
        return (uint)(folded ^ (folded >> 32));
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static ulong Seed(ulong salt, long position, RecordKind kind, int length) =>
        Fold(salt ^ (ulong)position ^ K1, K0 + (((ulong)kind << 32) | (uint)length));

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static ulong Fold(ulong x, ulong y)
    {
        // A second multiplication gives the low half: the instruction that gives both halves would store it to memory.
        ulong high = Bmi2.X64.IsSupported ? Bmi2.X64.MultiplyNoFlags(x, y) : Math.BigMul(x, y, out _);
        return high ^ (x * y);
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static ulong Word(ReadOnlySpan<byte> bytes, int offset) => BinaryPrimitives.ReadUInt64LittleEndian(bytes[offset..]);

    // 1 to 7 bytes, in the low bytes of a word whose highest byte is their number.
    private static ulong Tail(ReadOnlySpan<byte> bytes)
    {
        ulong tail = (ulong)bytes.Length << 56;
        for (int i = 0; i < bytes.Length; i++)
        {
            tail |= (ulong)bytes[i] << (8 * i);
        }
        return tail;
    }
}
