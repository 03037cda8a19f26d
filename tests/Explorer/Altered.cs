namespace BlitQueue.Explorer;

/// <summary>Some accesses are others: of another word's value, say, or with another one.</summary>
internal sealed class Altered(string description, Func<Access, string, Access> into) : Weakness
{
    public override string Description => description;

    public override IEnumerable<Access> Distort(Access access, string word) => [into(access, word)];
}
