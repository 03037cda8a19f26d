using System.Numerics;
using MemoryPack;

namespace BlitQueue.Bench.Messages;

/// <summary>A small message: three numbers and a short text.</summary>
[QueueMessage, MemoryPackable]
internal sealed partial class Small
{
    public int Count { get; set; }

    public long Id { get; set; }

    public double Price { get; set; }

    public string? Name { get; set; }

    /// <summary>An instance with a text of 18 characters.</summary>
    public static Small Create() => new() { Count = 3, Id = 1_234_567_890_123, Price = 19.99, Name = "Blue widget, large" };
}

/// <summary>One text.</summary>
[QueueMessage]
internal sealed partial class Letter
{
    public string? Text { get; set; }
}

/// <summary>One large array of structs.</summary>
[QueueMessage, MemoryPackable]
internal sealed partial class Cloud
{
    public Vector3[]? Points { get; set; }

    /// <summary>So many points, no two alike.</summary>
    public static Cloud Create(int points) => new()
    {
        Points = [.. Enumerable.Range(0, points).Select(i => new Vector3(i, i + 0.25f, i + 0.5f))],
    };
}
