namespace BlitQueue.Shapes;

/// <summary>Members with packers of their own.</summary>
[QueueMessage]
public partial class Custom
{
    public int Before { get; set; }
    [PackWith(typeof(SecretPacker))] public Secret Secret { get; set; }
    [PackWith(typeof(ReversedPacker))] public string? Reversed { get; set; }
    public string? After { get; set; }
}
