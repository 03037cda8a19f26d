namespace BlitQueue.Platform;

/// <summary>What a file system's files are kept in, as far as it matters to a queue.</summary>
internal enum FileSystemKind
{
    /// <summary>A disk of this machine, or what is not known to be anything else.</summary>
    Disk,

    /// <summary>Memory: a power loss takes everything.</summary>
    Memory,

    /// <summary>Another machine: mapped words and byte locks are not shared as they are here.</summary>
    Network,
}
