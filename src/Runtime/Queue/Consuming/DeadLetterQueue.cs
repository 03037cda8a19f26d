using System.Collections;
using BlitQueue.Log;
using BlitQueue.Memory;

namespace BlitQueue;

/// <summary>
/// What a subscription has set aside: a queue of its own, in a directory inside that of the queue, made when it is first needed. It is
/// consumed like a subscription: letters are taken with leases, so that none is lost if its consumer dies, or looked at and left there.
/// </summary>
/// <typeparam name="T">The queue's message type.</typeparam>
/// <remarks>
/// May be used from any thread. <see cref="Subscription{T}.DeadLetters"/> gives it; it lives as long as its queue. Enumerating it looks at
/// the letters without taking them, the oldest first.
/// </remarks>
/// <example>
/// <code>
/// while (billing.DeadLetters.TryReceive(out DeadLetterLease&lt;Order&gt; lease))
/// {
///     DeadLetter&lt;Order&gt; letter = lease.Read();
///     Console.WriteLine($"{letter.Message.Id}: {letter.Reason}");
///     lease.Requeue();
/// }
/// </code>
/// </example>
public sealed partial class DeadLetterQueue<T> : IEnumerable<DeadLetter<T>>, ITakeable<DeadLetterLease<T>>
    where T : IPackable<T>
{
    // Letters are rare, so small files are enough; a larger letter takes several.
    private const long SegmentSize = 1 << 20;

    private readonly QueueStore _queue, _store;
    private readonly string _subscription;
    private readonly ITransactionTarget _target;
    private readonly TimeSpan _patience;
    private readonly Producer<DeadLetter<T>> _producer;
    private readonly SubscriptionFile _file;
    private readonly Cursor<MachineMemory> _cursor;
    private readonly LeaseTable<MachineMemory> _leases;
    private readonly StatusReader _status;

    internal DeadLetterQueue(
        QueueStore queue, ITransactionTarget target, QueueOptions options, string subscription, Patience patience)
    {
        (_queue, _target, _subscription, _patience) = (queue, target, subscription, options.StallTimeout);
        _store = queue.Segments.Damages.Noting(() => QueueStore.Open(
            queue.Files.PathOf(StoreFormat.DeadLettersName(subscription)), new StoreOptions
            {
                SegmentSize = SegmentSize,
                ChecksumsOfNew = queue.Meta.Checksum ? true : null,
                Patience = patience,
                Schema = DeadLetter<T>.Schema,
                TakesLastSpace = true,
            }));
        _producer = new Producer<DeadLetter<T>>(_store, options.ForDeadLetters(), this);
        _store.Segments.Damages = queue.Segments.Damages;
        queue.Releasing += _producer.Dispose;
        queue.Releasing += _store.Dispose;
        // Made anew where its file was lost: then all letters that are still there come again.
        _file = _store.Subscriptions.Find(StoreCreator.DefaultSubscription)
            ?? new SubscriptionAdmin(_store, patience.Limit).GetOrMake(
                StoreCreator.DefaultSubscription, atEnd: false, cancellationToken: patience.Token);
        _cursor = _store.CursorOf<MachineMemory>(_file);
        _store.Releasing += _cursor.Dispose;
        _leases = new LeaseTable<MachineMemory>(
            _file, _cursor, _store.Control, _store.Self, _store.Transactions, isRequeued: IsRequeued);
        _status = new StatusReader(_store);
    }

    /// <summary>How many letters wait: those that are leased are not counted.</summary>
    /// <exception cref="ObjectDisposedException">The queue was disposed.</exception>
    public long Count
    {
        get
        {
            using CallGate.Call call = _store.Gate.Enter();
            return _status.Lag(_file);
        }
    }

    /// <summary>The position behind the last letter.</summary>
    /// <exception cref="ObjectDisposedException">The queue was disposed.</exception>
    internal QueuePosition End
    {
        get
        {
            using CallGate.Call call = _store.Gate.Enter();
            return new QueuePosition(MachineMemory.Load(ref _store.Control.Tail));
        }
    }

    /// <summary>Takes the next letter, if there is one, and consumes it.</summary>
    /// <param name="letter">An instance to fill, or null to get a new one.</param>
    /// <returns>false when there is none.</returns>
    /// <exception cref="QueueCorruptException">The letter is damaged; <see cref="SkipCorrupt"/> steps over.</exception>
    /// <exception cref="ObjectDisposedException">The queue was disposed.</exception>
    public bool TryTake([NotNullWhen(true)] ref DeadLetter<T>? letter)
    {
        using CallGate.Call queueCall = _queue.Gate.Enter(), call = _store.Gate.Enter();
        while (TryLease(out LeaseToken held))
        {
            try
            {
                ReadLeased(held, ref letter);
            }
            catch
            {
                _leases.TryGiveBackUncounted(held);
                throw;
            }
            if (_leases.TryCommit(held))
            {
                return true;
            }
        }
        return false;
    }

    /// <summary>Takes the next letter without consuming it, if there is one. Never waits.</summary>
    /// <param name="lease">The letter; <see cref="DeadLetterLease{T}.Commit"/> or <see cref="DeadLetterLease{T}.Requeue"/> ends it.</param>
    /// <returns>false when there is none.</returns>
    /// <exception cref="QueueCorruptException">The letter is damaged; <see cref="SkipCorrupt"/> steps over.</exception>
    /// <exception cref="QueueException">2,047 letters of the subscription are leased already.</exception>
    /// <exception cref="ObjectDisposedException">The queue was disposed.</exception>
    public bool TryReceive(out DeadLetterLease<T> lease)
    {
        using CallGate.Call queueCall = _queue.Gate.Enter(), call = _store.Gate.Enter();
        bool isTaken = TryLease(out LeaseToken held);
        lease = isTaken ? new DeadLetterLease<T>(this, held) : default;
        return isTaken;
    }

    /// <summary>Reads the next letter without taking it, if there is one. Never waits.</summary>
    /// <param name="letter">An instance to fill, or null to get a new one; its content may have changed where false is returned.</param>
    /// <returns>false when there is none. Another consumer may take the letter at any time.</returns>
    /// <exception cref="QueueCorruptException">The letter is damaged; <see cref="SkipCorrupt"/> steps over.</exception>
    /// <exception cref="ObjectDisposedException">The queue was disposed.</exception>
    public bool TryPeek([NotNullWhen(true)] ref DeadLetter<T>? letter)
    {
        using CallGate.Call queueCall = _queue.Gate.Enter(), call = _store.Gate.Enter();
        while (_cursor.HasLeases && _leases.TryPeekOldest(includeDead: true, dueOnly: false, out LeaseCell oldest))
        {
            try
            {
                Read(_cursor.Reader.At(oldest.Position), ref letter, _cursor.Reader);
                if (_leases.StillSays(oldest.Number, oldest.Message))
                {
                    return true;
                }
            }
            catch (QueueCorruptException) when (!_leases.StillSays(oldest.Number, oldest.Message))
            {
                // The bytes are another letter's by now.
            }
            catch (QueueCorruptException damage)
            {
                _cursor.Reader.Met(damage);
                throw;
            }
        }
        while (_cursor.TryFindWhole(out RecordRef found))
        {
            if (TryRead(found, ref letter))
            {
                return true;
            }
        }
        return false;
    }

    /// <summary>Passes the damage that the next call would meet; as <see cref="Subscription{T}.SkipCorrupt"/>.</summary>
    /// <inheritdoc cref="Subscription{T}.SkipCorrupt"/>
    public bool SkipCorrupt()
    {
        using CallGate.Call queueCall = _queue.Gate.Enter(), call = _store.Gate.Enter();
        DeadLetter<T>? letter = null;
        if (_cursor.HasLeases && _leases.TryTakeEarlier(out LeaseToken earlier))
        {
            try
            {
                Read(_cursor.Reader.At(earlier.Position), ref letter, _cursor.Reader);
            }
            catch (QueueCorruptException)
            {
                return _leases.TryCommit(earlier);
            }
            _leases.TryGiveBackUncounted(earlier);
            return false;
        }
        for (; ; )
        {
            long nextWord = _cursor.NextWord;
            try
            {
                if (!_cursor.TryFind(out RecordRef found) || TryRead(found, ref letter))
                {
                    return false;
                }
            }
            catch (QueueCorruptException damage) when (damage.Hole is not null)
            {
                if (_cursor.TryConsume(nextWord, damage.Hole.Value.End))
                {
                    return true;
                }
            }
        }
    }

    /// <summary>
    /// Looks at the letters without taking them, the oldest first; those that are leased, too. Each is a new instance. Letters that come or
    /// go meanwhile may be among them or not.
    /// </summary>
    /// <exception cref="QueueCorruptException">A letter is damaged.</exception>
    /// <exception cref="ObjectDisposedException">The queue was disposed.</exception>
    public IEnumerator<DeadLetter<T>> GetEnumerator()
    {
        LogIterator<DeadLetter<T>> walk = Begin(out HashSet<long> inCells, out long next);
        _store.Releasing += walk.Dispose;
        try
        {
            while (TryReadNext(walk, inCells, next, out DeadLetter<T>? letter))
            {
                yield return letter;
            }
        }
        finally
        {
            _store.Releasing -= walk.Dispose;
            walk.Dispose();
        }
    }

    IEnumerator IEnumerable.GetEnumerator() => GetEnumerator();

    private LogIterator<DeadLetter<T>> Begin(out HashSet<long> inCells, out long next)
    {
        using CallGate.Call queueCall = _queue.Gate.Enter(), call = _store.Gate.Enter();
        // SYNC POINT next: a consumer marks its cell before it moves next, so a letter is always seen in one of the two.
        next = _cursor.Position;
        inCells = [];
        for (int cell = 1; cell <= SubscriptionFormat.Cells; cell++)
        {
            long message = MachineMemory.Load(ref _file.Message(cell));
            if (SubscriptionFormat.State(message) != LeaseState.None && !IsMessageAgain(cell, message))
            {
                inCells.Add(SubscriptionFormat.MessagePosition(message));
            }
        }
        long first = Math.Min(next, inCells.DefaultIfEmpty(next).Min());
        var walk = new LogIterator<DeadLetter<T>>(_store, _store.Gate.Disposed);
        walk.Seek(_ => first);
        return walk;
    }

    // A letter that a process is about to consume: its message is published.
    private bool IsMessageAgain(int cell, long message) =>
        SubscriptionFormat.State(message) == LeaseState.Requeueing && HasMessageOf(cell, message);

    private bool TryReadNext(
        LogIterator<DeadLetter<T>> walk, HashSet<long> inCells, long next, [NotNullWhen(true)] out DeadLetter<T>? letter)
    {
        using CallGate.Call queueCall = _queue.Gate.Enter(), call = _store.Gate.Enter();
        for (; ; )
        {
            letter = null;
            try
            {
                if (!walk.TryFind(out RecordRef found))
                {
                    return false;
                }
                if (found.Position < next && !inCells.Contains(found.Position))
                {
                    walk.Pass(found);
                    continue;
                }
                walk.Unpack(found, ref letter);
                bool hasProperties = letter.TryTakeProperties(walk.PropertiesOf(found));
                walk.Pass(found);
                return hasProperties ? true : throw walk.DamagedProperties(found);
            }
            catch (QueueException gone) when (gone.Reason == QueueError.PositionGone)
            {
                // What was there was consumed meanwhile.
                long oldest = _file.OldestNeeded();
                walk.Seek(_ => oldest);
            }
        }
    }

    /// <param name="letter">What was set aside.</param>
    /// <param name="properties">The block that stands in front of the message in its queue; empty where there is none.</param>
    /// <param name="cancellationToken">Ends the wait for the append lock.</param>
    /// <param name="isPatient">Whether to wait for the whole <see cref="QueueOptions.StallTimeout"/> for a process that is stopped.</param>
    internal void Add(
        DeadLetter<T> letter, ReadOnlySpan<byte> properties, CancellationToken cancellationToken, bool isPatient) =>
        _producer.EnqueueBehind(in letter, properties, isPatient, cancellationToken);

    /// <summary>Does for the letters that were added what the queue's level of durability promises.</summary>
    internal void Secure() => _producer.Secure(_producer.Options.Durability);

    /// <summary>
    /// Whether the message at a position is among the letters that are still there, and whole: what cannot be read is no letter.
    /// </summary>
    internal bool Contains(QueuePosition position)
    {
        using CallGate.Call call = _store.Gate.Enter();
        bool isThere = false;
        // The bytes of letters that others take during the look are not overwritten.
        _store.Hold.While(first: 0, () => isThere = IsThere(position));
        return isThere;
    }

    private bool IsThere(QueuePosition position)
    {
        using var reader = new RecordReader<MachineMemory>(_store.Segments, _store.Meta);
        DeadLetter<T>? letter = null;
        long nextWord = MachineMemory.Load(ref _file.Next);
        for (; ; )
        {
            long after;
            try
            {
                if (!reader.TryFind(nextWord, out RecordRef found))
                {
                    return false;
                }
                after = found.After;
                Read(found, ref letter, reader);
                if (letter!.Position == position)
                {
                    return true;
                }
            }
            catch (QueueCorruptException damage) when (damage.Hole is { } hole)
            {
                after = hole.End;
            }
            nextWord = SubscriptionFormat.NextWord(after, 0);
            reader.LeaveBefore(after);
        }
    }

    // Returns false if another consumer had the letter before it was read: then its bytes may be anything. Otherwise its message is
    // consumed by now, before the letter goes: the letter's writer may be dead, and no consumer can learn from a letter that is gone.
    private bool TryRead(in RecordRef found, [NotNullWhen(true)] ref DeadLetter<T>? letter)
    {
        try
        {
            Read(found, ref letter, _cursor.Reader);
            if (_cursor.WasStillNext(found))
            {
                _queue.Subscriptions.Find(_subscription)?.EndDeadLetter<MachineMemory>(letter!.Position.Value, _queue.Control);
                return true;
            }
        }
        catch (QueueCorruptException) when (!_cursor.IsStillNext(found))
        {
        }
        catch (QueueCorruptException damage)
        {
            _cursor.Reader.Met(damage);
            throw;
        }
        return false;
    }

    private static void Read(in RecordRef found, [NotNull] ref DeadLetter<T>? letter, RecordReader<MachineMemory> records)
    {
        try
        {
            var reader = new PackReader(records.Message(found));
            DeadLetter<T>.Unpack(ref reader, ref letter);
            _ = letter ?? throw new PackException("it is none");
            if (!letter.TryTakeProperties(found.HasProperties ? records.Properties(found, isChecked: true) : default))
            {
                throw records.DamagedProperties(found);
            }
        }
        catch (PackException exception)
        {
            throw records.Damaged(found.Position, $"the dead letter cannot be unpacked: {exception.Message.TrimEnd('.')}", exception);
        }
    }

    // Letters are few, so each call looks for what dead consumers held: that comes first.
    private bool TryLease(out LeaseToken held) =>
        _leases.TryTakeOrphan(out held) || _leases.TryTakeEarlier(out held) || TryLeaseNext(out held);

    private bool TryLeaseNext(out LeaseToken held)
    {
        while (_cursor.TryFindWhole(out RecordRef found))
        {
            if (TryEndDeadLettering(found) && _leases.TryTake(found, out held))
            {
                return true;
            }
        }
        held = default;
        return false;
    }

    // As in TryRead, and before the letter is in a cell: the consumer that took over its message does not look there. Returns false if it
    // was another consumer's.
    private bool TryEndDeadLettering(in RecordRef found)
    {
        try
        {
            long position = PositionOf(found);
            if (!_cursor.WasStillNext(found))
            {
                return false;
            }
            _queue.Subscriptions.Find(_subscription)?.EndDeadLetter<MachineMemory>(position, _queue.Control);
            return true;
        }
        catch (QueueCorruptException) when (!_cursor.IsStillNext(found))
        {
            return false;
        }
        catch (QueueCorruptException damage)
        {
            _cursor.Reader.Met(damage);
            throw;
        }
    }

    private long PositionOf(in RecordRef found)
    {
        try
        {
            return DeadLetter<T>.PositionIn(_cursor.Reader.Message(found));
        }
        catch (PackException exception)
        {
            throw _cursor.Reader.Damaged(
                found.Position, $"the dead letter cannot be unpacked: {exception.Message.TrimEnd('.')}", exception);
        }
    }

    internal void Read(in LeaseToken held, [NotNull] ref DeadLetter<T>? letter)
    {
        using CallGate.Call queueCall = _queue.Gate.Enter(), call = _store.Gate.Enter();
        _leases.Require(_leases.IsHeld(held), held);
        ReadLeased(held, ref letter);
    }

    private RecordRef ReadLeased(in LeaseToken held, [NotNull] ref DeadLetter<T>? letter)
    {
        try
        {
            RecordRef found = _cursor.Reader.At(held.Position);
            Read(found, ref letter, _cursor.Reader);
            return found;
        }
        catch (QueueCorruptException damage)
        {
            throw _leases.WasHeld(held) ? _cursor.Reader.Met(damage) : damage;
        }
    }

    internal void Commit(in LeaseToken held)
    {
        using CallGate.Call queueCall = _queue.Gate.Enter(), call = _store.Gate.Enter();
        _leases.Require(_leases.TryCommit(held), held);
    }

    internal void Abandon(in LeaseToken held)
    {
        using CallGate.Call queueCall = _queue.Gate.Enter(), call = _store.Gate.Enter();
        _leases.Require(_leases.TryAbandon(held), held);
    }

    // When the queue was disposed, its leases were given back with it.
    internal void TryAbandon(in LeaseToken held)
    {
        if (_queue.Gate.IsClosed || _store.Gate.IsClosed)
        {
            return;
        }
        using CallGate.Call queueCall = _queue.Gate.Enter(), call = _store.Gate.Enter();
        _leases.TryAbandon(held);
    }
}
