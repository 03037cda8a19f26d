namespace BlitQueue.Log;

/// <summary>
/// Where a queue stands in a store: what leads to it may be a link anywhere else, where there is no store, and
/// of another name than the store knows.
/// </summary>
/// <param name="Above">The directory that the queue's is in, which may be a store; null for the root.</param>
/// <param name="Name">The queue's name there.</param>
internal readonly record struct QueueLocation(string? Above, string Name)
{
    public static QueueLocation Of(string directory)
    {
        var info = new DirectoryInfo(Path.TrimEndingDirectorySeparator(directory));
        string full = Path.TrimEndingDirectorySeparator(
            (info.LinkTarget is null ? info : info.ResolveLinkTarget(returnFinalTarget: true) ?? info).FullName);
        return new QueueLocation(Path.GetDirectoryName(full), Path.GetFileName(full));
    }
}
