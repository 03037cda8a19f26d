namespace BlitQueue.Generator.Parse;

/// <summary>A field or property that takes part in the message.</summary>
internal sealed record FoundMember
{
    public required ISymbol Symbol { get; init; }

    public required ITypeSymbol Type { get; init; }

    /// <summary>The type of one element, where the member stands for all those of an inline array.</summary>
    public ITypeSymbol? Element { get; init; }

    /// <summary>The message's own code may assign it, be it in an object initializer only.</summary>
    public required bool CanSet { get; init; }

    public required bool IsInitOnly { get; init; }

    public required bool IsRequired { get; init; }

    public required bool GetterHasBody { get; init; }

    /// <summary>The getter returns what the setter was given, as far as can be seen.</summary>
    public required bool GetsWhatWasSet { get; init; }

    public required bool SetterHasBody { get; init; }

    public string Name => Symbol.Name;
}
