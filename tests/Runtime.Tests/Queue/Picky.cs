namespace BlitQueue.Tests.Queue;

/// <summary>A message whose setter refuses one value, on the thread that says so.</summary>
[QueueMessage]
internal sealed partial class Picky
{
    [ThreadStatic]
    private static long _refused;

    private long _id;

    public static long Refused
    {
        get => _refused;
        set => _refused = value;
    }

    public string? Text { get; set; }

    public long Id
    {
        get => _id;
        set => _id = value != 0 && value == Refused ? throw new InvalidOperationException($"The setter refuses {value}.") : value;
    }
}
