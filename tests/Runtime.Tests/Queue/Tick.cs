namespace BlitQueue.Tests.Queue;

/// <summary>A message of a known length, any bytes of which are a message.</summary>
[QueueMessage]
internal partial class Tick
{
    public long Id { get; set; }

    public int Price;

    public double Amount { get; set; }
}
