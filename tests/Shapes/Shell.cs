namespace BlitQueue.Shapes;

/// <summary>A case of an interface that does not know it.</summary>
[QueueMessage]
public sealed partial class Shell : IHusk
{
    public short Rings { get; set; }
    public string? Label { get; set; }
}
