namespace BlitQueue.Peers;

/// <summary>The row of docs/memorypack.md that a test holds.</summary>
/// <param name="feature">Its first cell.</param>
[AttributeUsage(AttributeTargets.Method)]
internal sealed class RowAttribute(string feature) : Attribute
{
    public string Feature { get; } = feature;

    /// <summary>Whether the page says that it is something else here.</summary>
    public bool Differs { get; init; }
}
