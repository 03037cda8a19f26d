using System.Numerics;
using System.Text;

namespace BlitQueue.Tool;

/// <summary>A message of fixed length: a member of each kind that has one, alone and behind a byte that says whether it is there.</summary>
[QueueMessage]
public partial class Fixture
{
    public bool Flag { get; set; }
    public sbyte Tiny { get; set; }
    public byte Small { get; set; }
    public char Unit { get; set; }
    public short Short { get; set; }
    public ushort UShort { get; set; }
    public Half Half { get; set; }
    public int Int { get; set; }
    public uint UInt { get; set; }
    public float Single { get; set; }
    public long Long { get; set; }
    public ulong ULong { get; set; }
    public double Double { get; set; }
    public Int128 Wide { get; set; }
    public UInt128 UWide { get; set; }
    public decimal Decimal { get; set; }
    public Guid Guid { get; set; }
    public Complex Complex { get; set; }
    public Rune Rune { get; set; }
    public DateTime DateTime { get; set; }
    public DateTimeOffset DateTimeOffset { get; set; }
    public TimeSpan TimeSpan { get; set; }
    public DateOnly Date { get; set; }
    public TimeOnly Time { get; set; }
    public DayOfWeek Enum { get; set; }
    public bool? MaybeFlag { get; set; }
    public int? MaybeInt { get; set; }
    public decimal? MaybeDecimal { get; set; }
    public DateTimeOffset? MaybeDateTimeOffset { get; set; }
    public Guid? MaybeGuid { get; set; }
    public Int128? MaybeWide { get; set; }
}
