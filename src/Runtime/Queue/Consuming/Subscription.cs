using BlitQueue.Log;
using BlitQueue.Memory;

namespace BlitQueue;

/// <summary>
/// The consumer side of one subscription: a durable position whose consumers, in whatever process, compete for the messages.
/// </summary>
/// <typeparam name="T">The queue's message type.</typeparam>
/// <remarks>May be used from any thread. <see cref="MappedQueue{T}.Subscribe"/> gives it; it lives as long as its queue.</remarks>
/// <example>
/// <code>
/// using Subscription&lt;Order&gt; consumer = orders.Subscribe("default");
/// Order? order = null;
/// using Lease&lt;Order&gt; lease = consumer.Receive();
/// lease.ReadInto(ref order);
/// Save(order!);
/// lease.Commit();          // killed before this line, the message goes to another consumer
/// </code>
/// </example>
public sealed partial class Subscription<T> : IMessageSource<T>, ITakeable<T>, IDisposable, IAsyncDisposable
    where T : IPackable<T>
{
    private const int LooksPerRound = 32;

    private readonly QueueStore _store;
    private readonly SubscriptionAdmin _admin;
    private readonly SubscriptionFile _file;
    private readonly Cursor<MachineMemory> _cursor;
    private readonly LeaseTable<MachineMemory> _leases;
    private readonly DeadLetterQueues<T> _deadLetters;
    private readonly SubscriptionOptions _options;
    private readonly TimeSpan _spinDuration;
    private readonly AtomicFlag _disposed = new();
    private readonly CallGate _gate;
    private readonly Tally _given;

    internal Subscription(
        QueueStore store, SubscriptionAdmin admin, DeadLetterQueues<T> deadLetters, TimeSpan spinDuration,
        SubscriptionFile file, SubscriptionOptions options, object? seat = null)
    {
        using CallGate.Call call = store.Gate.Enter();
        _store = store;
        _gate = store.Gate;
        _gateNumber = store.Gate.Number;
        _admin = admin;
        _file = file;
        _given = store.Deliveries.Join(file.Name);
        _seat = seat ?? this;
        _deadLetters = deadLetters;
        _options = options;
        _spinDuration = spinDuration;
        _cursor = store.CursorOf<MachineMemory>(file, entering: Join, LimitOf(store, options));
        _leases = new LeaseTable<MachineMemory>(
            file, _cursor, store.Control, store.Self, store.Transactions, options.VisibilityTimeout, store.Clock.Milliseconds);
        if (options.Exclusive || options.SingleConsumer)
        {
            _alone = new Lock();
            ClaimAlone();
        }
        store.Releasing += _cursor.Dispose;
    }

    /// <summary>The subscription's name.</summary>
    public string Name => _file.Name;

    /// <summary>
    /// What this subscription has set aside; made on disk when it is first asked for. The first time it may wait for another process that
    /// opens it, for <see cref="QueueOptions.StallTimeout"/> if that one is stopped: <see cref="OpenDeadLetters"/> takes a token.
    /// </summary>
    /// <exception cref="QueueException">As <see cref="MappedQueue{T}.Open"/>.</exception>
    /// <exception cref="ObjectDisposedException">The queue was disposed.</exception>
    public DeadLetterQueue<T> DeadLetters => OpenDeadLetters();

    /// <summary>As <see cref="DeadLetters"/>, with a token that ends the wait for another process.</summary>
    /// <param name="cancellationToken">Ends the wait for a process that opens the same dead letters.</param>
    /// <returns>The same object each time.</returns>
    /// <exception cref="OperationCanceledException">The token was cancelled.</exception>
    /// <inheritdoc cref="DeadLetters"/>
    public DeadLetterQueue<T> OpenDeadLetters(CancellationToken cancellationToken = default)
    {
        cancellationToken.ThrowIfCancellationRequested();
        using CallGate.Call call = _store.Gate.Enter();
        return _deadLetters.Of(Name, cancellationToken);
    }

    /// <summary>
    /// How many messages producers have dropped (<see cref="FullMode.DropOldest"/>) before this
    /// subscription came to them, since it was made.
    /// </summary>
    /// <exception cref="ObjectDisposedException">The queue was disposed.</exception>
    public long Dropped
    {
        get
        {
            using CallGate.Call call = _store.Gate.Enter();
            return MachineMemory.Load(ref _file.Dropped);
        }
    }

    /// <summary>Takes and consumes the next message, if there is one. Never waits.</summary>
    /// <param name="message">
    /// An instance to fill, or null to get a new one. Where false is returned its content may have changed: another consumer may have
    /// been faster.
    /// </param>
    /// <returns>false when there is none.</returns>
    /// <exception cref="QueueCorruptException">
    /// The next message is damaged. The position stays; <see cref="SkipCorrupt"/> steps over.
    /// </exception>
    /// <exception cref="QueueException">The subscription was deleted, or another consumer has it for itself alone.</exception>
    /// <exception cref="QueueFullException">
    /// Only messages are left that are to become dead letters, and the disk has no room for one. They are tried again once a second.
    /// </exception>
    /// <exception cref="QueueStalledException">
    /// Only such messages are left, and a process that does not run has delayed dead letters for
    /// <see cref="QueueOptions.StallTimeout"/>. They are tried again once a second.
    /// </exception>
    /// <exception cref="InvalidOperationException">It is exclusive, and a lease is open: the next message comes after that.</exception>
    /// <exception cref="ObjectDisposedException">The queue was disposed.</exception>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public bool TryDequeue([NotNullWhen(true)] ref T? message)
    {
        return (T.FixedLength > 0 && TryDequeueFixed(ref message)) || TryDequeueChecked(ref message);
    }

    /// <summary>Takes and consumes the next message into a new instance, waiting until there is one.</summary>
    /// <param name="cancellationToken">Ends the wait.</param>
    /// <returns>A new instance, which is the caller's to keep.</returns>
    /// <inheritdoc cref="Dequeue(ref T, CancellationToken)"/>
    public T Dequeue(CancellationToken cancellationToken = default)
    {
        T? message = default;
        Dequeue(ref message, cancellationToken);
        return message;
    }

    /// <summary>Takes and consumes the next message, waiting until there is one: spins, then sleeps in the kernel.</summary>
    /// <param name="message">An instance to fill, or null to get a new one.</param>
    /// <param name="cancellationToken">Ends the wait.</param>
    /// <exception cref="OperationCanceledException">The token was cancelled; no message was taken.</exception>
    /// <exception cref="QueueException">
    /// The subscription was deleted, or another consumer has it for itself alone, or the queue's directory was deleted or replaced
    /// (<see cref="QueueError.DirectoryReplaced"/>), so that no message would come.
    /// </exception>
    /// <exception cref="ObjectDisposedException">The queue was disposed, possibly during the wait.</exception>
    /// <inheritdoc cref="TryDequeue(ref T)"/>
    public void Dequeue([NotNull] ref T? message, CancellationToken cancellationToken = default)
    {
        cancellationToken.ThrowIfCancellationRequested();
        while (!TryDequeue(ref message))
        {
            WaitForMessage(cancellationToken);
        }
    }

    /// <summary>Takes and consumes the next message, waiting for so long until there is one.</summary>
    /// <param name="message">An instance to fill, or null to get a new one; its content may have changed where false is returned.</param>
    /// <param name="timeout">Zero does not wait; <see cref="Timeout.InfiniteTimeSpan"/> waits for ever.</param>
    /// <param name="cancellationToken">Ends the wait.</param>
    /// <returns>false when the time was over before there was one.</returns>
    /// <exception cref="ArgumentOutOfRangeException">The time is negative, and not infinite.</exception>
    /// <inheritdoc cref="Dequeue(ref T, CancellationToken)"/>
    public bool Dequeue([NotNullWhen(true)] ref T? message, TimeSpan timeout, CancellationToken cancellationToken = default)
    {
        cancellationToken.ThrowIfCancellationRequested();
        var deadline = new Deadline(timeout);
        return TryDequeue(ref message) || ((ITakeable<T>)this).TryTakeUntil(deadline, ref message, cancellationToken);
    }

    /// <summary>
    /// Passes the hole that the next call would meet: what is damaged or missing up to the next message that is whole, or to the log's end.
    /// </summary>
    /// <returns>false when the next message is whole, or there is none.</returns>
    /// <exception cref="QueueCorruptException">
    /// The damage hides where the log goes on; <see cref="MappedQueue.Repair"/> finds it.
    /// </exception>
    public bool SkipCorrupt()
    {
        using CallGate.Call call = _store.Gate.Enter();
        if (_alone is null)
        {
            return SkipNextCorrupt();
        }
        lock (_alone)
        {
            return SkipNextCorrupt();
        }
    }

    private bool SkipNextCorrupt()
    {
        Join();
        if (_cursor.HasLeases && _leases.TryTakeEarlier(out LeaseToken earlier))
        {
            return SkipLeased(earlier);
        }
        for (; ; )
        {
            long nextWord = _cursor.NextWord;
            if (FindDamage() is not { } damage)
            {
                return false;
            }
            _cursor.Reader.Met(damage);
            if (_cursor.TryConsume(nextWord, damage.Hole?.End ?? throw damage))
            {
                return true;
            }
        }
    }

    private QueueCorruptException? FindDamage(LeaseToken? lease = null)
    {
        try
        {
            return lease is { } held ? DamageOf(_cursor.Reader.At(held.Position))
                : _cursor.TryFind(out RecordRef found) ? DamageOf(found)
                : null;
        }
        catch (QueueCorruptException exception)
        {
            return exception;
        }
    }

    /// <summary>Makes the message at a position the next one, for all consumers of the subscription. Open leases stay open.</summary>
    /// <param name="position">
    /// A lease's <see cref="Lease{T}.Position"/>, <see cref="QueuePosition.Oldest"/> or <see cref="QueuePosition.Newest"/>.
    /// </param>
    /// <exception cref="QueueException">The position is no longer on disk, or no message begins there. Nothing was moved.</exception>
    /// <exception cref="ObjectDisposedException">The queue was disposed.</exception>
    public void Seek(QueuePosition position)
    {
        ThrowIfDisposed();
        using CallGate.Call call = _store.Gate.Enter();
        _admin.Seek(_cursor, position);
        _store.WakeDataSleepers();
    }

    /// <summary>Ends the use of this object. The subscription itself, its position and its leases stay.</summary>
    public void Dispose()
    {
        if (!_disposed.TrySet() || _store.Gate.IsClosed)
        {
            return;
        }
        using CallGate.Call call = _store.Gate.Enter();
        _store.Releasing -= _cursor.Dispose;
        _cursor.Dispose();
        _store.Deliveries.Leave(_given);
        LeaveConsumers();
        _store.Ended.NoteLeft(_file);
        // Asynchronous calls that wait on this object notice its end.
        _store.DataWaits.LookAgain();
    }

    /// <summary>As <see cref="Dispose"/>, which waits for nothing.</summary>
    public ValueTask DisposeAsync()
    {
        Dispose();
        return default;
    }

    private void ThrowIfDisposed()
    {
        if (_disposed.IsSet)
        {
            throw Disposed.OfSubscription(_store.Files.Directory, Name);
        }
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private bool TryDequeueChecked([NotNullWhen(true)] ref T? message)
    {
        using CallGate.Call call = _gate.Enter();
        Cursor<MachineMemory> cursor = _cursor;
        try
        {
            while (cursor.TryFindData(out long nextWord, out RecordSlot slot, out int length))
            {
                var reader = new PackReader(slot.Payload(length));
                T.Unpack(ref reader, ref message);
                if (message is null)
                {
                    break;
                }
                FailPoint.Reach(ProtocolStep.DequeueUnpacked);
                if (cursor.TryConsume(nextWord, SubscriptionFormat.Position(nextWord) + RecordFormat.Extent(length)))
                {
                    _given.Add(1);
                    return true;
                }
            }
        }
        catch (PackException)
        {
            // The bytes are not the message that was published: another consumer has it already, or it is damaged. The careful way below
            // finds out.
        }
        return TryDequeueOtherwise(ref message, properties: null);
    }

    // All cases but the next data record: no message, one behind a segment's end, a record of another kind, damage, or leases to look at
    // first.
    [MethodImpl(MethodImplOptions.NoInlining)]
    private bool TryDequeueOtherwise([NotNullWhen(true)] ref T? message, MessageProperties? properties)
    {
        bool isTaken = QueueTracing.IsOn ? TryDequeueTraced(ref message, properties) : TryDequeueUntraced(ref message, properties);
        if (isTaken)
        {
            _given.Add(1);
        }
        else
        {
            ThrowIfPutOff();
        }
        return isTaken;
    }

    private bool TryDequeueUntraced([NotNullWhen(true)] ref T? message, MessageProperties? properties) => !_cursor.HasLeases
        ? TryDequeueNext(ref message, properties)
        : TryDequeueBesideLeases(ref message, properties)
            || (_store.Transactions.TryComplete() && TryDequeueBesideLeases(ref message, properties));

    private bool TryDequeueNext([NotNullWhen(true)] ref T? message, MessageProperties? properties)
    {
        while (_cursor.TryFind(out RecordRef found))
        {
            if (TryUnpack(found, ref message, properties) && _cursor.TryConsume(found))
            {
                return true;
            }
        }
        return false;
    }

    /// <summary>
    /// Makes the first message that was enqueued at or after a point in time the next one, for all consumers of
    /// the subscription. Open leases stay open.
    /// </summary>
    /// <param name="time">UTC; a local time is converted. A time after every message: as <see cref="QueuePosition.Newest"/>.</param>
    /// <remarks>
    /// Exact where producers stamp the time (<see cref="QueueOptions.Stamps"/>). Where they do not, only the time at which each segment was
    /// begun is known: then it starts up to a segment earlier, and misses nothing. If messages of that time are no longer on the disk, it
    /// starts at the oldest message, and does not throw.
    /// </remarks>
    /// <exception cref="QueueCorruptException">A damaged record hides what comes behind it. Nothing was moved.</exception>
    /// <exception cref="ObjectDisposedException">The queue was disposed.</exception>
    public void Seek(DateTime time)
    {
        ThrowIfDisposed();
        long ticks = (time.Kind == DateTimeKind.Local ? time.ToUniversalTime() : time).Ticks;
        using CallGate.Call call = _store.Gate.Enter();
        _admin.SeekTime(_cursor, ticks);
        _store.WakeDataSleepers();
    }

    /// <inheritdoc cref="Seek(DateTime)"/>
    /// <param name="time">The point in time.</param>
    public void Seek(DateTimeOffset time) => Seek(time.UtcDateTime);
}
