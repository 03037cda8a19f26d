using System.Collections;
using System.Globalization;
using System.Numerics;
using System.Text;

namespace BlitQueue.Peers.Models;

internal enum Colour : byte
{
    None,
    Red = 7,
}

[MemoryPackable, QueueMessage]
internal partial class Numbers
{
    public bool Truth { get; set; }
    public byte Byte { get; set; }
    public sbyte SByte { get; set; }
    public short Short { get; set; }
    public ushort UShort { get; set; }
    public char Char { get; set; }
    public int Int { get; set; }
    public uint UInt { get; set; }
    public long Long { get; set; }
    public ulong ULong { get; set; }
    public float Float { get; set; }
    public double Double { get; set; }
    public decimal Decimal { get; set; }
    public Half Half { get; set; }
    public Int128 Int128 { get; set; }
    public UInt128 UInt128 { get; set; }
    public Guid Guid { get; set; }
    public DateTime DateTime { get; set; }
    public DateTimeOffset DateTimeOffset { get; set; }
    public DateOnly DateOnly { get; set; }
    public TimeOnly TimeOnly { get; set; }
    public TimeSpan TimeSpan { get; set; }
    public Rune Rune { get; set; } = new('a');
    public Complex Complex { get; set; }
    public Vector3 Vector { get; set; }
    public Matrix4x4 Matrix { get; set; }
    public Colour Colour { get; set; }
    public int? Some { get; set; }
    public decimal? None { get; set; }
}

[MemoryPackable, QueueMessage]
internal partial class KnownTypes
{
    public Version? Version { get; set; }
    public Uri? Uri { get; set; }
    public BitArray? Bits { get; set; }
    public StringBuilder? Builder { get; set; }
    public CultureInfo? Culture { get; set; }
    public KeyValuePair<int, string?> Pair { get; set; }
    public Tuple<int, string?>? Tuple { get; set; }
    public (int Number, string? Text, long Third, long Fourth, long Fifth, long Sixth, long Seventh, string? Eighth) Wide { get; set; }
}

[MemoryPackable, QueueMessage]
internal partial class LazyNumber
{
    public Lazy<int>? Number { get; set; }
}

[MemoryPackable, QueueMessage]
internal partial class Zone
{
    public TimeZoneInfo? Where { get; set; }
}

[MemoryPackable, QueueMessage]
internal partial class Texts
{
    public string? Text { get; set; }
    public string?[]? Array { get; set; }
}

[MemoryPackable, QueueMessage(Strings = StringEncoding.Utf16)]
internal partial class WideText
{
    public string? Text { get; set; }
}

[MemoryPackable, QueueMessage]
internal partial class WideMember
{
    public string? Narrow { get; set; }
    [Utf16StringFormatter, PackWith(typeof(Utf16String))] public string? Wide { get; set; }
}

[MemoryPackable, QueueMessage]
internal partial class Interned
{
    [InternStringFormatter, PackWith(typeof(InternedString))] public string? Text { get; set; }
}

[MemoryPackable, QueueMessage]
internal partial struct Simple
{
    public int X;
    public long Y;
}

[MemoryPackable, QueueMessage]
internal partial struct WithText
{
    public int X { get; set; }
    public string? Text { get; set; }
}
