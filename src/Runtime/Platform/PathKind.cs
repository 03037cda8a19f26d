namespace BlitQueue.Platform;

/// <summary>What a path leads to.</summary>
internal enum PathKind
{
    /// <summary>Nothing has this name.</summary>
    Nothing,

    /// <summary>A file, or anything else that is no directory.</summary>
    File,

    /// <summary>A directory.</summary>
    Directory,
}
