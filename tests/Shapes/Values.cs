using System.Numerics;
using System.Text;

namespace BlitQueue.Shapes;

/// <summary>Every value of fixed size.</summary>
[QueueMessage]
public partial class Values
{
    public bool Bool { get; set; }
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
    public Half Half { get; set; }
    public Int128 Int128 { get; set; }
    public UInt128 UInt128 { get; set; }
    public decimal Decimal { get; set; }
    public Guid Guid { get; set; }
    public DateTime DateTime { get; set; }
    public DateTimeOffset DateTimeOffset { get; set; }
    public TimeSpan TimeSpan { get; set; }
    public DateOnly DateOnly { get; set; }
    public TimeOnly TimeOnly { get; set; }
    public Rune Rune { get; set; }
    public Complex Complex { get; set; }
    public DayOfWeek Enum { get; set; }
    public Pair Pair { get; set; }
    public Vector2 Vector2 { get; set; }
    public Vector3 Vector3 { get; set; }
    public Vector4 Vector4 { get; set; }
    public Quaternion Quaternion { get; set; }
    public Plane Plane { get; set; }
    public Matrix3x2 Matrix3x2 { get; set; }
    public Matrix4x4 Matrix4x4 { get; set; }
}
