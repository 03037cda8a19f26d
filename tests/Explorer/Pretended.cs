namespace BlitQueue.Explorer;

/// <summary>Some accesses do nothing, and are said to have seen what suits the protocol.</summary>
internal sealed class Pretended(string description, Func<Access, string, long?> sees) : Weakness
{
    public override string Description => description;

    public override long? Pretend(Access access, string word) => sees(access, word);

    /// <summary>Everybody else counts as dead.</summary>
    public static Weakness EverybodyIsDead { get; } = new Pretended(
        "repair without proof of death", static (access, _) => access.Kind == AccessKind.Alive ? 0 : null);
}
