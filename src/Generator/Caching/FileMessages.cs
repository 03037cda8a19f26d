namespace BlitQueue.Generator.Caching;

/// <summary>The result for one file.</summary>
/// <param name="Types">The result for each of the file's types; null for those that cannot be messages.</param>
/// <param name="Models">The messages among them.</param>
internal sealed record FileMessages(CacheEntry?[] Types, EquatableArray<MessageModel> Models)
{
    public static readonly FileMessages None = new([], EquatableArray<MessageModel>.Empty);
}
