using BlitQueue.Log;
using BlitQueue.Memory;

namespace BlitQueue;

/// <summary>The enqueuing side of one handle: packs messages and appends them.</summary>
internal sealed partial class Producer<T>
    where T : IPackable<T>
{
    // In place of a position: nothing was enqueued.
    private const long NotEnqueued = -1;

    private readonly QueueStore _store;
    private readonly Appender<MachineMemory> _appender;
    private readonly CapacityLimit _limit;
    private readonly AppendLockWait<MachineMemory> _lockWait;
    private readonly OldestDropper<MachineMemory> _dropper;
    private readonly WaitLimit _patience;
    private readonly long _longest;

    // Not static: in code that all reference types share, a static of a generic type costs a look-up each time.
    private readonly bool _packsInPlace;
    private readonly CallGate _gate;
    private readonly EventCount _dataWake;

    /// <param name="store">The queue.</param>
    /// <param name="options">The handle's.</param>
    /// <param name="sender">The object that users have: it raises the handle's events.</param>
    public Producer(QueueStore store, QueueOptions options, object sender)
    {
        _store = store;
        Options = options;
        Room = new CapacityWatch(store, sender);
        _properties = new PropertyPacker(options.Stamps, store.Clock);
        _packsInPlace = !T.Schema.RunsUserCode && options.Stamps == MessageStamps.None && !store.Segments.WritesByPage;
        _patience = new WaitLimit(options.StallTimeout, ForRoom: true);
        _limit = new CapacityLimit(store, options, sender);
        Stalls = new StallReport(sender);
        _lockWait = new AppendLockWait<MachineMemory>(store.Control, store.Self, store.Files) { Refused = Stalls.Note };
        _appender = new Appender<MachineMemory>(
            store.Control, store.Self, store.Segments, store.Allocator, store.Meta, _lockWait, store.Transactions);
        _waiting = new WaitingAppends { Stall = new StallWatch(store, _lockWait, _patience.Stall) };
        _longest = Math.Min(_appender.LongestRecord, options.MaxMessageSize);
        _dropper = new OldestDropper<MachineMemory>(store);
        _isDirect = _packsInPlace && options.Durability == Durability.PageCache;
        _isFixed = _isDirect && T.FixedLength > 0 && T.FixedLength <= _longest;
        _gate = store.Gate;
        _gateNumber = store.Gate.Number;
        _dataWake = store.Control.Data;
        store.Watch.Changed += _appender.Deny;
        store.Releasing += _appender.Dispose;
        store.Releasing += _dropper.Dispose;
    }

    public QueueOptions Options { get; }

    /// <summary>The calls that were refused because of a process that is stopped inside of an append.</summary>
    public StallReport Stalls { get; }

    /// <summary>null without a soft limit.</summary>
    public SoftLimitWatch? SoftLimit => _limit.Soft;

    /// <returns>The message's position.</returns>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public long Enqueue(in T message, CancellationToken cancellationToken)
    {
        cancellationToken.ThrowIfCancellationRequested();
        long position = T.FixedLength > 0 ? TryEnqueueFixed(in message)
            : _isDirect && !cancellationToken.CanBeCanceled && !QueueTracing.IsOn ? TryEnqueueInPlace(in message, in _patience)
            : NotEnqueued;
        return position >= 0 ? position : EnqueueOtherwise(in message, cancellationToken);
    }

    /// <returns>The message's position; a negative number when there is no room.</returns>
    public long TryEnqueue(in T message)
    {
        long position = T.FixedLength > 0 ? TryEnqueueFixed(in message)
            : _isDirect && !QueueTracing.IsOn ? TryEnqueueInPlace(in message, WaitLimit.None)
            : NotEnqueued;
        return position >= 0 ? position : EnqueueOtherwise(in message, WaitLimit.Short);
    }

    /// <returns>The first message's position; 0, which is no message's, where there are none.</returns>
    [MethodImpl(MethodImplOptions.NoInlining)]
    public long EnqueueBatch(ReadOnlySpan<T> messages, MessageProperties? properties, CancellationToken cancellationToken)
    {
        cancellationToken.ThrowIfCancellationRequested();
        return messages.IsEmpty ? 0
            : QueueTracing.IsOn ? EnqueueBatchTraced(messages, LimitOf(cancellationToken), properties)
            : EnqueueBatchAt(messages, LimitOf(cancellationToken), properties);
    }

    private long EnqueueBatchAt(ReadOnlySpan<T> messages, in WaitLimit limit, MessageProperties? properties = null)
    {
        using var staged = StagedBatch.Rent();
        Stage(messages, staged, properties);
        long first = Append(staged, in limit, out _);
        if (first >= 0)
        {
            Secure(Options.Durability);
        }
        return first;
    }

    /// <returns>The first message's position; 0, which is no message's, where there are none.</returns>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public long EnqueueBatch(ReadOnlySpan<T> messages, CancellationToken cancellationToken)
    {
        cancellationToken.ThrowIfCancellationRequested();
        long first = T.FixedLength > 0 ? TryEnqueueFixed(messages) : NotEnqueued;
        return first >= 0 ? first : EnqueueBatchOtherwise(messages, cancellationToken);
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private long EnqueueBatchOtherwise(ReadOnlySpan<T> messages, CancellationToken cancellationToken)
    {
        long first = T.FixedLength > 0 && FindsRoom(messages.Length) ? TryEnqueueFixed(messages) : NotEnqueued;
        return first >= 0 ? first : EnqueueBatch(messages, properties: null, cancellationToken);
    }

    /// <returns>
    /// The first message's position; 0, which is no message's, where there are none; a negative number when there is no room.
    /// </returns>
    public long TryEnqueueBatch(ReadOnlySpan<T> messages)
    {
        return messages.IsEmpty ? 0
            : QueueTracing.IsOn ? EnqueueBatchTraced(messages, WaitLimit.Short)
            : EnqueueBatchAt(messages, WaitLimit.Short);
    }

    private WaitLimit LimitOf(CancellationToken cancellationToken) => _patience with { Token = cancellationToken };

    // Packs into the mapped segment, behind the zero header at the tail. Returns NotEnqueued when that cannot be.
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private long TryEnqueueInPlace(in T message, in WaitLimit limit)
    {
        if (message is null)
        {
            ThrowNull();
        }
        using CallGate.Call call = _gate.Enter();
        if (!_appender.TryOpen(in limit, out Span<byte> room))
        {
            return NotEnqueued;
        }
        var writer = new PackWriter(null, room);
        long position = NotEnqueued;
        try
        {
            T.Pack(ref writer, in message);
            // A message without bytes always fits; whether its header has room is asked separately.
            if (writer.InPlace && writer.Written <= _longest && (writer.Written > 0 || _appender.HasRoom)
                && _limit.Allows(_appender.Position, RecordFormat.Extent(writer.Written)))
            {
                position = _appender.Position;
                _appender.Publish(writer.Written);
                _dataWake.NotifyWaiters<MachineMemory>();
            }
        }
        catch (LongMessageException)
        {
        }
        finally
        {
            if (position < 0)
            {
                _appender.ReleaseLock();
            }
            if (writer.HasReserve)
            {
                writer.Abandon();
            }
        }
        return position;
    }

    // A message that did not fit where the tail is, or whose packing runs code that is not ours, is packed outside of the log first.
    [MethodImpl(MethodImplOptions.NoInlining)]
    private long EnqueueStaged(in T message, in WaitLimit limit, MessageProperties? properties = null)
    {
        using var staged = StagedBatch.Rent();
        Stage(in message, staged, properties);
        return Append(staged, in limit, out _);
    }

    private void Stage(in T message, StagedBatch staged, MessageProperties? properties = null)
    {
        if (message is null)
        {
            ThrowNull();
        }
        int block = StageProperties(properties, staged);
        int before = staged.Length;
        Packer.Pack(staged, in message);
        staged.EndMessage(block);
        RequireAllowed(staged.Length - before);
    }

    // The first message's position. NotEnqueued when there is no room for a caller that does not wait: for so many bytes,
    // or 0 where it is the disk that refuses.
    private long Append(StagedBatch staged, in WaitLimit limit, out long extent)
    {
        for (; ; )
        {
            AppendOutcome outcome = TryAppend(staged, in limit, out long needed, out long first);
            extent = outcome == AppendOutcome.NoRoom ? needed : 0;
            switch (outcome)
            {
                case AppendOutcome.Published:
                    return first;
                case AppendOutcome.NoRoom when !limit.ForRoom && RemovesEnded():
                    break;
                case AppendOutcome.NeedsSegment when !TryMakeSegments(needed, in limit):
                case AppendOutcome.NoRoom when !limit.ForRoom:
                    return NotEnqueued;
                case AppendOutcome.NoRoom:
                    WaitForRoom(extent, limit.Token);
                    break;
            }
        }
    }

    // needed: what an append needs first, segments up to an index, or bytes of room.
    private AppendOutcome TryAppend(StagedBatch staged, in WaitLimit limit, out long needed, out long first)
    {
        using CallGate.Call call = _store.Gate.Enter();
        (needed, first) = (0, NotEnqueued);
        if (!_appender.TryOpen(in limit, out _))
        {
            return AppendOutcome.NoAppendLock;
        }
        Stamp(staged);
        long extent = _appender.Extent(staged);
        bool fits = _limit.AllowsStaged(_appender.Position, extent);
        // By the capacity that the last look has seen: so the queue's word, which others may change, is not read for each message.
        if (staged.Extent > _limit.SeenCapacity)
        {
            _appender.ReleaseLock();
            throw TooLong(staged);
        }
        if (fits || Options.FullMode == FullMode.DropOldest)
        {
            AppendOutcome outcome = _appender.PublishStaged(staged, out needed, out first, fits ? null : this);
            _store.Control.Data.NotifyWaiters<MachineMemory>();
            needed = outcome == AppendOutcome.NoRoom ? extent : needed;
            return outcome;
        }
        needed = extent;
        _appender.ReleaseLock();
        return AppendOutcome.NoRoom;
    }

    // A full disk ends even a patient call: no consumer of this queue can be relied on to free it.
    private bool TryMakeSegments(long index, in WaitLimit limit)
    {
        try
        {
            MakeSegments(index, limit.ForRoom ? limit.Stall : TimeSpan.Zero, limit.Token);
            return true;
        }
        catch (QueueFullException) when (!limit.ForRoom)
        {
            return false;
        }
    }

    // Whether a subscription that may have held the room has ended: then another look is worth it.
    private bool RemovesEnded()
    {
        using CallGate.Call call = _store.Gate.Enter();
        return _store.Ended.TryRemove();
    }

    public void MakeSegments(long index, TimeSpan patience, CancellationToken cancellationToken)
    {
        using CallGate.Call call = _store.Gate.Enter();
        _appender.MakeSegments(index, patience, cancellationToken);
    }

    public void RequireFits(StagedBatch batch)
    {
        if (batch.Extent > _limit.Capacity)
        {
            throw TooLong(batch);
        }
    }

    private ArgumentException TooLong(StagedBatch batch) => new(
        $"{batch.Extent} bytes of log can never be enqueued: the capacity of {_store.Files.Directory} is {_limit.Capacity} "
        + "(QueueOptions.Capacity).", "message");

    private void RequireWaiting()
    {
        if (Options.FullMode == FullMode.Fail)
        {
            RoomHolder? holder = Room.Holder();
            throw new QueueFullException(
                $"{_store.Files.Directory}: the {_limit.Capacity} bytes of QueueOptions.Capacity wait to be consumed. Nothing was "
                + $"enqueued. {holder} Or raise the capacity, or choose FullMode.Wait.")
            { Reason = QueueError.CapacityFull, Path = _store.Files.Directory, HeldBy = holder };
        }
        Room.Note();
    }

    /// <summary>Who holds the room that enqueues wait for.</summary>
    public CapacityWatch Room { get; }

    [DoesNotReturn]
    private static void ThrowNull() => throw new ArgumentNullException("message", "null is not a message.");
}
