namespace BlitQueue.Explorer;

/// <summary>Something is not done at all.</summary>
internal sealed class LeftOut(AccessKind kind, string words = "", long? value = null) : Weakness
{
    public override string Description => $"no {kind} of \"{words}\"";

    public override IEnumerable<Access> Distort(Access access, string word) =>
        access.Kind == kind && word.StartsWith(words, StringComparison.Ordinal) && (value is null || access.Value == value) ? [] : [access];
}
