namespace BlitQueue.Platform;

/// <summary>Where a file system stores its files, as far as it matters to a queue.</summary>
internal enum FileSystemKind
{
    /// <summary>On a disk of this machine, or on anything that is not known to be one of the others.</summary>
    Disk,

    /// <summary>In memory: a power loss takes everything.</summary>
    Memory,

    /// <summary>On another machine: mapped words and byte locks are not shared as they are on one machine.</summary>
    Network,
}
