using System.Numerics;

namespace BlitQueue.Bench.Messages;

/// <summary>One large array of structs.</summary>
[QueueMessage]
internal sealed partial class Cloud
{
    public Vector3[]? Points { get; set; }

    /// <summary>So many points, no two alike.</summary>
    public static Cloud Create(int points) => new() { Points = [.. Enumerable.Range(0, points).Select(i => new Vector3(i, i + 0.25f, i + 0.5f))] };
}
