namespace BlitQueue.Generator.Caching;

/// <summary>What became of a declaration, and what that came from.</summary>
/// <param name="Model">Null when it is no message, or one that nothing can be generated for.</param>
/// <param name="Dependencies">Null when it came from what nobody can tell: it is of use once.</param>
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
