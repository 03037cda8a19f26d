namespace BlitQueue.Generator.Model;

/// <summary>How unpacking gets an instance.</summary>
internal sealed record Creation
{
    /// <summary>
    /// Whether unpacking fills the given instance, or a new one made without arguments; otherwise it constructs one from the values that it
    /// read.
    /// </summary>
    public required bool FillsInPlace { get; init; }

    /// <summary>Whether unpacking fills a given instance even if a new one needs arguments.</summary>
    public bool FillsGiven { get; init; }

    /// <summary>The members that are the constructor's arguments, as indices into the members, in the parameters' order.</summary>
    public EquatableArray<int> Arguments { get; init; } = EquatableArray<int>.Empty;

    /// <summary>Required members that are not packed: set to their default if construction must set required members.</summary>
    public EquatableArray<string> Defaulted { get; init; } = EquatableArray<string>.Empty;

    /// <summary>The constructor's parameters, as types.</summary>
    public EquatableArray<string> Parameters { get; init; } = EquatableArray<string>.Empty;

    /// <summary>
    /// Whether there are required members: a constructor call must set them, which would overwrite the values of their initializers.
    /// </summary>
    public bool HasRequired { get; init; }
}
