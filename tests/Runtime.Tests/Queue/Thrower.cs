namespace BlitQueue.Tests.Queue;

/// <summary>A message whose setter throws when it is told to.</summary>
[QueueMessage]
internal sealed partial class Thrower
{
    private long _id;

    public static bool Throws { get; set; }

    public long Id
    {
        get => _id;
        set => _id = Throws ? throw new InvalidOperationException("The setter threw.") : value;
    }
}
