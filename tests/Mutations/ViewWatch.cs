namespace BlitQueue.Mutations;

/// <summary>What a look at a view found.</summary>
internal sealed class ViewWatch
{
    /// <summary>Whether the bytes are what was packed from a value that is known. Otherwise anything may come, a PackException too.</summary>
    public bool Compares { get; init; }

    public int Faults { get; set; }

    /// <summary>How many messages the view looked at is inside of.</summary>
    public int Depth { get; set; }

    /// <summary>Whether a fault may be: of changed bytes, and where a part is unpacked alone in which objects stand again by their numbers.</summary>
    public bool Expects(PackException fault) => !Compares || fault.Message.Contains("cannot be told from this part", StringComparison.Ordinal);

    public void Same<T>(T seen, object? packed)
    {
        if (!Compares)
            return;

        var (left, right) = (ValueText.Of(seen), ValueText.Of(packed));
        if (left != right)
            throw new InvalidOperationException($"The view says {left}, and {right} was packed.");
    }

    public object? MemberOf(object value, string name)
        => Compares ? ValueText.Members(value).Single(member => member.Name == name).Value : null;
}
