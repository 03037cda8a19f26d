namespace BlitQueue.Generator.Model;

/// <summary>How unpacking comes by an instance.</summary>
internal sealed record Creation
{
    /// <summary>The given instance is filled, or a new one made without arguments; otherwise one is constructed of what was read.</summary>
    public required bool FillsInPlace { get; init; }

    /// <summary>A given instance is filled even where a new one needs arguments.</summary>
    public bool FillsGiven { get; init; }

    /// <summary>The members that are the constructor's arguments, as indices into the members, in the parameters' order.</summary>
    public EquatableArray<int> Arguments { get; init; } = EquatableArray<int>.Empty;

    /// <summary>Required members that are not packed: set to their default where construction must set what is required.</summary>
    public EquatableArray<string> Defaulted { get; init; } = EquatableArray<string>.Empty;

    /// <summary>The constructor's parameters, as types.</summary>
    public EquatableArray<string> Parameters { get; init; } = EquatableArray<string>.Empty;

    /// <summary>The compiler insists that members are set, and would have their initializers overwritten.</summary>
    public bool HasRequired { get; init; }
}
