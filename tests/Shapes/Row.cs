namespace BlitQueue.Shapes;

/// <summary>A record that is nested.</summary>
[QueueMessage]
public partial record Row(long Id, string? Text, DayOfWeek Day = DayOfWeek.Friday)
{
    public IReadOnlyList<byte>? Bytes { get; init; }
}
