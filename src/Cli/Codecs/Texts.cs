using System.Runtime.InteropServices;
using System.Text.Unicode;

namespace BlitQueue.Cli.Codecs;

/// <summary>Values of fixed size that are letters or bytes.</summary>
internal static class Texts
{
    public static ValueCodec Char { get; } = new(
        2,
        static (bytes, in _, json) => json.Text([(char)BinaryPrimitives.ReadUInt16LittleEndian(bytes)]),
        static (ref json, bytes) => BinaryPrimitives.WriteUInt16LittleEndian(
            bytes, json.Text() is [var unit] ? unit : throw json.Fault($"'{json.Text()}' is not one char")));

    public static ValueCodec Rune { get; } = new(4, DecodeRune, EncodeRune);

    public static ValueCodec Guid { get; } = new(
        16,
        static (bytes, in _, json) => json.Text(new Guid(bytes).ToString()),
        static (ref json, bytes) =>
        {
            if (!System.Guid.TryParse(json.Text(), out Guid guid))
            {
                throw json.Fault($"'{json.Text()}' is no Guid");
            }
            guid.TryWriteBytes(bytes);
        });

    /// <summary>A struct whose packed form is its memory.</summary>
    public static ValueCodec Memory(int size) => new(
        size,
        static (bytes, in _, json) => json.Base64(bytes),
        (ref json, bytes) =>
        {
            byte[] content = json.Base64();
            if (content.Length != size)
            {
                throw json.Fault($"{content.Length} bytes cannot be a struct of {size}");
            }
            content.CopyTo(bytes);
        });

    private static void DecodeRune(ReadOnlySpan<byte> bytes, in PackedInput input, JsonOutput json)
    {
        uint scalar = BinaryPrimitives.ReadUInt32LittleEndian(bytes);
        if (!System.Text.Rune.IsValid(scalar))
        {
            throw input.Fault($"0x{scalar:X} is no Unicode scalar");
        }
        json.Text(new Rune(scalar).ToString());
    }

    private static void EncodeRune(ref JsonInput json, Span<byte> bytes)
    {
        string text = json.Text();
        if (System.Text.Rune.DecodeFromUtf16(text, out Rune rune, out int units) != System.Buffers.OperationStatus.Done
            || units != text.Length)
        {
            throw json.Fault($"'{text}' is not one letter");
        }
        BinaryPrimitives.WriteInt32LittleEndian(bytes, rune.Value);
    }
}
