using BlitQueue.Sharing;

namespace BlitQueue;

/// <summary>
/// A reader/writer lock of several processes, for something else that they share: a file, a device, a table in a database.
/// </summary>
/// <example>
/// <code>
/// using var gate = SharedReaderWriterLock.Open("prices");
/// using (gate.AcquireRead())
/// {
///     Read();
/// }
/// </code>
/// </example>
/// <inheritdoc cref="SharedLockable" path="/remarks"/>
public sealed class SharedReaderWriterLock : SharedLockable
{
    private SharedReaderWriterLock(SharedFile file) : base(file)
    {
    }

    /// <summary>Joins the lock with this name, or makes it.</summary>
    /// <inheritdoc cref="SharedMutex.Open" path="/param"/>
    /// <inheritdoc cref="SharedMutex.Open" path="/exception"/>
    public static SharedReaderWriterLock Open(string name, CancellationToken cancellationToken = default) =>
        new(SharedFile.Open(SharedName.PathOf(name), Shape, cancellationToken: cancellationToken));

    /// <summary>Joins the lock in this file, or makes it.</summary>
    /// <inheritdoc cref="SharedMutex.OpenFile" path="/param"/>
    /// <inheritdoc cref="SharedMutex.OpenFile" path="/exception"/>
    public static SharedReaderWriterLock OpenFile(
        string path, UnixFileMode? fileMode = null, CancellationToken cancellationToken = default) =>
        new(SharedFile.Open(SharedName.FileAt(path), Shape, fileMode, cancellationToken));

    private static SharedShape Shape => new(SharedKind.ReaderWriterLock, "", 0, 0);
}
