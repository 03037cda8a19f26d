using System.Runtime.InteropServices;
using System.Text.Unicode;

namespace BlitQueue.Cli.Codecs;

/// <summary>A string in any encoding, and what is packed as one.</summary>
internal sealed class StringCodec : Codec
{
    private const uint Utf16 = 0x8000_0000;
    private const int PrefixSize = 4, MostChars = 0x3FFF_FFDF;

    public override void Decode(ref PackedInput input, JsonOutput json)
    {
        if (Read(ref input) is { } text)
        {
            json.Text(text);
        }
        else
        {
            json.Null();
        }
    }

    public override void Encode(ref JsonInput json, PackedOutput output) => Write(json.IsNull ? null : json.Text(), output);

    /// <summary>Reads a string; null for null.</summary>
    public static string? Read(ref PackedInput input)
    {
        int length = input.Length();
        if (length <= 0)
        {
            return length < 0 ? null : "";
        }
        if (length < PrefixSize)
        {
            throw input.Fault($"a string cannot have {length} bytes");
        }
        uint prefix = input.U32(), units = prefix & ~Utf16;
        ReadOnlySpan<byte> bytes = input.Take(length - PrefixSize);
        if (units <= MostChars && prefix != units && bytes.Length == 2 * (long)units)
        {
            return new string(MemoryMarshal.Cast<byte, char>(bytes));
        }
        bool canBe = units <= MostChars && prefix == units && bytes.Length >= units && bytes.Length <= 3 * (long)units;
        return canBe && Utf8.IsValid(bytes) && Encoding.UTF8.GetCharCount(bytes) == units
            ? Encoding.UTF8.GetString(bytes)
            : throw input.Fault($"a string of {units} chars cannot have these {bytes.Length} bytes");
    }

    /// <summary>Writes a string: as UTF-8, unless it has half of a surrogate pair.</summary>
    public static void Write(string? text, PackedOutput output)
    {
        if (string.IsNullOrEmpty(text))
        {
            if (text is null)
            {
                output.WriteNull();
            }
            else
            {
                output.U32(0);
            }
            return;
        }
        bool isWhole = IsWhole(text);
        int bytes = isWhole ? Encoding.UTF8.GetByteCount(text) : text.Length * sizeof(char);
        output.U32((uint)(PrefixSize + bytes));
        output.U32((uint)text.Length | (isWhole ? 0 : Utf16));
        Span<byte> room = output.Add(bytes);
        if (isWhole)
        {
            Encoding.UTF8.GetBytes(text, room);
        }
        else
        {
            MemoryMarshal.AsBytes(text.AsSpan()).CopyTo(room);
        }
    }

    private static bool IsWhole(ReadOnlySpan<char> text)
    {
        int at;
        while ((at = text.IndexOfAnyInRange('\ud800', '\udfff')) >= 0)
        {
            if (Rune.DecodeFromUtf16(text[at..], out _, out int units) != System.Buffers.OperationStatus.Done)
            {
                return false;
            }
            text = text[(at + units)..];
        }
        return true;
    }
}
