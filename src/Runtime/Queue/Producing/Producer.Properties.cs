using BlitQueue.Log;
using BlitQueue.Memory;

namespace BlitQueue;

/// <content>Messages with properties, and what a level of durability asks for beyond the append.</content>
internal sealed partial class Producer<T>
{
    private readonly PropertyPacker _properties;

    // Whether messages only have to be packed in place. If more is asked of them, they go another way, so that these pay nothing for the
    // question.
    private readonly bool _isDirect;

    private readonly Lock _timerSync = new();
    private FlushTimer? _timer;

    /// <param name="message">The message.</param>
    /// <param name="properties">In front of it; null for none.</param>
    /// <param name="durability">null: the handle's.</param>
    /// <param name="cancellationToken">Ends the waits for room and for the append lock.</param>
    /// <returns>The message's position.</returns>
    public long Enqueue(in T message, MessageProperties? properties, Durability? durability, CancellationToken cancellationToken)
    {
        cancellationToken.ThrowIfCancellationRequested();
        return QueueTracing.IsOn
            ? EnqueueTraced(in message, LimitOf(cancellationToken), properties, durability)
            : EnqueueAt(durability ?? Options.Durability, in message, LimitOf(cancellationToken), properties);
    }

    public long TryEnqueue(in T message, MessageProperties properties) => QueueTracing.IsOn
        ? EnqueueTraced(in message, WaitLimit.Short, properties)
        : EnqueueAt(Options.Durability, in message, WaitLimit.Short, properties);

    /// <summary>
    /// Appends a message behind a given block of properties, which may be empty. The block is neither stamped nor looked at, and the
    /// message is not brought to the disk.
    /// </summary>
    /// <returns>The message's position.</returns>
    public long EnqueueBehind(
        in T message, ReadOnlySpan<byte> block, bool isPatient = true, CancellationToken cancellationToken = default)
    {
        using var staged = StagedBatch.Rent();
        block.CopyTo(staged.GetSpan(block.Length));
        staged.Advance(block.Length);
        Packer.Pack(staged, in message);
        staged.EndMessage(block.Length);
        WaitLimit limit = LimitOf(cancellationToken);
        return Append(staged, isPatient ? limit : limit with { Stall = WaitLimit.ShortStall }, out _);
    }

    /// <summary>Sets when the messages were enqueued: in the order of the log, however long they have waited for room.</summary>
    public void Stamp(StagedBatch staged)
    {
        if (_properties.StampsTime)
        {
            staged.Stamp(_store.Clock.UtcNow.Ticks);
        }
    }

    // Packs into the segment at once, with or without properties in front of the message. Returns NotEnqueued when that cannot be.
    private long TryEnqueueAtTail(in T message, in WaitLimit limit, MessageProperties? properties = null)
        => _packsInPlace && properties is null
        ? TryEnqueueInPlace(in message, in limit)
        : TryEnqueueBehindProperties(in message, in limit, properties);

    // Like TryEnqueueInPlace, with the block in front of the message. Separate, so that a message without properties does not run this
    // code.
    [MethodImpl(MethodImplOptions.NoInlining)]
    private long TryEnqueueBehindProperties(in T message, in WaitLimit limit, MessageProperties? properties)
    {
        if (message is null)
        {
            ThrowNull();
        }
        int block = _properties.SizeOf(properties);
        if (T.Schema.RunsUserCode || _store.Segments.WritesByPage || block == 0)
        {
            return block == 0 && _packsInPlace ? TryEnqueueInPlace(in message, in limit) : NotEnqueued;
        }
        using CallGate.Call call = _store.Gate.Enter();
        if (!_appender.TryOpen(in limit, out Span<byte> room))
        {
            return NotEnqueued;
        }
        PackWriter writer = default;
        long position = NotEnqueued;
        try
        {
            if (room.Length < block)
            {
                return NotEnqueued;
            }
            _properties.Write(room[..block], properties);
            writer = new PackWriter(null, room[block..]);
            T.Pack(ref writer, in message);
            if (writer.InPlace && writer.Written <= _longest
                && _limit.Allows(_appender.Position, RecordFormat.Extent(block + writer.Written)))
            {
                position = _appender.Position;
                _appender.PublishBehindProperties(block + writer.Written);
                _store.Control.Data.NotifyWaiters<MachineMemory>();
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
                writer.Abandon();
            }
        }
        return position;
    }

    // One block in front of each: a batch's messages are told apart by nothing else.
    private int StageProperties(MessageProperties? properties, StagedBatch staged)
    {
        int block = _properties.SizeOf(properties);
        if (block > 0)
        {
            _properties.Write(staged.GetSpan(block)[..block], properties);
            staged.Advance(block);
        }
        return block;
    }

    /// <summary>Brings to the disk at once what the timer would bring there soon, because there is no timer afterwards.</summary>
    public void Dispose() => _timer?.FlushNow();

    // A message that is not packed in place, that did not fit at the tail, or for which the append lock was not free.
    [MethodImpl(MethodImplOptions.NoInlining)]
    private long EnqueueOtherwise(in T message, in WaitLimit limit)
    {
        if (QueueTracing.IsOn)
        {
            return EnqueueTraced(in message, in limit);
        }
        if (!_isDirect)
        {
            return EnqueueAt(Options.Durability, in message, in limit);
        }
        long position = T.FixedLength > 0 ? TryEnqueueInPlace(in message, in limit) : NotEnqueued;
        return position >= 0 ? position : EnqueueStaged(in message, in limit);
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private long EnqueueOtherwise(in T message, CancellationToken cancellationToken) =>
        QueueTracing.IsOn ? EnqueueTraced(in message, LimitOf(cancellationToken))
        : cancellationToken.CanBeCanceled ? EnqueueAt(Options.Durability, in message, LimitOf(cancellationToken))
        : EnqueueOtherwise(in message, in _patience);

    /// <summary>Enqueues and waits for what the level promises.</summary>
    /// <returns>The message's position; NotEnqueued when there is no room or no append lock for a caller that does not wait.</returns>
    [MethodImpl(MethodImplOptions.NoInlining)]
    private long EnqueueAt(Durability durability, in T message, in WaitLimit limit, MessageProperties? properties = null)
    {
        long position = TryEnqueueAtTail(in message, in limit, properties);
        position = position >= 0 ? position : EnqueueStaged(in message, in limit, properties);
        if (position >= 0)
        {
            Secure(durability);
        }
        return position;
    }

    /// <summary>Does for an enqueued message what its level promises beyond the append.</summary>
    public void Secure(Durability durability)
    {
        switch (durability)
        {
            case Durability.Interval:
                (_timer ?? MakeTimer()).NoteAppend();
                break;
            case Durability.Commit:
                _store.Sync.Wait();
                break;
        }
    }

    private async ValueTask<QueuePosition> AwaitAndSecure(Durability durability, ValueTask<QueuePosition> enqueued)
    {
        QueuePosition first = await enqueued.ConfigureAwait(false);
        if (durability == Durability.Commit)
        {
            await _store.Sync.WaitAsync().ConfigureAwait(false);
        }
        else
        {
            Secure(durability);
        }
        return first;
    }

    private FlushTimer MakeTimer()
    {
        lock (_timerSync)
        {
            if (_timer is null)
            {
                _timer = new FlushTimer(_store.Sync, Options.FlushInterval);
                _store.Releasing += _timer.Dispose;
            }
            return _timer;
        }
    }
}
