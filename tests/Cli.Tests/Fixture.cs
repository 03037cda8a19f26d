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

    /// <summary>One whose values a test knows.</summary>
    public static Fixture Make() => new()
    {
        Flag = true,
        Tiny = -2,
        Small = 200,
        Unit = '€',
        Short = -300,
        UShort = 60_000,
        Half = (Half)1.5,
        Int = -70_000,
        UInt = 4_000_000_000,
        Single = 0.25f,
        Long = -5_000_000_000,
        ULong = 18_000_000_000_000_000_000,
        Double = -0.1,
        Wide = Int128.MinValue,
        UWide = UInt128.MaxValue,
        Decimal = -12.50m,
        Guid = new Guid("00112233-4455-6677-8899-aabbccddeeff"),
        Complex = new Complex(1, -2),
        Rune = new Rune(0x1F680),
        DateTime = new DateTime(639_054_936_000_000_001, DateTimeKind.Utc),
        DateTimeOffset = new DateTimeOffset(639_054_936_000_000_000, TimeSpan.FromHours(1)),
        TimeSpan = TimeSpan.FromTicks(-1),
        Date = DateOnly.FromDayNumber(739_646),
        Time = TimeOnly.MaxValue,
        Enum = DayOfWeek.Saturday,
        MaybeInt = 7,
        MaybeDecimal = 0.0000m,
        MaybeWide = -1,
    };
}
