using BlitQueue.Log;
using BlitQueue.Memory;

namespace BlitQueue;

public sealed partial class MappedQueue<T>
{
    private StoreMedium? _medium;

    /// <summary>Every message before this position is on the disk, as far as any process knows; it only grows.</summary>
    /// <remarks>In shared memory, where nothing is ever on a disk, it stays at the queue's beginning.</remarks>
    /// <exception cref="ObjectDisposedException">The queue was disposed.</exception>
    public QueuePosition DurablePosition
    {
        get
        {
            using CallGate.Call call = _store.Gate.Enter();
            return new QueuePosition(_store.Sync.Log.Durable);
        }
    }

    /// <summary>
    /// What the file system that the queue is on cannot promise: a sentence for people that names the directory and the file system. null
    /// where it promises everything that docs/durability.md says. A program writes it to its log when it has opened the queue.
    /// </summary>
    public string? FileSystemCaution => _store.Files.Medium.CautionFor(_store.Files.Directory);

    /// <summary>
    /// Appends a message at another level than the one the queue was opened with; otherwise like
    /// <see cref="Enqueue(in T, CancellationToken)"/>.
    /// </summary>
    /// <param name="message">The message.</param>
    /// <param name="durability">What has happened to it when this returns.</param>
    /// <param name="cancellationToken">
    /// Ends the wait for room; nothing was enqueued then. Once the message is enqueued the token is not looked at any more.
    /// </param>
    /// <returns>Where the message stands.</returns>
    /// <exception cref="OperationCanceledException">The token was cancelled; nothing was enqueued.</exception>
    /// <exception cref="QueueFailedException">
    /// As for <see cref="Flush"/>; the message may be enqueued and visible then, and not durable.
    /// </exception>
    /// <exception cref="QueueException">
    /// The queue is in shared memory, where only <see cref="Durability.PageCache"/> can be kept.
    /// </exception>
    /// <exception cref="ArgumentException">No such level; or as for <see cref="Enqueue(in T, CancellationToken)"/>.</exception>
    /// <exception cref="ObjectDisposedException">
    /// The queue was disposed. Where that happened during the wait for the disk, the message is enqueued.
    /// </exception>
    public QueuePosition Enqueue(in T message, Durability durability, CancellationToken cancellationToken = default)
    {
        RequireLevel(durability);
        return new(_producer.Enqueue(in message, properties: null, durability, cancellationToken));
    }

    /// <summary>Appends a message with properties at another level than the one the queue was opened with.</summary>
    /// <param name="message">The message.</param>
    /// <param name="properties">Written before the call returns; what is not set costs nothing.</param>
    /// <param name="durability">What has happened to it when the call returns.</param>
    /// <param name="cancellationToken">
    /// Ends the waits for room and for the append lock; nothing was enqueued then. Once the message is enqueued the token is not looked at
    /// any more.
    /// </param>
    /// <exception cref="ArgumentException">
    /// No such level; or as for <see cref="Enqueue(in T, MessageProperties, CancellationToken)"/>.
    /// </exception>
    /// <inheritdoc cref="Enqueue(in T, Durability, CancellationToken)"/>
    public QueuePosition Enqueue(
        in T message, MessageProperties properties, Durability durability, CancellationToken cancellationToken = default)
    {
        ArgumentNullException.ThrowIfNull(properties);
        RequireLevel(durability);
        return new(_producer.Enqueue(in message, properties, durability, cancellationToken));
    }

    /// <summary>
    /// Appends a message with properties at another level than the one the queue was opened with; otherwise like
    /// <see cref="EnqueueAsync(T, CancellationToken)"/>.
    /// </summary>
    /// <param name="message">The message; packed before the call returns.</param>
    /// <param name="properties">Written before the call returns.</param>
    /// <param name="durability">What has happened to it when the task ends.</param>
    /// <param name="cancellationToken">
    /// Ends the wait for room; nothing was enqueued then. Once the message is enqueued the token is not looked at any more.
    /// </param>
    /// <inheritdoc cref="Enqueue(in T, MessageProperties, Durability, CancellationToken)"/>
    [OverloadResolutionPriority(-1)]
    public async ValueTask<QueuePosition> EnqueueAsync(
        T message, MessageProperties properties, Durability durability, CancellationToken cancellationToken = default)
    {
        ArgumentNullException.ThrowIfNull(properties);
        RequireLevel(durability);
        return await _producer.EnqueueAsync(new ReadOnlySpan<T>(in message), cancellationToken, properties, durability)
            .ConfigureAwait(false);
    }

