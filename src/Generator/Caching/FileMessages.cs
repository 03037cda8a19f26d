namespace BlitQueue.Generator.Caching;

/// <summary>What was found in one file.</summary>
/// <param name="Types">What became of each of the file's types; null for those that cannot be messages.</param>
/// <param name="Models">The messages among them.</param>
internal sealed record FileMessages(CacheEntry?[] Types, EquatableArray<MessageModel> Models)
{
    public static readonly FileMessages None = new([], EquatableArray<MessageModel>.Empty);
}
