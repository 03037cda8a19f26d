using System.Collections;
using System.Globalization;
using System.Numerics;
using System.Text;

namespace BlitQueue.Shapes;

/// <summary>Every well-known type of variable size.</summary>
[QueueMessage]
public partial class Objects
{
    public BigInteger BigInteger { get; set; }
    public BigInteger? NullableBigInteger { get; set; }
    public Version? Version { get; set; }
    public Uri? Uri { get; set; }
    public StringBuilder? StringBuilder { get; set; }
    public BitArray? BitArray { get; set; }
    public CultureInfo? CultureInfo { get; set; }
    public TimeZoneInfo? TimeZoneInfo { get; set; }
    public BigInteger[]? BigIntegers { get; set; }
    public List<BigInteger?>? NullableBigIntegers { get; set; }
    public List<Version?>? Versions { get; set; }
    public Uri?[]? Uris { get; set; }
    public Dictionary<string, BitArray?>? BitArrays { get; set; }
}
