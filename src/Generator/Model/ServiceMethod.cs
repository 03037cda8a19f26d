namespace BlitQueue.Generator.Model;

/// <summary>One method of a service.</summary>
internal sealed record ServiceMethod
{
    /// <summary>As it is written, and as its channel is named.</summary>
    public required string Name { get; init; }

    /// <summary>The same as an identifier in code.</summary>
    public required string Identifier { get; init; }

    /// <summary>The type of its message; empty for none.</summary>
    public required string Request { get; init; }

    public required string RequestName { get; init; }

    /// <summary>The type of its replies; empty for none.</summary>
    public required string Reply { get; init; }

    public required bool IsStream { get; init; }

    public required bool IsOneWay { get; init; }

    /// <summary>The name of its token; empty for none.</summary>
    public required string TokenName { get; init; }
}
