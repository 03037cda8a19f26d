namespace BlitQueue.Log;

/// <summary>
/// Where a queue is in a store. The path that an opening was given may be a link from elsewhere, whose parent is no store and whose name is
/// not the one that the store knows.
/// </summary>
/// <param name="Above">The parent of the queue's directory, which may be a store; null for the root.</param>
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
