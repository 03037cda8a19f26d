using System.Runtime.Intrinsics;

namespace BlitQueue.Memory;

/// <summary>
/// Compares UTF-8 of which each char takes three bytes, as nearly all Chinese and Japanese ones do, with the chars of a string, and
/// converts between them.
/// </summary>
/// <remarks>
/// Takes a third of the framework's time for short texts. Bytes may change meanwhile: what is checked is what was read, once.
/// </remarks>
internal static class ThreeByteText
{
    // Chars that are done at once.
    private const int Block = 4;

    private const int BytesOfChar = 3;

    /// <summary>Whether the bytes can be such text, of enough chars to be done here.</summary>
    /// <param name="bytes">How many bytes there are.</param>
    /// <param name="chars">How many chars they have.</param>
    public static bool CanBe(int bytes, int chars) =>
        chars >= Block && bytes == (long)chars * BytesOfChar && Vector128.IsHardwareAccelerated;

    /// <summary>Whether the bytes are valid UTF-8 and the same text as the chars; <see cref="CanBe"/> says whether to ask.</summary>
    public static bool Equal(ReadOnlySpan<byte> bytes, ReadOnlySpan<char> chars)
    {
        ref byte left = ref MemoryMarshal.GetReference(bytes);
        ref ushort right = ref Unsafe.As<char, ushort>(ref MemoryMarshal.GetReference(chars));
        int last = chars.Length - Block;
        for (int i = 0; i < last; i += Block)
        {
            if (!IsEqual(ref left, ref right, i))
            {
                return false;
            }
        }

        return IsEqual(ref left, ref right, last);
    }

    /// <summary>
    /// Decodes; false if the bytes are no valid UTF-8 of chars of three bytes: then the chars may be anything. <see cref="CanBe"/> says
    /// whether to ask.
    /// </summary>
    public static bool TryDecode(ReadOnlySpan<byte> bytes, Span<char> chars)
    {
        ref byte source = ref MemoryMarshal.GetReference(bytes);
        ref ushort target = ref Unsafe.As<char, ushort>(ref MemoryMarshal.GetReference(chars));
        int last = chars.Length - Block;
        Vector128<uint> wrong = Decode(ref source, ref target, last);
        for (int i = 0; i < last; i += Block)
        {
            wrong |= Decode(ref source, ref target, i);
        }

        return wrong == Vector128<uint>.Zero;
    }

    /// <summary>
    /// Encodes; false if a char does not take three bytes, or there are fewer than four: then the bytes may be anything.
    /// </summary>
    /// <param name="chars">The text.</param>
    /// <param name="bytes">At least three for each char.</param>
    public static bool TryEncode(ReadOnlySpan<char> chars, Span<byte> bytes)
    {
        if (!CanBe(chars.Length * BytesOfChar, chars.Length) || bytes.Length < chars.Length * BytesOfChar)
        {
            return false;
        }

        ref ushort source = ref Unsafe.As<char, ushort>(ref MemoryMarshal.GetReference(chars));
        ref byte target = ref MemoryMarshal.GetReference(bytes);
        int last = chars.Length - Block;
        for (int i = 0; i < last; i += Block)
        {
            if (!TryEncode(ref source, ref target, i))
            {
                return false;
            }
        }

        return TryEncode(ref source, ref target, last);
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static bool TryEncode(ref ushort chars, ref byte bytes, int i)
    {
        Vector128<uint> four = Chars(ref chars, i);
        Vector128<uint> each = (four >> 12) | ((four << 2) & Vector128.Create(0x3F00u)) | ((four << 16) & Vector128.Create(0x3F0000u))
            | Vector128.Create(0x8080E0u);
        var twelve = Vector128.Shuffle(
            each.AsByte(), Vector128.Create((byte)0, 1, 2, 4, 5, 6, 8, 9, 10, 12, 13, 14, 255, 255, 255, 255));
        ref byte first = ref Unsafe.Add(ref bytes, i * BytesOfChar);
        Unsafe.WriteUnaligned(ref first, twelve.AsUInt64().ToScalar());
        Unsafe.WriteUnaligned(ref Unsafe.Add(ref first, sizeof(ulong)), twelve.AsUInt32().GetElement(2));
        return NotOfThreeBytes(four) == Vector128<uint>.Zero;
    }

    // Four chars, each in 32 bits.
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static Vector128<uint> Chars(ref ushort chars, int i)
    {
        ulong four = Unsafe.ReadUnaligned<ulong>(ref Unsafe.As<ushort, byte>(ref Unsafe.Add(ref chars, i)));
        return Vector128.WidenLower(Vector128.CreateScalar(four).AsUInt16());
    }

    // Not zero where a char takes fewer bytes, or is a surrogate.
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static Vector128<uint> NotOfThreeBytes(Vector128<uint> chars)
    {
        Vector128<uint> range = chars & Vector128.Create(0xF800u);
        return Vector128.Equals(range, Vector128<uint>.Zero) | Vector128.Equals(range, Vector128.Create(0xD800u));
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static bool IsEqual(ref byte bytes, ref ushort chars, int i)
    {
        Vector128<uint> decoded = Decode(ref bytes, i, out Vector128<uint> wrong);
        return ((decoded ^ Chars(ref chars, i)) | wrong) == Vector128<uint>.Zero;
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static Vector128<uint> Decode(ref byte bytes, ref ushort chars, int i)
    {
        Vector128<uint> decoded = Decode(ref bytes, i, out Vector128<uint> wrong);
        var four = Vector128.Shuffle(
            decoded.AsByte(), Vector128.Create((byte)0, 1, 4, 5, 8, 9, 12, 13, 255, 255, 255, 255, 255, 255, 255, 255));
        Unsafe.WriteUnaligned(ref Unsafe.As<ushort, byte>(ref Unsafe.Add(ref chars, i)), four.AsUInt64().ToScalar());
        return wrong;
    }

    // Four chars from twelve bytes, and what is not zero where one of them is no char of three bytes: its marks are not 1110, 10, 10, it
    // could be shorter, or it is a surrogate.
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static Vector128<uint> Decode(ref byte bytes, int i, out Vector128<uint> wrong)
    {
        ref byte first = ref Unsafe.Add(ref bytes, i * BytesOfChar);
        Vector128<byte> twelve = Vector128.Create(
            Unsafe.ReadUnaligned<ulong>(ref first), Unsafe.ReadUnaligned<uint>(ref Unsafe.Add(ref first, sizeof(ulong)))).AsByte();
        Vector128<uint> each = Vector128.Shuffle(
            twelve, Vector128.Create((byte)0, 1, 2, 255, 3, 4, 5, 255, 6, 7, 8, 255, 9, 10, 11, 255)).AsUInt32();
        Vector128<uint> decoded = ((each & Vector128.Create(0x0Fu)) << 12)
            | ((each & Vector128.Create(0x3F00u)) >> 2)
            | ((each >> 16) & Vector128.Create(0x3Fu));
        wrong = ((each & Vector128.Create(0xC0C0F0u)) ^ Vector128.Create(0x8080E0u)) | NotOfThreeBytes(decoded);
        return decoded;
    }
}
