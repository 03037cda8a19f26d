namespace BlitQueue.Generator.Parse;

/// <summary>The constructor that unpacking calls, and the member behind each parameter.</summary>
internal sealed record ChosenConstructor
{
    /// <summary>The constructor; null for the implicit one of a struct or class.</summary>
    public required IMethodSymbol? Symbol { get; init; }

    public required IReadOnlyList<FoundMember> Arguments { get; init; }

    public bool SetsRequiredMembers => Symbol is not null && KnownTypes.Has(Symbol, KnownTypes.SetsRequiredMembers);

    public IParameterSymbol? ParameterOf(FoundMember member)
    {
        for (int i = 0; i < Arguments.Count; i++)
        {
            if (ReferenceEquals(Arguments[i], member))
            {
                return Symbol!.Parameters[i];
            }
        }

        return null;
    }
}