    /// <summary>
    /// Appends a message at another level than the one the queue was opened with; otherwise like
    /// <see cref="EnqueueAsync(T, CancellationToken)"/>.
    /// </summary>
    /// <param name="message">The message; packed before the call returns.</param>
    /// <param name="durability">What has happened to it when the task ends.</param>
    /// <param name="cancellationToken">
    /// Ends the wait for room; nothing was enqueued then. Once the message is enqueued the token is not looked at any more.
    /// </param>
    /// <inheritdoc cref="Enqueue(in T, Durability, CancellationToken)"/>
    public async ValueTask<QueuePosition> EnqueueAsync(T message, Durability durability, CancellationToken cancellationToken = default)
    {
        RequireLevel(durability);
        return await _producer.EnqueueAsync(new ReadOnlySpan<T>(in message), cancellationToken, durability: durability)
            .ConfigureAwait(false);
    }

    /// <summary>Returns when everything that was enqueued before, by whatever process, is on the disk.</summary>
    /// <param name="cancellationToken">Ends the wait; the disk goes on.</param>
    /// <exception cref="OperationCanceledException">The token was cancelled; what is on the disk is not known.</exception>
    /// <exception cref="QueueFailedException">
    /// The disk refused, now or before: nothing is promised. The queue takes no more messages.
    /// </exception>
    /// <exception cref="QueueException">The queue is in shared memory, where nothing is ever on a disk.</exception>
    /// <exception cref="ObjectDisposedException">The queue was disposed.</exception>
    public void Flush(CancellationToken cancellationToken = default)
    {
        cancellationToken.ThrowIfCancellationRequested();
        RequireDisk("Flush");
        if (cancellationToken.CanBeCanceled)
        {
            // Another thread syncs: a cancelled call could not leave a sync on its own thread.
            _store.Sync.WaitAsync().WaitAsync(cancellationToken).GetAwaiter().GetResult();
        }
        else
        {
            _store.Sync.Wait();
        }
        _store.MoveTimes();
    }

    /// <summary>Like <see cref="Flush"/>, without a thread that waits.</summary>
    /// <exception cref="ObjectDisposedException">The queue was disposed, possibly during the wait.</exception>
    /// <inheritdoc cref="Flush"/>
    public async ValueTask FlushAsync(CancellationToken cancellationToken = default)
    {
        cancellationToken.ThrowIfCancellationRequested();
        RequireDisk("FlushAsync");
        await _store.Sync.WaitAsync().WaitAsync(cancellationToken).ConfigureAwait(false);
        _store.MoveTimes();
    }

    private void RequireLevel(Durability durability)
    {
        if (!Enum.IsDefined(durability))
        {
            throw new ArgumentException($"{durability} is no Durability.", nameof(durability));
        }
        if (durability != Durability.PageCache)
        {
            RequireDisk($"Durability.{durability}");
        }
    }

    private void RequireDisk(string what) => RequireDisk(Path, _medium ??= StoreMedium.Of(Path), what);

    private static void RequireDisk(string path, StoreMedium medium, string what)
    {
        if (medium.IsMemory)
        {
            throw new QueueException(
                $"{System.IO.Path.GetFullPath(path)} is in memory ({medium.Name}), where nothing outlives a power loss: {what} promises "
                + "what cannot be kept there. Choose a directory on a disk, or stay with Durability.PageCache, which promises nothing "
                + "beyond the life of the system.")
            { Reason = QueueError.NotOnDisk, Path = System.IO.Path.GetFullPath(path) };
        }
    }
}
