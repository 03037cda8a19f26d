namespace BlitQueue.Generator.Model;

/// <summary>One packed member.</summary>
internal sealed record MemberModel
{
    /// <summary>The member's own name.</summary>
    public required string Name { get; init; }

    /// <summary>The name as C# writes it: @class.</summary>
    public required string Identifier { get; init; }

    /// <summary>The local variable that holds the value until the message is constructed.</summary>
    public required string Local { get; init; }

    public required WireType Type { get; init; }

    /// <summary>The offset in the fixed block, or the place among the variables; in a tolerant message the member's number.</summary>
    public required int Slot { get; init; }

    public required Restore Restore { get; init; }

    /// <summary>A reference that the user's type allows to be null.</summary>
    public bool IsNullable { get; init; }

    /// <summary>What a constructor parameter is given when the writer did not know the member.</summary>
    public string ParameterDefault { get; init; } = "default";

    /// <summary>The member may be null, the constructor's parameter may not.</summary>
    public bool IsForgivenAsArgument { get; init; }

    /// <summary>The accessibility in the view; empty for a member that cannot be there.</summary>
    public string ViewAccess { get; init; } = "public";

    /// <summary>What is read of it is what was set, and no other instance that may be used elsewhere.</summary>
    public bool GetsWhatWasSet { get; init; } = true;

    /// <summary>An initializer or a constructor may set the member of a new message.</summary>
    public bool MayBeMade { get; init; }

    /// <summary>Code that constructs the message must set it.</summary>
    public bool IsRequired { get; init; }
}
