namespace BlitQueue.Shapes;

/// <summary>Members by number, through a constructor.</summary>
[QueueMessage(Layout = PackLayout.VersionTolerant)]
public partial record TolerantRecord([property: PackOrder(4)] long Id, [property: PackOrder(1)] string? Symbol = "none")
{
    [PackOrder(2)] public bool? IsOpen { get; init; } = true;
}
