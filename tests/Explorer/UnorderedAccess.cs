namespace BlitQueue.Explorer;

/// <summary>Releases, or acquires, of some words are plain instead.</summary>
internal sealed class UnorderedAccess(AccessKind kind, string words) : Weakness
{
    public override string Description => $"{kind} of \"{words}\" without order";

    public override IEnumerable<Access> Distort(Access access, string word) =>
        [access.Kind == kind && word.StartsWith(words, StringComparison.Ordinal)
            ? access with { Kind = kind == AccessKind.Store ? AccessKind.Write : AccessKind.Read } : access];
}
