using System.Numerics;
using System.Text;

namespace BlitQueue.Shapes;

/// <summary>Lists of every value of fixed size, or none.</summary>
[QueueMessage]
public partial class ValueLists
{
    public List<bool?>? Bool { get; set; }
    public List<byte?>? Byte { get; set; }
    public List<sbyte?>? SByte { get; set; }
    public List<short?>? Short { get; set; }
    public List<ushort?>? UShort { get; set; }
    public List<char?>? Char { get; set; }
    public List<int?>? Int { get; set; }
    public List<uint?>? UInt { get; set; }
    public List<long?>? Long { get; set; }
    public List<ulong?>? ULong { get; set; }
    public List<float?>? Float { get; set; }
    public List<double?>? Double { get; set; }
    public List<Half?>? Half { get; set; }
    public List<Int128?>? Int128 { get; set; }
    public List<UInt128?>? UInt128 { get; set; }
    public List<decimal?>? Decimal { get; set; }
    public List<Guid?>? Guid { get; set; }
    public List<DateTime?>? DateTime { get; set; }
    public List<DateTimeOffset?>? DateTimeOffset { get; set; }
    public List<TimeSpan?>? TimeSpan { get; set; }
    public List<DateOnly?>? DateOnly { get; set; }
    public List<TimeOnly?>? TimeOnly { get; set; }
    public List<Rune?>? Rune { get; set; }
    public List<Complex?>? Complex { get; set; }
    public List<DayOfWeek?>? Enum { get; set; }
    public List<Pair?>? Pair { get; set; }
    public List<Vector2?>? Vector2 { get; set; }
    public List<Vector3?>? Vector3 { get; set; }
    public List<Vector4?>? Vector4 { get; set; }
    public List<Quaternion?>? Quaternion { get; set; }
    public List<Plane?>? Plane { get; set; }
    public List<Matrix3x2?>? Matrix3x2 { get; set; }
    public List<Matrix4x4?>? Matrix4x4 { get; set; }
}
