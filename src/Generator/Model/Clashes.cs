namespace BlitQueue.Generator.Model;

/// <summary>Names of the user's own that the generated members must make way for.</summary>
internal sealed record Clashes
{
    public required bool Pack { get; init; }

    public required bool Unpack { get; init; }

    public required bool Schema { get; init; }

    /// <summary>A base class is a message too: its Schema is hidden on purpose.</summary>
    public required bool HidesBaseSchema { get; init; }

    /// <summary>Members whose names a helper method could have.</summary>
    public required EquatableArray<string> Taken { get; init; }
}
