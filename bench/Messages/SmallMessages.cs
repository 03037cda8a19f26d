namespace BlitQueue.Bench.Messages;

/// <summary>A small message: three numbers and a short text.</summary>
[QueueMessage]
internal sealed partial class Small
{
    public int Count { get; set; }

    public long Id { get; set; }

    public double Price { get; set; }

    public string? Name { get; set; }

    /// <summary>An instance with a text of 18 characters.</summary>
    public static Small Create() => new() { Count = 3, Id = 1_234_567_890_123, Price = 19.99, Name = "Blue widget, large" };
}
