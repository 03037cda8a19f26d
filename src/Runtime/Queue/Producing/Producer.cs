using System.Diagnostics.CodeAnalysis;
using System.Runtime.CompilerServices;
using BlitQueue.Log;
using BlitQueue.Memory;

namespace BlitQueue;

/// <summary>The enqueuing side of one handle: packs messages and appends them.</summary>
internal sealed partial class Producer<T>
    where T : IPackable<T>
{
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

    public Producer(QueueStore store, QueueOptions options)
    {
        _store = store;
        Options = options;
        Room = new CapacityWatch(store);
        _properties = new PropertyPacker(options.Stamp);
        _packsInPlace = !T.Schema.RunsUserCode && options.Stamp == MessageStamps.None && !store.Segments.WritesByPage;
        _patience = new WaitLimit(options.StallTimeout, ForRoom: true);
        _limit = new CapacityLimit(store, options);
        _lockWait = new AppendLockWait<MachineMemory>(store.Control, store.Self, store.Files);
        _appender = new Appender<MachineMemory>(
            store.Control, store.Self, store.Segments, store.Allocator, store.Meta, _lockWait, store.Transactions);
        _longest = Math.Min(_appender.LongestRecord, options.MaxMessageSize);
        _dropper = new OldestDropper<MachineMemory>(store);
        _isDirect = _packsInPlace && options.Durability == Durability.PageCache;
        _isFixed = _isDirect && T.FixedLength > 0 && T.FixedLength <= _longest;
        _gate = store.Gate;
        _gateNumber = store.Gate.Number;
        _dataWake = store.Control.Data;
        store.Releasing += _appender.Dispose;
        store.Releasing += _dropper.Dispose;
    }

    public QueueOptions Options { get; }

    /// <summary>null without a soft limit.</summary>
    public SoftLimitWatch? SoftLimit => _limit.Soft;

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void Enqueue(in T message)
    {
        if (T.FixedLength > 0 ? !TryEnqueueFixed(in message) : !(_isDirect && TryEnqueueInPlace(in message, in _patience)))
        {
            EnqueueOtherwise(in message, in _patience);
        }
    }

    public bool TryEnqueue(in T message) =>
        (T.FixedLength > 0 ? TryEnqueueFixed(in message) : _isDirect && TryEnqueueInPlace(in message, WaitLimit.None))
        || EnqueueOtherwise(in message, WaitLimit.Short);

    [MethodImpl(MethodImplOptions.NoInlining)]
    public void EnqueueBatch(ReadOnlySpan<T> messages, MessageProperties? properties)
    {
        if (messages.IsEmpty)
        {
            return;
        }
        using var staged = StagedBatch.Rent();
        Stage(messages, staged, properties);
        Append(staged, in _patience, out _);
        Secure(Options.Durability);
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void EnqueueBatch(ReadOnlySpan<T> messages)
    {
        if (T.FixedLength == 0 || !TryEnqueueFixed(messages))
        {
            EnqueueBatch(messages, properties: null);
        }
    }

    // Into the mapped segment, behind the zero header at the tail. False, with nothing enqueued, when that cannot be.
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private bool TryEnqueueInPlace(in T message, in WaitLimit limit)
    {
        if (message is null)
        {
            ThrowNull();
        }
        using CallGate.Call call = _gate.Enter();
        if (!_appender.TryOpen(in limit, out Span<byte> room))
        {
            return false;
        }
        var writer = new PackWriter(null, room);
        bool published = false;
        try
        {
            T.Pack(ref writer, in message);
            // A message without bytes fits into no bytes: whether its header has room is a question of its own.
            if (writer.InPlace && writer.Written <= _longest && (writer.Written > 0 || _appender.HasRoom)
                && _limit.Allows(_appender.Position, RecordFormat.Extent(writer.Written)))
            {
                published = true;
                _appender.Publish(writer.Written);
                _dataWake.NotifyWaiters<MachineMemory>();
            }
        }
        catch (LongMessageException)
        {
        }
        finally
        {
            if (!published)
            {
                _appender.ReleaseLock();
            }
            if (writer.HasReserve)
            {
                writer.Abandon();
            }
        }
        return published;
    }

    // A message that did not fit where the tail is, or whose packing runs code that is not ours, is packed outside of the log first.
    [MethodImpl(MethodImplOptions.NoInlining)]
    private bool EnqueueStaged(in T message, in WaitLimit limit, MessageProperties? properties = null)
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

    // False, with nothing enqueued, when there is no room for a caller that does not wait: for so many bytes,
    // or 0 where it is the disk that refuses.
    private bool Append(StagedBatch staged, in WaitLimit limit, out long extent)
    {
        for (; ; )
        {
            AppendOutcome outcome = TryAppend(staged, in limit, out long needed);
            extent = outcome == AppendOutcome.NoRoom ? needed : 0;
            switch (outcome)
            {
                case AppendOutcome.Published:
                    return true;
                case AppendOutcome.NoRoom when RemovesEnded():
                    break;
                case AppendOutcome.NeedsSegment when !TryMakeSegments(needed, in limit):
                case AppendOutcome.NoRoom when !limit.ForRoom:
                    return false;
                case AppendOutcome.NoRoom:
                    WaitForRoom(extent);
                    break;
            }
        }
    }

    // What is needed first: up to which index segments, or how many bytes of room.
    private AppendOutcome TryAppend(StagedBatch staged, in WaitLimit limit, out long needed)
    {
        using CallGate.Call call = _store.Gate.Enter();
        RequireFits(staged);
        needed = 0;
        if (!_appender.TryOpen(in limit, out _))
        {
            return AppendOutcome.NoAppendLock;
        }
        Stamp(staged);
        long extent = _appender.Extent(staged);
        bool fits = _limit.AllowsStaged(_appender.Position, extent);
        if (fits || Options.FullMode == FullMode.DropOldest)
        {
            AppendOutcome outcome = _appender.PublishStaged(staged, out needed, fits ? null : this);
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
            MakeSegments(index, limit.ForRoom ? limit.Stall : TimeSpan.Zero, CancellationToken.None);
            return true;
        }
        catch (QueueFullException) when (!limit.ForRoom)
        {
            return false;
        }
    }

    // Whether a subscription had ended that may have held the room: it is worth another look.
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
        if (batch.Extent > Options.Capacity)
        {
            throw new ArgumentException(
                $"{batch.Extent} bytes of log can never be enqueued: QueueOptions.Capacity is {Options.Capacity}.", "message");
        }
    }

    private void RequireWaiting()
    {
        if (Options.FullMode == FullMode.Fail)
        {
            RoomHolder? holder = Room.Holder();
            throw new QueueFullException(
                $"{_store.Files.Directory}: the {Options.Capacity} bytes of QueueOptions.Capacity wait to be consumed. Nothing was "
                + $"enqueued. {holder} Or raise the capacity, or choose FullMode.Wait.")
            { HeldBy = holder };
        }
        Room.Note();
    }

    /// <summary>Who holds the room that enqueues wait for.</summary>
    public CapacityWatch Room { get; }

    [DoesNotReturn]
    private static void ThrowNull() => throw new ArgumentNullException("message", "null is not a message.");
}
