using System.Buffers;
using System.Diagnostics;
using System.Runtime.CompilerServices;
using BlitQueue.Memory;
using BlitQueue.Segments;

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
public sealed partial class Subscription<T> : IDisposable
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
    private readonly OnceFlag _disposed = new();

    internal Subscription(
        QueueStore store, SubscriptionAdmin admin, DeadLetterQueues<T> deadLetters, TimeSpan spinDuration,
        SubscriptionFile file, SubscriptionOptions options)
    {
        using CallGate.Call call = store.Gate.Enter();
        _store = store;
        _admin = admin;
        _file = file;
        _deadLetters = deadLetters;
        _options = options;
        _spinDuration = spinDuration;
        var reader = new RecordReader<MachineMemory>(store.Table, store.Meta, () => store.Self.ConsumesFrom(file));
        _cursor = new Cursor<MachineMemory>(file, reader, store.Keeper, store.Control);
        _leases = new LeaseTable<MachineMemory>(file, _cursor, store.Control, store.Self, options.VisibilityTimeout);
        store.Releasing += _cursor.Dispose;
    }

    /// <summary>The subscription's name.</summary>
    public string Name => _file.Name;

    /// <summary>What this subscription has set aside; made on disk when it is first asked for.</summary>
    /// <exception cref="QueueException">As <see cref="MappedQueue{T}.Open"/>.</exception>
    /// <exception cref="ObjectDisposedException">The queue was disposed.</exception>
    public DeadLetterQueue<T> DeadLetters
    {
        get
        {
            using CallGate.Call call = _store.Gate.Enter();
            return _deadLetters.Of(Name);
        }
    }

    /// <summary>
    /// How many messages producers have dropped (<see cref="FullMode.DropOldest"/>) before this subscription came to them, since it was made.
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
    /// <exception cref="QueueCorruptException">The next message is damaged. The position stays; <see cref="SkipCorrupt"/> steps over.</exception>
    /// <exception cref="ObjectDisposedException">The queue was disposed.</exception>
    public bool TryDequeue(ref T? message)
    {
        using CallGate.Call call = _store.Gate.Enter();
        if (_cursor.HasLeases)
        {
            return TryDequeueBesideLeases(ref message);
        }
        return TryDequeueNext(ref message);
    }

    /// <summary>Takes and consumes the next message, waiting until there is one: spins, then sleeps in the kernel.</summary>
    /// <param name="message">An instance to fill, or null to get a new one.</param>
    /// <param name="ct">Ends the wait.</param>
    /// <exception cref="OperationCanceledException">The token was cancelled; no message was taken.</exception>
    /// <exception cref="QueueCorruptException">The next message is damaged. The position stays; <see cref="SkipCorrupt"/> steps over.</exception>
    /// <exception cref="ObjectDisposedException">The queue was disposed, possibly during the wait.</exception>
    public void Dequeue(ref T? message, CancellationToken ct = default)
    {
        while (!TryDequeue(ref message))
        {
            WaitForMessage(ct);
        }
    }

    /// <summary>Takes the next message without consuming it, if there is one. Never waits.</summary>
    /// <param name="lease">The message; consumed by <see cref="Lease{T}.Commit"/>.</param>
    /// <returns>false when there is none.</returns>
    /// <exception cref="QueueCorruptException">The next message is damaged. The position stays; <see cref="SkipCorrupt"/> steps over.</exception>
    /// <exception cref="QueueException">2,047 messages of the subscription are leased already.</exception>
    /// <exception cref="ObjectDisposedException">The queue was disposed.</exception>
    public bool TryReceive(out Lease<T> lease)
    {
        using CallGate.Call call = _store.Gate.Enter();
        while (_leases.TryTake(out HeldLease held))
        {
            if (IsToBeDelivered(held))
            {
                lease = new Lease<T>(this, held);
                return true;
            }
        }
        lease = default;
        return false;
    }

    /// <summary>Takes the next message without consuming it, waiting until there is one.</summary>
    /// <param name="ct">Ends the wait.</param>
    /// <returns>The message; consumed by <see cref="Lease{T}.Commit"/>.</returns>
    /// <exception cref="OperationCanceledException">The token was cancelled; no message was taken.</exception>
    /// <exception cref="QueueCorruptException">The next message is damaged. The position stays; <see cref="SkipCorrupt"/> steps over.</exception>
    /// <exception cref="QueueException">2,047 messages of the subscription are leased already.</exception>
    /// <exception cref="ObjectDisposedException">The queue was disposed, possibly during the wait.</exception>
    public Lease<T> Receive(CancellationToken ct = default)
    {
        Lease<T> lease;
        while (!TryReceive(out lease))
        {
            WaitForMessage(ct);
        }
        return lease;
    }

    /// <summary>Steps over the next message if it is damaged.</summary>
    /// <returns>false when it is not, or when there is none.</returns>
    /// <exception cref="QueueCorruptException">The damage hides where the next message starts.</exception>
    public bool SkipCorrupt()
    {
        using CallGate.Call call = _store.Gate.Enter();
        if (_cursor.HasLeases && _leases.TryTakeEarlier(out HeldLease earlier))
        {
            return SkipLeased(earlier);
        }
        while (_cursor.TryFind(out FoundRecord found))
        {
            if (IsReadable(found))
            {
                return false;
            }
            if (_cursor.TryConsume(found))
            {
                return true;
            }
        }
        return false;
    }

    /// <summary>Makes the message at a position the next one, for all consumers of the subscription. Open leases stay open.</summary>
    /// <param name="position">A lease's <see cref="Lease{T}.Position"/>, <see cref="QueuePosition.Oldest"/> or <see cref="QueuePosition.Newest"/>.</param>
    /// <exception cref="QueueException">The position is no longer on disk, or no message begins there. Nothing was moved.</exception>
    /// <exception cref="QueueStalledException">A process that does not run is making a segment.</exception>
    /// <exception cref="ObjectDisposedException">The queue was disposed.</exception>
    public void Seek(QueuePosition position)
    {
        ObjectDisposedException.ThrowIf(_disposed.IsSet, this);
        using CallGate.Call call = _store.Gate.Enter();
        _admin.Seek(_cursor, position.Value);
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
        // Those that wait asynchronously on this object meet its end.
        _store.DataWaits.LookAgain();
    }

    internal void Read(in HeldLease lease, ref T? message)
    {
        using CallGate.Call call = _store.Gate.Enter();
        _cursor.ThrowIfGone();
        RequireHeld(_leases.IsHeld(lease));
        UnpackLeased(lease, ref message);
    }

    internal void Commit(in HeldLease lease)
    {
        using CallGate.Call call = _store.Gate.Enter();
        _cursor.ThrowIfGone();
        RequireHeld(_leases.TryCommit(lease));
    }

    internal void Bury(in HeldLease lease, string reason)
    {
        using CallGate.Call call = _store.Gate.Enter();
        _cursor.ThrowIfGone();
        RequireHeld(_leases.IsHeld(lease));
        T? message = default;
        UnpackLeased(lease, ref message);
        DeadLetterQueue<T> letters = DeadLetters;
        RequireHeld(_leases.TryBeginBurial(lease));
        try
        {
            letters.Add(DeadLetter<T>.Of(message!, reason, new QueuePosition(lease.Position), lease.Attempt));
        }
        catch
        {
            _leases.CancelBurial(lease);
            throw;
        }
        _leases.EndBurial(lease);
    }

    // After the queue was disposed its leases are given back already.
    internal bool TryAbandon(in HeldLease lease)
    {
        if (_store.Gate.IsClosed)
        {
            return false;
        }
        using CallGate.Call call = _store.Gate.Enter();
        return _leases.TryAbandon(lease);
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private bool TryDequeueNext(ref T? message)
    {
        while (_cursor.TryFind(out FoundRecord found))
        {
            if (TryUnpack(found, ref message) && _cursor.TryConsume(found))
            {
                return true;
            }
        }
        return false;
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private bool TryDequeueBesideLeases(ref T? message)
    {
        while (_leases.TryTakeEarlier(out HeldLease earlier))
        {
            if (IsToBeDelivered(earlier))
            {
                return Consume(earlier, ref message);
            }
        }
        return TryDequeueNext(ref message)
            || (_leases.TryTakeOrphan(out HeldLease orphan) && IsToBeDelivered(orphan) && Consume(orphan, ref message));
    }

    private bool IsToBeDelivered(in HeldLease lease)
    {
        if (lease.WasBeingBuried)
        {
            if (DeadLetters.Contains(new QueuePosition(lease.Position)))
            {
                _leases.EndBurial(lease);
                return false;
            }
            _leases.CancelBurial(lease);
        }
        if (lease.Attempt <= _options.MaxAttempts)
        {
            return true;
        }
        try
        {
            Bury(lease, $"It was delivered {lease.Attempt - 1} times and not committed.");
            return false;
        }
        catch
        {
            _leases.TryAbandon(lease);
            throw;
        }
    }

    private bool Consume(in HeldLease lease, ref T? message)
    {
        try
        {
            UnpackLeased(lease, ref message);
        }
        catch
        {
            _leases.TryAbandon(lease);
            throw;
        }
        return _leases.TryCommit(lease);
    }

    private void UnpackLeased(in HeldLease lease, ref T? message)
    {
        FoundRecord found = _cursor.Reader.At(lease.Position);
        try
        {
            Unpack(found, ref message);
        }
        catch (PackException exception)
        {
            throw Corrupt(found, exception);
        }
    }

    // False when the message was another consumer's before it was read: then its bytes may be anything.
    private bool TryUnpack(in FoundRecord found, ref T? message)
    {
        try
        {
            Unpack(found, ref message);
            FailPoint.Reach(ProtocolStep.DequeueUnpacked);
            return true;
        }
        catch (Exception exception) when (exception is PackException or QueueCorruptException)
        {
            return _cursor.IsStillNext(found) ? throw Corrupt(found, exception) : false;
        }
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private void Unpack(in FoundRecord found, ref T? message)
    {
        if (found.IsSplit)
        {
            UnpackSplit(found, ref message);
            return;
        }
        var reader = new PackReader(_cursor.Reader.Payload(found));
        T.Unpack(ref reader, ref message);
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private void UnpackSplit(in FoundRecord found, ref T? message)
    {
        byte[] joined = ArrayPool<byte>.Shared.Rent((int)found.Length);
        try
        {
            var reader = new PackReader(_cursor.Reader.Join(found, joined));
            T.Unpack(ref reader, ref message);
        }
        finally
        {
            ArrayPool<byte>.Shared.Return(joined);
        }
    }

    private QueueCorruptException Corrupt(in FoundRecord found, Exception cause)
    {
        if (cause is QueueCorruptException corrupt)
        {
            return corrupt;
        }
        PackException located = Locate(found, (PackException)cause);
        return new QueueCorruptException(
            found.Segment.Path, found.Position & (found.Segment.Size - 1),
            $"the message cannot be unpacked: {located.Message} The position was not moved; SkipCorrupt() steps over it.", located);
    }

    // A split message is not put together again only to name the member.
    private PackException Locate(in FoundRecord found, PackException cause) =>
        found.IsSplit ? cause : cause.Locate(T.Schema, _cursor.Reader.Payload(found));

    private bool SkipLeased(in HeldLease lease)
    {
        if (IsReadable(_cursor.Reader.At(lease.Position)))
        {
            _leases.TryAbandon(lease);
            return false;
        }
        return _leases.TryCommit(lease);
    }

    private bool IsReadable(in FoundRecord found)
    {
        try
        {
            T? message = default;
            Unpack(found, ref message);
            return true;
        }
        catch (Exception exception) when (exception is PackException or QueueCorruptException)
        {
            return false;
        }
    }

    // Spins, then sleeps until something was enqueued or given back, or a moment is over. The caller looks again.
    private void WaitForMessage(CancellationToken ct)
    {
        ct.ThrowIfCancellationRequested();
        if (SpinForMessage())
        {
            return;
        }
        using CancellationTokenRegistration wakeOnCancel = ct.UnsafeRegister(
            static state => ((QueueStore)state!).WakeDataSleepers(), _store);
        using CallGate.Call call = _store.Gate.Enter();
        int ticket = _store.Control.Data.Announce<MachineMemory>();
        if (!IsMessageThere() && !ct.IsCancellationRequested)
        {
            _store.Control.Data.Sleep(ticket, WakeWord.LongestSleep);
        }
        ct.ThrowIfCancellationRequested();
    }

    private bool SpinForMessage()
    {
        long started = Stopwatch.GetTimestamp();
        while (Stopwatch.GetElapsedTime(started) < _spinDuration)
        {
            // The clock costs as much as several looks, and the gate must be left now and then for whoever disposes.
            using CallGate.Call call = _store.Gate.Enter();
            for (int look = 0; look < LooksPerRound; look++)
            {
                if (IsMessageThere())
                {
                    return true;
                }
                Thread.SpinWait(1);
            }
        }
        return false;
    }

    private bool IsMessageThere() => _leases.HasReturned || _cursor.TryFind(out _);

    private static void RequireHeld(bool held)
    {
        if (!held)
        {
            throw new InvalidOperationException("The lease has ended: it was committed or given back already.");
        }
    }
}
