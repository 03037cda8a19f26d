namespace BlitQueue.Explorer;

/// <summary>
/// A fault put between the protocol and the memory, so that a broken variant of the protocol can be explored: the explorer is to find what
/// comes of it.
/// </summary>
internal abstract class Weakness
{
    /// <summary>What a reader of a result is told.</summary>
    public abstract string Description { get; }

    /// <summary>The process that has it; null for all.</summary>
    public string? Of { get; init; }

    /// <summary>A step begins.</summary>
    public virtual void Begin()
    {
    }

    /// <summary>What happens in place of an access, in this order. One that sees something must be the last.</summary>
    /// <param name="access">The access.</param>
    /// <param name="word">The name of its word; empty where it has none.</param>
    public virtual IEnumerable<Access> Distort(Access access, string word) => [access];

    /// <summary>What an access sees instead of what is there; null to let it see.</summary>
    public virtual long? Pretend(Access access, string word) => null;

    /// <summary>What happens in place of an access that was pretended.</summary>
    public virtual IEnumerable<Access> Instead(Access access) => [];

    /// <summary>What was held back, at the end of a step.</summary>
    public virtual IEnumerable<Access> Flush() => [];
}
