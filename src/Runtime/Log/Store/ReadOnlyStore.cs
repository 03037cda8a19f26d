using BlitQueue.Memory;
using BlitQueue.Platform;

namespace BlitQueue.Log;

/// <summary>
/// A queue's files for a process that may only read them: mapped for reading, without a lock, and not visible to other processes.
/// </summary>
internal sealed class ReadOnlyStore : IReadableLog
{
    private readonly QueueFiles _files;

    // null if its words are from before a restart of the machine and no opening has rebuilt them yet.
    private readonly ControlFile? _control;

    private ReadOnlyStore(QueueFiles files, QueueMeta meta, ControlFile? control)
    {
        (_files, Meta, _control) = (files, meta, control);
        Gate = new CallGate(Release, () => Disposed.Of("QueueReader", $"{files.Directory}: the reader"));
        Segments = new SegmentCache(files, meta, Gate, control);
    }

    public string Directory => _files.Directory;

    public CallGate Gate { get; }

    public SegmentCache Segments { get; }

    public QueueMeta Meta { get; }

    public QueueFiles Files => _files;

    /// <summary>null if nothing that it says counts: the log alone does.</summary>
    public ControlFile? Control => _control;

    /// <param name="path">The queue's directory.</param>
    /// <param name="schema">What the reader unpacks; null if it takes the bytes of any message.</param>
    /// <exception cref="QueueException">There is no queue, or the process may not read it.</exception>
    public static ReadOnlyStore Open(string path, MessageSchema? schema)
    {
        ArgumentException.ThrowIfNullOrWhiteSpace(path);
        StoreMedium.RefuseNetwork(path);
        var files = new QueueFiles(Path.TrimEndingDirectorySeparator(Path.GetFullPath(path)), default, FileAccess.Read);
        try
        {
            StoreCheck.VerifyNoRepair(files);
            var meta = QueueMeta.Read(files);
            StoreCheck.VerifySane(files, meta);
            if (schema is not null)
            {
                SchemaRegistry.RequireReadable(files, meta, schema);
            }
            return new ReadOnlyStore(files, meta, OpenControl(files, meta));
        }
        catch (UnauthorizedAccessException exception)
        {
            throw new QueueException(
                $"{files.Directory}: this user has no right to read it ({exception.Message}). Make the queue with a FileMode that gives "
                    + "it.", exception)
            { Reason = QueueError.AccessDenied, Path = files.Directory };
        }
        catch (IOException exception) when (exception is FileNotFoundException or DirectoryNotFoundException)
        {
            throw new QueueException(
                $"{files.Directory} is no queue: there is no {StoreFormat.MetaName}. A reader makes none; give the path of a queue.",
                exception)
            { Reason = QueueError.NotFound, Path = files.Directory };
        }
        catch (IOException exception)
        {
            throw SystemFailure.Of(files.Directory, exception);
        }
    }

    public long FirstRetainedPosition => Meta.FirstOf(_control is null ? SegmentNames.In(_files, Meta).Min : _control.FirstRetained);

    // A deletion that cannot move the directory, as on Windows, leaves it there with its mark and with what this handle has mapped.
    public long OldestNeeded => QueueDeletion.IsMarked(Directory)
        ? throw new DirectoryNotFoundException($"{Directory} was deleted.")
        : SubscriptionFile.Names(_files)
            .Select(name => PositionCheck.Next(_files, Meta, name) ?? long.MaxValue)
            .Append(long.MaxValue)
            .Min();

    private static ControlFile? OpenControl(QueueFiles files, QueueMeta meta)
    {
        if (!files.Exists(StoreFormat.ControlName))
        {
            return null;
        }
        var control = new ControlFile(files.Map(StoreFormat.ControlName, ControlFormat.Size));
        if (control.Belongs(meta.Id) && control.IsAsLeft(files.PathOf(StoreFormat.ControlName)))
        {
            return control;
        }
        control.Dispose();
        return null;
    }

    private void Release()
    {
        Segments.Dispose();
        _control?.Dispose();
    }
}
