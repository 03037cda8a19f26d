namespace BlitQueue.Shapes;

/// <summary>Members with the packers that are ready.</summary>
[QueueMessage]
public partial class Ready
{
    [PackWith(typeof(BitPackedBools))] public bool[]? Bits { get; set; }
    [PackWith(typeof(InternedString))] public string? Interned { get; set; }
    [PackWith(typeof(InternedString))] public List<string?>? Many { get; set; }
    [PackWith(typeof(Utf16String))] public string? Wide { get; set; }
    [PackWith(typeof(Utf8String))] public string?[]? Narrow { get; set; }
    [PackWith(typeof(BrotliBytes))] public byte[]? Brotli { get; set; }
    [PackWith(typeof(BrotliString))] public string? BrotliText { get; set; }
    [PackWith(typeof(BrotliString))] public Dictionary<int, string>? BrotliTexts { get; set; }
}
