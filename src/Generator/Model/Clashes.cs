namespace BlitQueue.Generator.Model;

/// <summary>Names in the user's type that generated members must not have.</summary>
internal sealed record Clashes
{
    public required bool Pack { get; init; }

    public required bool Unpack { get; init; }

    public required bool Schema { get; init; }

    /// <summary>Whether a base class is a message too: then the generated Schema hides the base class's on purpose.</summary>
    public required bool HidesBaseSchema { get; init; }

    /// <summary>The names of members that helper methods must not have.</summary>
    public required EquatableArray<string> Taken { get; init; }
}
