namespace BlitQueue.Generator.Model;

/// <summary>One packed member.</summary>
internal sealed record MemberModel
{
    /// <summary>The member's own name.</summary>
    public required string Name { get; init; }

    /// <summary>The name as C# writes it: @class.</summary>
    public required string Identifier { get; init; }

    /// <summary>The name of the local variable with the value until the message is constructed.</summary>
    public required string Local { get; init; }

    public required WireType Type { get; init; }

    /// <summary>The offset in the fixed block, or the index among the variables; in a tolerant message the member's number.</summary>
    public required int Slot { get; init; }

    public required Restore Restore { get; init; }

    /// <summary>Whether it is a reference whose declared type is nullable.</summary>
    public bool IsNullable { get; init; }

    /// <summary>The argument for the constructor's parameter if the version that wrote the bytes lacks the member.</summary>
    public string ParameterDefault { get; init; } = "default";

    /// <summary>Whether the member may be null and the constructor's parameter may not: the argument then has a !.</summary>
    public bool IsForgivenAsArgument { get; init; }

    /// <summary>The accessibility in the view; empty for a member that cannot be there.</summary>
    public string ViewAccess { get; init; } = "public";

    /// <summary>Whether the getter returns what was set, and no other instance, which might be in use elsewhere.</summary>
    public bool GetsWhatWasSet { get; init; } = true;

    /// <summary>Whether an initializer or a constructor may set the member of a new message.</summary>
    public bool MayBeMade { get; init; }

    /// <summary>Whether code that constructs the message must set the member.</summary>
    public bool IsRequired { get; init; }
}
