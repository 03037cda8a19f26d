using BlitQueue.Log;

namespace BlitQueue;

public sealed partial class MappedQueue<T>
{
    private const long ExpressSegmentSize = 4 << 20, ExpressCapacity = 16 << 20;

    private static readonly TimeSpan DeletePatience = TimeSpan.FromSeconds(10);

    /// <summary>
    /// Joins the queue of this name in shared memory, making it where there is none: for processes of one user that pass messages and need
    /// none of them after the machine has restarted.
    /// </summary>
    /// <param name="name">1 to 100 letters, digits, '-', '_' and '.', not beginning with a dot.</param>
    /// <param name="options">
    /// null: the defaults. A new queue has a <see cref="QueueOptions.Capacity"/> of 16 MiB, segments of 4 MiB and no checksums, unless the
    /// options say otherwise.
    /// </param>
    /// <param name="cancellationToken">
    /// Ends the wait for a process that is opening, making or deleting the queue. Once this call opens it, the token is not looked at.
    /// </param>
    /// <remarks>
    /// It stands in <c>/dev/shm/blitqueue-&lt;user id&gt;</c>, which is the user's alone, on Linux, elsewhere in the temporary directory.
    /// It outlasts its processes until <see cref="DeleteExpress"/> or a restart.
    /// </remarks>
    /// <exception cref="ArgumentException">The name cannot be one, or an option is out of range.</exception>
    /// <exception cref="QueueException">As for <see cref="Open"/>, or the directory for queues is not the user's own.</exception>
    /// <exception cref="OperationCanceledException">The token was cancelled; nothing was made or changed.</exception>
    /// <example>
    /// <code>
    /// using var ticks = MappedQueue&lt;Tick&gt;.OpenExpress("ticks", new QueueOptions { FullMode = FullMode.DropOldest });
    /// </code>
    /// </example>
    public static MappedQueue<T> OpenExpress(
        string name, QueueOptions? options = null, CancellationToken cancellationToken = default)
    {
        ArgumentNullException.ThrowIfNull(name);
        options = ExpressOptionsOf(options);
        string path = ExpressDirectory.PathOf(name);
        return QueueMeter.CountingDamage(path, () => Join(path, options, ExpressStoreOptionsOf(options, cancellationToken)));
    }

    /// <summary>Deletes the queue of this name in shared memory, with all that is in it.</summary>
    /// <param name="name">The queue's name.</param>
    /// <param name="cancellationToken">Ends the wait for a process that is opening the queue, or leaving it.</param>
    /// <returns>false when there is none.</returns>
    /// <exception cref="ArgumentException">The name cannot be one.</exception>
    /// <exception cref="QueueException">
    /// As for <see cref="MappedQueue.Delete"/>: a process has the queue open, for instance.
    /// </exception>
    /// <exception cref="OperationCanceledException">The token was cancelled; nothing was deleted.</exception>
    public static bool DeleteExpress(string name, CancellationToken cancellationToken = default)
    {
        ArgumentNullException.ThrowIfNull(name);
        return ExpressDirectory.Delete(name, new(DeletePatience, cancellationToken));
    }

    /// <summary>
    /// Makes a queue without a name, in shared memory, for this handle alone: for tests, and between threads. Nothing of it is left after
    /// <see cref="Dispose"/>.
    /// </summary>
    /// <param name="options">null: the defaults, as for <see cref="OpenExpress"/>.</param>
    /// <param name="cancellationToken">Ends the wait for a process that is making such a queue.</param>
    /// <remarks>If the process is killed, the next such call, by any process of the user, removes what it left.</remarks>
    /// <exception cref="ArgumentException">An option is out of range.</exception>
    /// <exception cref="QueueException">As for <see cref="OpenExpress"/>.</exception>
    /// <exception cref="OperationCanceledException">The token was cancelled; nothing was made.</exception>
    public static MappedQueue<T> CreateAnonymous(QueueOptions? options = null, CancellationToken cancellationToken = default)
    {
        options = ExpressOptionsOf(options);
        return ExpressDirectory.MakeAnonymous(new Patience(options.StallTimeout, cancellationToken), path =>
        {
            MappedQueue<T> queue = Join(path, options, ExpressStoreOptionsOf(options, cancellationToken));
            queue._store.Released += () => ExpressDirectory.Remove(path);
            return queue;
        });
    }

    private static QueueOptions ExpressOptionsOf(QueueOptions? options)
    {
        options = QueueOptions.Validated(options);
        const UnixFileMode OwnerAlone = UnixFileMode.UserRead | UnixFileMode.UserWrite;
        return (options.FileMode & ~OwnerAlone) is null or 0
            ? options
            : throw new ArgumentException(
                $"QueueOptions.FileMode is {options.FileMode}, and an express queue is its user's alone. To share one with other users, "
                + "open a directory of your choice, in /dev/shm for instance, by its path.");
    }

    private static StoreOptions ExpressStoreOptionsOf(QueueOptions options, CancellationToken cancellationToken) =>
        StoreOptionsOf(options, cancellationToken) with
        {
            SegmentSizeOfNew = ExpressSegmentSize,
            ChecksumsOfNew = false,
            CapacityOfNew = ExpressCapacity,
        };
}
