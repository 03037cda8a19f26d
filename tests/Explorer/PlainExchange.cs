using BlitQueue.Log;

namespace BlitQueue.Explorer;

/// <summary>An exchange of some words is a plain write, which succeeds whatever others have made of the word.</summary>
internal sealed class PlainExchange(string words, LeaseState? from = null, LeaseState? to = null) : Weakness
{
    public override string Description => $"\"{words}\" is written, not exchanged, {from} to {to}";

    public override long? Pretend(Access access, string word) =>
        access.Kind == AccessKind.Exchange && word.EndsWith(words, StringComparison.Ordinal)
        && (from is null || SubscriptionFormat.State(access.Expected) == from)
        && (to is null || SubscriptionFormat.State(access.Value) == to)
            ? access.Expected : null;

    public override IEnumerable<Access> Instead(Access access) => [access with { Kind = AccessKind.Store, Expected = 0 }];
}
