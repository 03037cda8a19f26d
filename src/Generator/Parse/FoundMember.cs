namespace BlitQueue.Generator.Parse;

/// <summary>A field or property that is packed.</summary>
internal sealed record FoundMember
{
    public required ISymbol Symbol { get; init; }

    public required ITypeSymbol Type { get; init; }

    /// <summary>For the field of an inline array, which stands for all elements: the element's type.</summary>
    public ITypeSymbol? Element { get; init; }

    /// <summary>Whether code in the message can assign it, if only in an object initializer.</summary>
    public required bool CanSet { get; init; }

    public required bool IsInitOnly { get; init; }

    public required bool IsRequired { get; init; }

    public required bool GetterHasBody { get; init; }

    /// <summary>Whether the getter returns what was set, as far as the source shows.</summary>
    public required bool GetsWhatWasSet { get; init; }

    public required bool SetterHasBody { get; init; }

    public string Name => Symbol.Name;
}
