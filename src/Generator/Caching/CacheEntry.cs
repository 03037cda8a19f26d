namespace BlitQueue.Generator.Caching;

/// <summary>The result of parsing a declaration, and the declarations that the result depends on.</summary>
/// <param name="Model">Null if it is no message, or a message for which nothing can be generated.</param>
/// <param name="Dependencies">
/// Null if the result may depend on something that cannot be tracked: then it is used once and parsed again in the next run.
/// </param>
internal sealed record CacheEntry(MessageModel? Model, Dependency[]? Dependencies)
{
    public bool IsValid(IReadOnlyList<SourceFile> files)
    {
        if (Dependencies is null)
        {
            return false;
        }

        foreach (Dependency dependency in Dependencies)
        {
            if (files[dependency.File].TextOf(dependency.Outermost) != dependency.Text)
            {
                return false;
            }
        }

        return true;
    }
}
