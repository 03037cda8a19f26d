namespace BlitQueue.Platform;

/// <summary>What a path leads to.</summary>
internal enum PathKind
{
    /// <summary>Nothing has this name.</summary>
    Nothing,

    /// <summary>A file, or whatever else is no directory.</summary>
    File,

    /// <summary>A directory.</summary>
    Directory,
}
