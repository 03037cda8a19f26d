namespace BlitQueue.Generator.Model;

/// <summary>How unpacking comes by an instance.</summary>
internal sealed record Creation
{
    /// <summary>The given instance is filled, or a new one made without arguments; otherwise one is constructed of what was read.</summary>
    public required bool FillsInPlace { get; init; }

    /// <summary>A given instance is filled even where a new one needs arguments.</summary>
    public required bool FillsGiven { get; init; }

    /// <summary>The members that are the constructor's arguments, as indices into the members, in the parameters' order.</summary>
    public required EquatableArray<int> Arguments { get; init; }

    /// <summary>Required members that are not packed, and those that are when filling in place: set to their default first.</summary>
    public required EquatableArray<string> Defaulted { get; init; }
}
