namespace BlitQueue.Explorer;

/// <summary>Writes to some words happen only behind the next write to others.</summary>
internal sealed class LateWrite(AccessKind kind, string words, string behind) : Weakness
{
    private readonly List<Access> _held = [];

    public override string Description => $"\"{words}\" is written behind \"{behind}\"";

    public override void Begin() => _held.Clear();

    public override IEnumerable<Access> Distort(Access access, string word)
    {
        if (access.Kind == kind && word.StartsWith(words, StringComparison.Ordinal))
        {
            _held.Add(access);
            return [];
        }
        if (access.Kind != AccessKind.Store || !word.StartsWith(behind, StringComparison.Ordinal))
        {
            return [access];
        }
        Access[] put = [access, .. _held];
        _held.Clear();
        return put;
    }

    public override IEnumerable<Access> Flush() => _held;
}
