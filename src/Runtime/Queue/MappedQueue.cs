using BlitQueue.Log;
using BlitQueue.Memory;

namespace BlitQueue;

/// <summary>
/// A typed queue in a directory. Any number of processes and threads enqueue and dequeue; what was enqueued is kept when any of them is
/// killed.
/// </summary>
/// <typeparam name="T">A message: a partial type with <see cref="QueueMessageAttribute"/>.</typeparam>
/// <remarks>
/// <para>
/// Instances may be used from any thread. One per process and directory is enough. Messages come out in the order in which they were
/// enqueued; several consumers compete for them, and each gets every message that no other got.
/// </para>
/// <para>
/// The queue's own dequeueing calls take from its subscription <c>default</c>, and what they have taken is consumed.
/// <see cref="Subscribe"/> gives leases, whose messages go to another consumer when one is killed, and subscriptions that each see every
/// message. <see cref="QueueOptions.Durability"/> says what a power loss may take; <see cref="MappedStore"/> has transactions over several
/// queues, <see cref="MappedLanes{T}"/> priorities, <see cref="MessageProperties"/> what stands beside a message, <see cref="RawMessage"/>
/// bytes in place of objects, <see cref="OpenExpress"/> queues in shared memory.
/// </para>
/// </remarks>
/// <example>
/// <code>
/// using var orders = MappedQueue&lt;Order&gt;.Open("orders");   // a directory; made when absent, joined when another process has it
/// orders.Enqueue(in order);                                   // packed straight into the mapped file
///
/// Order? next = null;
/// while (orders.TryDequeue(ref next)) Handle(next!);          // unpacked into the same instance
/// </code>
/// </example>
public sealed partial class MappedQueue<T> : IMeasured, IDisposable, IAsyncDisposable
    where T : IPackable<T>
{
    private readonly QueueStore _store;
    private readonly Producer<T> _producer;
    private readonly SubscriptionAdmin _admin;
    private readonly StatusReader _status;
    private readonly DeadLetterQueues<T> _deadLetters;
    private Subscription<T>? _default;

    private MappedQueue(QueueStore store, QueueOptions options)
    {
        _store = store;
        store.Reuse();
        store.Clock = options.TimeProvider == TimeProvider.System ? HandleClock.OfSystem : new HandleClock(options.TimeProvider);
        _producer = new Producer<T>(store, options, this);
        _admin = new SubscriptionAdmin(store, options.StallTimeout);
        _status = new StatusReader(store);
        _deadLetters = new DeadLetterQueues<T>(store, _producer, options);
        if (store.Subscriptions.Find(StoreCreator.DefaultSubscription) is { } file)
        {
            _default = SubscriptionOf(file, new SubscriptionOptions());
        }
        Measure();
        // A process that was killed may have kept them for its next large message.
        store.Allocator.DeleteManyPassedInBackground();
    }

    /// <summary>The queue's directory, absolute.</summary>
    public string Path => _store.Files.Directory;

    /// <summary>
    /// The queue's identity, given when it was made: another queue that is made at the same path later has another one, a copy of the
    /// directory has the same.
    /// </summary>
    public Guid Id => _store.Meta.Id;

    /// <summary>
    /// What opening this handle found and did after a restart of the machine, a failed sync or the loss of a file: what was damaged, where,
    /// and where files are kept as they were. null where nothing was.
    /// </summary>
    public RecoveryReport? Recovered => _store.Recovered;

    /// <summary>
    /// The stretches of the log, oldest first, by which a message has a name of its own also where positions are used again; the first one
    /// begins at 0. They stay the same for as long as this handle is open.
    /// </summary>
    /// <exception cref="QueueCorruptException">Their table is damaged. A repair, or the next recovery, begins another one.</exception>
    /// <exception cref="ObjectDisposedException">The queue was disposed.</exception>
    public IReadOnlyList<QueueEpoch> Epochs
    {
        get
        {
            using CallGate.Call call = _store.Gate.Enter();
            StoreCheck.VerifyEpochs(_store.Files, _store.Control);
            return EpochTable.Read(_store.Control);
        }
    }

    /// <summary>For tests: who syncs, and how often.</summary>
    internal GroupCommit Sync => _store.Sync;

    /// <summary>Joins the queue in a directory, making both where they do not exist.</summary>
    /// <param name="path">The directory: a queue's, empty, or not there yet.</param>
    /// <param name="options">null: the defaults.</param>
    /// <param name="cancellationToken">
    /// Ends the wait for a process that is opening, making or deleting the queue. Once this call opens it, the token is not looked at.
    /// </param>
    /// <exception cref="OperationCanceledException">The token was cancelled; nothing was made or changed.</exception>
    /// <exception cref="QueueException">
    /// The path is a file, holds other files, gives no rights, has a newer format, is on a network file system, is open 1,024 times
    /// already, or is in memory where <see cref="QueueOptions.Durability"/> asks for a disk; the message says which, and what to do.
    /// </exception>
    /// <exception cref="QueueStalledException">
    /// A process that does not run has been opening the queue for <see cref="QueueOptions.StallTimeout"/>.
    /// </exception>
    /// <exception cref="SchemaMismatchException">The directory holds another message type.</exception>
    /// <exception cref="QueueFullException">The disk has no room for the first segment. Nothing stays behind.</exception>
    /// <exception cref="QueueCorruptException">The directory holds what cannot be a queue's.</exception>
    /// <exception cref="ArgumentException">An option is out of range, or differs from what the queue was made with.</exception>
    public static MappedQueue<T> Open(string path, QueueOptions? options = null, CancellationToken cancellationToken = default)
    {
        options = QueueOptions.Validated(options);
        ArgumentException.ThrowIfNullOrWhiteSpace(path);
        return QueueMeter.CountingDamage(path, () => Join(path, options, StoreOptionsOf(options, cancellationToken)));
    }

    private static StoreOptions StoreOptionsOf(QueueOptions options, CancellationToken cancellationToken) => new()
    {
        SegmentSize = options.SegmentSize,
        UseChecksums = options.UseChecksums,
        FileMode = options.FileMode,
        Patience = new Patience(options.StallTimeout, cancellationToken),
        Capacity = options.Capacity,
        CheckCapacity = options.CheckCapacity,
        CreateDefaultSubscription = options.CreateDefaultSubscription,
        Schema = T.Schema,
    };

    private static MappedQueue<T> Join(string path, QueueOptions options, StoreOptions storeOptions)
    {
        if (options.Durability != Durability.PageCache)
        {
            RequireDisk(path, StoreMedium.Of(path), $"QueueOptions.Durability {options.Durability}");
        }
        var store = QueueStore.Open(path, storeOptions);
        try
        {
            Set(store, options);
            return new MappedQueue<T>(store, options);
        }
        catch
        {
            store.Dispose();
            throw;
        }
    }

    // What is the queue's, for all who have it open.
    private static void Set(QueueStore store, QueueOptions options)
    {
        using CallGate.Call call = store.Gate.Enter();
        store.Retention.Retain(options.RetainBytes, options.RetainFor);
        if (options.Capacity is { } capacity)
        {
            store.SetCapacity(capacity);
        }
    }

    /// <summary>
    /// Appends a message. When this returns, every process sees the whole message. If it throws, no process ever sees it, except where
    /// <see cref="Durability.Commit"/> had to wait for the disk: see the exceptions.
    /// </summary>
    /// <param name="message">The message.</param>
    /// <param name="cancellationToken">
    /// Ends the waits for room and for the append lock; nothing was enqueued then. Once the message is enqueued, and only the disk is
    /// waited for, the token is not looked at any more.
    /// </param>
    /// <returns>
    /// Where the message stands: unique in the queue, never used again, and the same as its <see cref="Lease{T}.Position"/>.
    /// </returns>
    /// <exception cref="OperationCanceledException">The token was cancelled; nothing was enqueued.</exception>
    /// <exception cref="ArgumentNullException">null is not a message.</exception>
    /// <exception cref="QueueFullException">
    /// No room on the disk, or within the capacity where <see cref="FullMode.Fail"/> is chosen.
    /// </exception>
    /// <exception cref="QueueStalledException">
    /// A process that does not run has held the append lock for <see cref="QueueOptions.StallTimeout"/>.
    /// </exception>
    /// <exception cref="ArgumentException">
    /// The message is longer than <see cref="QueueOptions.MaxMessageSize"/> or the capacity.
    /// </exception>
    /// <exception cref="PackException">The message cannot be packed.</exception>
    /// <exception cref="QueueFailedException">
    /// The disk refused a sync, of this process or another, and the queue takes no more messages. With <see cref="Durability.Commit"/> it
    /// may have been the sync that this call waited for: the message is enqueued and visible then, and not durable; the text says which.
    /// </exception>
    /// <exception cref="ObjectDisposedException">
    /// The queue was disposed. Where that happened during the wait for the disk, the message is enqueued.
    /// </exception>
    public QueuePosition Enqueue(in T message, CancellationToken cancellationToken = default) =>
        new(_producer.Enqueue(in message, cancellationToken));

    /// <summary>
    /// Like <see cref="Enqueue(in T, CancellationToken)"/>, but never waits for room, whatever <see cref="QueueOptions.FullMode"/> says.
    /// With <see cref="Durability.Commit"/> it waits for the disk.
    /// </summary>
    /// <param name="message">The message.</param>
    /// <returns>false when the queue or the disk is full: nothing was enqueued.</returns>
    /// <exception cref="QueueStalledException">
    /// A process that does not run holds the append lock; thrown after at most 50 ms, or after 5 s where the system does not tell whether
    /// it runs.
    /// </exception>
    /// <inheritdoc cref="Enqueue(in T, CancellationToken)"/>
    public bool TryEnqueue(in T message) => _producer.TryEnqueue(in message) >= 0;

    /// <summary>Like <see cref="TryEnqueue(in T)"/>, and tells where the message stands.</summary>
    /// <param name="message">The message.</param>
    /// <param name="position">Its position; where false is returned <c>default</c>, which is no message's.</param>
    /// <inheritdoc cref="TryEnqueue(in T)"/>
    public bool TryEnqueue(in T message, out QueuePosition position)
    {
        long enqueued = _producer.TryEnqueue(in message);
        position = new QueuePosition(Math.Max(enqueued, 0));
        return enqueued >= 0;
    }

    /// <summary>Appends messages that become visible together, or not at all, even if a process dies in the middle.</summary>
    /// <param name="messages">Any number; none does nothing.</param>
    /// <param name="cancellationToken">
    /// Ends the waits for room and for the append lock; nothing was enqueued then. Once the messages are enqueued the token is not looked
    /// at any more.
    /// </param>
    /// <returns>Where the first message stands; <c>default</c>, which is no message's, where there are none.</returns>
    /// <exception cref="ArgumentNullException">One is null; none was enqueued.</exception>
    /// <exception cref="ArgumentException">
    /// A message is longer than <see cref="QueueOptions.MaxMessageSize"/>, or all together are longer than the capacity or than 2 GiB.
    /// </exception>
    /// <exception cref="PackException">One cannot be packed; none was enqueued.</exception>
    /// <inheritdoc cref="Enqueue(in T, CancellationToken)"/>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public QueuePosition EnqueueBatch(ReadOnlySpan<T> messages, CancellationToken cancellationToken = default) =>
        new(_producer.EnqueueBatch(messages, cancellationToken));

    /// <summary>
    /// Appends messages that become visible together, or not at all; as
    /// <see cref="EnqueueBatch(ReadOnlySpan{T}, CancellationToken)"/>. They are enumerated before anything is appended.
    /// </summary>
    /// <param name="messages">
    /// Any number; none does nothing. If its enumeration throws, the caller gets that exception, and nothing was enqueued.
    /// </param>
    /// <param name="cancellationToken">Ends the waits for room and for the append lock; nothing was enqueued then.</param>
    /// <inheritdoc cref="EnqueueBatch(ReadOnlySpan{T}, CancellationToken)"/>
    [OverloadResolutionPriority(-1)]
    public QueuePosition EnqueueBatch(IEnumerable<T> messages, CancellationToken cancellationToken = default)
    {
        ArgumentNullException.ThrowIfNull(messages);
        return EnqueueBatch(messages is T[] array ? array : [.. messages], cancellationToken);
    }

    /// <summary>
    /// Like <see cref="EnqueueBatch(ReadOnlySpan{T}, CancellationToken)"/>, but never waits for room, whatever
    /// <see cref="QueueOptions.FullMode"/> says. With <see cref="Durability.Commit"/> it waits for the disk.
    /// </summary>
    /// <param name="messages">Any number; for none it returns true.</param>
    /// <returns>false when there is no room for all of them: none was enqueued.</returns>
    /// <exception cref="QueueStalledException">
    /// A process that does not run holds the append lock; thrown after at most 50 ms, or after 5 s where the system does not tell whether
    /// it runs.
    /// </exception>
    /// <inheritdoc cref="EnqueueBatch(ReadOnlySpan{T}, CancellationToken)"/>
    public bool TryEnqueueBatch(ReadOnlySpan<T> messages) => TryEnqueueBatch(messages, out _);

    /// <summary>Like <see cref="TryEnqueueBatch(ReadOnlySpan{T})"/>, and tells where the first message stands.</summary>
    /// <param name="messages">Any number; for none it returns true.</param>
    /// <param name="first">
    /// The first message's position; where false is returned, or there are none, <c>default</c>, which is no message's.
    /// </param>
    /// <inheritdoc cref="TryEnqueueBatch(ReadOnlySpan{T})"/>
    public bool TryEnqueueBatch(ReadOnlySpan<T> messages, out QueuePosition first)
    {
        long enqueued = _producer.TryEnqueueBatch(messages);
        first = new QueuePosition(Math.Max(enqueued, 0));
        return enqueued >= 0;
    }

    /// <summary>Takes and consumes the next message of the default subscription, if there is one. Never waits.</summary>
    /// <exception cref="QueueException">The queue has no default subscription, or another consumer has it for itself alone.</exception>
    /// <inheritdoc cref="Subscription{T}.TryDequeue(ref T)"/>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public bool TryDequeue([NotNullWhen(true)] ref T? message) => Default.TryDequeue(ref message);

    /// <summary>Reads the next message of the default subscription without taking it, if there is one. Never waits.</summary>
    /// <inheritdoc cref="Subscription{T}.TryPeek(ref T)"/>
    public bool TryPeek([NotNullWhen(true)] ref T? message) => Default.TryPeek(ref message);

    /// <summary>
    /// Takes several messages of the default subscription in one step: as many as there are, at most so many. Never waits.
    /// </summary>
    /// <exception cref="QueueException">The queue has no default subscription, or another consumer has it for itself alone.</exception>
    /// <inheritdoc cref="Subscription{T}.TryDequeue(Span{T})"/>
    public int TryDequeue(Span<T?> messages) => Default.TryDequeue(messages);

    /// <summary>Takes the next message of the default subscription, waiting until there is one: spins, then sleeps in the kernel.</summary>
    /// <exception cref="QueueException">The queue has no default subscription, or another consumer has it for itself alone.</exception>
    /// <inheritdoc cref="Subscription{T}.Dequeue(ref T, CancellationToken)"/>
    public void Dequeue([NotNull] ref T? message, CancellationToken cancellationToken = default) =>
        Default.Dequeue(ref message, cancellationToken);

    /// <summary>Takes the next message of the default subscription into a new instance, waiting until there is one.</summary>
    /// <exception cref="QueueException">The queue has no default subscription, or another consumer has it for itself alone.</exception>
    /// <inheritdoc cref="Subscription{T}.Dequeue(CancellationToken)"/>
    public T Dequeue(CancellationToken cancellationToken = default) => Default.Dequeue(cancellationToken);

    /// <summary>Takes the next message of the default subscription, waiting for so long until there is one.</summary>
    /// <exception cref="QueueException">The queue has no default subscription, or another consumer has it for itself alone.</exception>
    /// <inheritdoc cref="Subscription{T}.Dequeue(ref T, TimeSpan, CancellationToken)"/>
    public bool Dequeue([NotNullWhen(true)] ref T? message, TimeSpan timeout, CancellationToken cancellationToken = default) =>
        Default.Dequeue(ref message, timeout, cancellationToken);

    /// <summary>Passes the hole that the next call on the default subscription would meet.</summary>
    /// <inheritdoc cref="Subscription{T}.SkipCorrupt"/>
    public bool SkipCorrupt() => Default.SkipCorrupt();

    /// <summary>A cursor that reads messages without taking them and without holding anything back.</summary>
    /// <param name="from">A lease's or cursor's position, <see cref="QueuePosition.Oldest"/> or <see cref="QueuePosition.Newest"/>.</param>
    /// <exception cref="QueueException">The position is no longer on disk, or no message begins there.</exception>
    /// <exception cref="ObjectDisposedException">The queue was disposed.</exception>
    public QueueCursor<T> OpenCursor(QueuePosition from)
    {
        using CallGate.Call call = _store.Gate.Enter();
        return new QueueCursor<T>(_store, _admin, from);
    }

    /// <summary>Drops every message that is not leased, for all subscriptions, and what is retained; gives the disk space back.</summary>
    /// <exception cref="ObjectDisposedException">The queue was disposed.</exception>
    public void Purge()
    {
        using CallGate.Call call = _store.Gate.Enter();
        _admin.Purge();
    }

    /// <summary>
    /// How the queue stands, read without a lock while others go on. The first call counts what waits, message by message; later ones only
    /// what is new.
    /// </summary>
    /// <exception cref="ObjectDisposedException">The queue was disposed.</exception>
    public QueueStatus GetStatus()
    {
        using CallGate.Call call = _store.Gate.Enter();
        // Completes what a dead process had committed, so that it counts.
        _store.Transactions.TryComplete();
        _store.Ended.TryRemove();
        return _status.Read(CountLetters);
    }

    // Letters that this handle has not opened are only looked at: an opening may have to wait for another process.
    private long CountLetters(string subscription) =>
        _deadLetters.CountOf(subscription) ?? QueueLook.CountLetters(_store.Files, subscription);

    private Subscription<T> SubscriptionOf(SubscriptionFile file, SubscriptionOptions options) =>
        new(_store, _admin, _deadLetters, _producer.Options.SpinDuration, file, options);

    internal QueueStore Store => _store;

    internal Producer<T> Producer => _producer;

    internal Subscription<T> Default
    {
        [MethodImpl(MethodImplOptions.AggressiveInlining)]
        get => _default ?? FindDefault();
    }

    // Another handle may have made it meanwhile.
    [MethodImpl(MethodImplOptions.NoInlining)]
    private Subscription<T> FindDefault()
    {
        using CallGate.Call call = _store.Gate.Enter();
        SubscriptionFile file = _store.Subscriptions.Find(StoreCreator.DefaultSubscription) ?? throw new QueueException(
            $"{Path} has no subscription 'default' (QueueOptions.CreateDefaultSubscription). Consume from a Subscription, "
            + "or make it with Subscribe(\"default\").")
        { Reason = QueueError.NoDefaultSubscription, Path = Path };
        return _default = SubscriptionOf(file, new SubscriptionOptions());
    }

    /// <summary>
    /// Gives back descriptors and mappings, at once or when the last call that is running on another thread ends; waiting calls end with
    /// <see cref="ObjectDisposedException"/>. Leases of this handle go to other consumers.
    /// </summary>
    public void Dispose()
    {
        _producer.Dispose();
        _store.Dispose();
    }

    /// <summary>Like <see cref="Dispose"/>, on the thread pool: what is to be flushed takes as long as the disk does.</summary>
    public ValueTask DisposeAsync() => new(Task.Run(Dispose));

    /// <summary>
    /// Raised when an enqueue of this handle has waited for room within the capacity for a second. It says which subscription holds the
    /// room, since when, and whether any consumer takes from it. Raised once in such a wait, on the thread pool; what a handler throws goes
    /// to <see cref="TaskScheduler.UnobservedTaskException"/>.
    /// </summary>
    public event EventHandler<RoomHolder>? RoomAwaited
    {
        add => _producer.Room.Awaited += value;
        remove => _producer.Room.Awaited -= value;
    }

    /// <summary>
    /// Raised when a call of this handle throws a <see cref="QueueStalledException"/>: a process lives, is stopped inside of an append, and
    /// no process can enqueue meanwhile. It has that exception. Raised at most once in ten seconds, on the thread pool; what a handler
    /// throws goes to <see cref="TaskScheduler.UnobservedTaskException"/>.
    /// </summary>
    public event EventHandler<QueueStalledException>? Stalled
    {
        add => _producer.Stalls.Met += value;
        remove => _producer.Stalls.Met -= value;
    }

    /// <summary>
    /// Raised when an enqueue of this handle has made more bytes wait than <see cref="QueueOptions.SoftLimit"/>. It is raised again only
    /// after fewer bytes have waited in between, which enqueues of this handle notice after a sixteenth of the limit at the latest.
    /// </summary>
    /// <remarks>
    /// Raised on the thread pool, so handlers may use the queue. What a handler throws goes to
    /// <see cref="TaskScheduler.UnobservedTaskException"/>; other handlers and the queue go on. Never raised without a soft limit.
    /// </remarks>
    public event EventHandler<QueueFill>? SoftLimitReached
    {
        add => _producer.SoftLimit?.Exceeded += value;
        remove => _producer.SoftLimit?.Exceeded -= value;
    }
}
