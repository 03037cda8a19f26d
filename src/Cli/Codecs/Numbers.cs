using System.Numerics;

namespace BlitQueue.Cli.Codecs;

/// <summary>Numbers, and what consists of them.</summary>
internal static class Numbers
{
    public static ValueCodec Integer<T>()
        where T : unmanaged, IBinaryInteger<T>, IMinMaxValue<T>
    {
        bool isUnsigned = T.IsZero(T.MinValue);
        int size = T.Zero.GetByteCount();
        return new ValueCodec(
            size,
            (bytes, in _, json) => json.Number(T.ReadLittleEndian(bytes, isUnsigned)),
            (ref json, bytes) => json.Integer<T>().WriteLittleEndian(bytes));
    }

    public static ValueCodec Bool { get; } = new(
        1,
        static (bytes, in input, json) =>
        {
            if (bytes[0] > 1)
            {
                throw input.Fault($"0x{bytes[0]:X} is no bool");
            }
            json.Bool(bytes[0] == 1);
        },
        static (ref json, bytes) => bytes[0] = (byte)(json.Bool() ? 1 : 0));

    public static ValueCodec Half { get; } = new(
        2,
        static (bytes, in _, json) => json.Double((double)BinaryPrimitives.ReadHalfLittleEndian(bytes)),
        static (ref json, bytes) => BinaryPrimitives.WriteHalfLittleEndian(bytes, (Half)json.Double()));

    public static ValueCodec Single { get; } = new(
        4,
        static (bytes, in _, json) => json.Double(BinaryPrimitives.ReadSingleLittleEndian(bytes)),
        static (ref json, bytes) => BinaryPrimitives.WriteSingleLittleEndian(bytes, (float)json.Double()));

    public static ValueCodec Double { get; } = new(
        8,
        static (bytes, in _, json) => json.Double(BinaryPrimitives.ReadDoubleLittleEndian(bytes)),
        static (ref json, bytes) => BinaryPrimitives.WriteDoubleLittleEndian(bytes, json.Double()));

    public static ValueCodec Complex { get; } = new(16, DecodeComplex, EncodeComplex);

    public static ValueCodec Decimal { get; } = new(16, DecodeDecimal, EncodeDecimal);

    private static void DecodeComplex(ReadOnlySpan<byte> bytes, in PackedInput input, JsonOutput json)
    {
        json.BeginArray();
        json.Double(BinaryPrimitives.ReadDoubleLittleEndian(bytes));
        json.Double(BinaryPrimitives.ReadDoubleLittleEndian(bytes[8..]));
        json.EndArray();
    }

    private static void EncodeComplex(ref JsonInput json, Span<byte> bytes)
    {
        json.Require(System.Text.Json.JsonTokenType.StartArray, "an array of two numbers");
        for (int part = 0; part < 2; part++)
        {
            json.Next();
            BinaryPrimitives.WriteDoubleLittleEndian(bytes[(8 * part)..], json.Double());
        }
        json.Next();
        json.Require(System.Text.Json.JsonTokenType.EndArray, "the end of an array of two numbers");
    }

    // The digits of System.Decimal: low, middle, high, then the flags.
    private static void DecodeDecimal(ReadOnlySpan<byte> bytes, in PackedInput input, JsonOutput json)
    {
        uint flags = BinaryPrimitives.ReadUInt32LittleEndian(bytes[12..]);
        int scale = (int)(flags >> 16 & 0xFF);
        if ((flags & 0x7F00_FFFF) != 0 || scale > 28)
        {
            throw input.Fault($"0x{flags:X} are no flags of a decimal");
        }
        string digits = new BigInteger(bytes[..12], isUnsigned: true).ToString(System.Globalization.CultureInfo.InvariantCulture);
        digits = digits.PadLeft(scale + 1, '0');
        string sign = flags >> 31 != 0 ? "-" : "";
        json.Text(scale == 0 ? $"{sign}{digits}" : $"{sign}{digits[..^scale]}.{digits[^scale..]}");
    }

    private static void EncodeDecimal(ref JsonInput json, Span<byte> bytes)
    {
        string text = json.Token == System.Text.Json.JsonTokenType.Number ? json.Raw() : json.Text();
        ReadOnlySpan<char> digits = text.StartsWith('-') ? text.AsSpan(1) : text;
        int point = digits.IndexOf('.'), scale = point < 0 ? 0 : digits.Length - point - 1;
        string number = point < 0 ? digits.ToString() : $"{digits[..point]}{digits[(point + 1)..]}";
        if (scale > 28 || !BigInteger.TryParse(
                number, System.Globalization.NumberStyles.None, System.Globalization.CultureInfo.InvariantCulture, out BigInteger value)
            || value.GetByteCount(isUnsigned: true) > 12)
        {
            throw json.Fault($"'{text}' is no decimal");
        }
        value.TryWriteBytes(bytes[..12], out _, isUnsigned: true);
        uint sign = text.StartsWith('-') ? 0x8000_0000 : 0;
        BinaryPrimitives.WriteUInt32LittleEndian(bytes[12..], sign | (uint)scale << 16);
    }
}
