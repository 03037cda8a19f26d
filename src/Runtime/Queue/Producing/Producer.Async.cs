using BlitQueue.Log;
using BlitQueue.Memory;

namespace BlitQueue;

internal sealed partial class Producer<T>
{
    private readonly WaitingAppends _waiting;
    private readonly Lock _makingSync = new();
    private Task _making = Task.CompletedTask;
    private long _makingIndex;

    /// <summary>Enqueues messages that become visible together; they are packed before the call returns.</summary>
    /// <param name="messages">Any number.</param>
    /// <param name="cancellationToken">Ends the wait for room.</param>
    /// <param name="properties">In front of each; null for none.</param>
    /// <param name="durability">null: the handle's.</param>
    /// <returns>The first message's position; 0, which is no message's, where there are none.</returns>
    public ValueTask<QueuePosition> EnqueueAsync(
        ReadOnlySpan<T> messages, CancellationToken cancellationToken, MessageProperties? properties = null, Durability? durability = null)
    {
        if (cancellationToken.IsCancellationRequested)
        {
            return ValueTask.FromCanceled<QueuePosition>(cancellationToken);
        }
        return QueueTracing.IsOn && !messages.IsEmpty
            ? EnqueueTracedAsync(messages, cancellationToken, properties, durability)
            : EnqueueUntracedAsync(messages, cancellationToken, properties, durability);
    }

    private ValueTask<QueuePosition> EnqueueUntracedAsync(
        ReadOnlySpan<T> messages, CancellationToken cancellationToken, MessageProperties? properties, Durability? durability)
    {
        try
        {
            long position = messages.IsEmpty ? 0
                : messages.Length == 1 && !_waiting.Any ? TryEnqueueAtTail(in messages[0], WaitLimit.None, properties)
                : NotEnqueued;
            ValueTask<QueuePosition> enqueued = position >= 0
                ? new ValueTask<QueuePosition>(new QueuePosition(position))
                : EnqueueWaiting(messages, cancellationToken, properties);
            Durability level = durability ?? Options.Durability;
            return level == Durability.PageCache || messages.IsEmpty ? enqueued : AwaitAndSecure(level, enqueued);
        }
        catch (Exception exception)
        {
            return ValueTask.FromException<QueuePosition>(exception);
        }
    }

    /// <summary>Like <see cref="TryEnqueue(in T)"/>, and tells what room to wait for; 0 when it is the disk that refuses.</summary>
    public bool TryEnqueue(in T message, out long extent)
    {
        extent = 0;
        using QueueSpan span = QueueTracing.IsOn ? QueueTracing.StartSend(Path, 1) : default;
        MessageProperties? properties = QueueTracing.IsOn ? Carrying(span, properties: null) : null;
        if (TryEnqueueAtTail(in message, WaitLimit.None, properties) >= 0)
        {
            Secure(Options.Durability);
            return true;
        }
        using var staged = StagedBatch.Rent();
        Stage(in message, staged, properties);
        if (Append(staged, WaitLimit.Short, out extent) >= 0)
        {
            Secure(Options.Durability);
            return true;
        }
        return false;
    }

    /// <summary>Waits until so many bytes of log may be appended, or for a while: when the tail has moved, fewer may be enough.</summary>
    public async ValueTask WaitForRoomAsync(long extent, CancellationToken cancellationToken)
    {
        if (!HasRoom(extent) && !RemovesEnded())
        {
            Room.Note();
            MachineMemory.Increment(ref _waits);
            try
            {
                await _store.RoomWaits.WaitAsync(thorough => thorough || HasRoom(extent), cancellationToken).ConfigureAwait(false);
            }
            catch (OperationCanceledException exception) when (cancellationToken.IsCancellationRequested)
            {
                throw Cancelled(exception, cancellationToken);
            }
        }
    }

    private OperationCanceledException Cancelled(Exception? cause, CancellationToken cancellationToken, string waited = "for room") => new(
        $"{_store.Files.Directory}: cancelled while it waited {waited}. Nothing was enqueued. {Room.Holder()}", cause, cancellationToken);

    /// <summary>Whether so many bytes of log could be appended now.</summary>
    public bool HasRoom(long extent)
    {
        using CallGate.Call call = _store.Gate.Enter();
        return _limit.HasRoom(extent);
    }

    // The messages are packed before the caller gets its task, so they need not be kept as they are until the task ends.
    private ValueTask<QueuePosition> EnqueueWaiting(
        ReadOnlySpan<T> messages, CancellationToken cancellationToken, MessageProperties? properties)
    {
        var staged = StagedBatch.Rent();
        long first = NotEnqueued;
        try
        {
            Stage(messages, staged, properties);
            if (!_waiting.Any && !cancellationToken.IsCancellationRequested
                && TryAppend(staged, WaitLimit.Moment, out _, out long at) == AppendOutcome.Published)
            {
                first = at;
            }
        }
        catch
        {
            staged.Dispose();
            throw;
        }
        if (first < 0)
        {
            return AppendBehindEarlier(staged, cancellationToken);
        }
        staged.Dispose();
        return new ValueTask<QueuePosition>(new QueuePosition(first));
    }

    private async ValueTask<QueuePosition> AppendBehindEarlier(StagedBatch staged, CancellationToken cancellationToken)
    {
        using StagedBatch disposed = staged;
        LinkedListNode<TaskCompletionSource> entry = _waiting.Enter();
        try
        {
            await WaitForEarlier(entry.Value.Task, cancellationToken).ConfigureAwait(false);
            return await AppendAsync(staged, cancellationToken).ConfigureAwait(false);
        }
        finally
        {
            _waiting.Leave(entry);
        }
    }

    private async ValueTask WaitForEarlier(Task mayTry, CancellationToken cancellationToken)
    {
        try
        {
            await mayTry.WaitAsync(cancellationToken).ConfigureAwait(false);
        }
        catch (OperationCanceledException exception)
        {
            throw Cancelled(exception, cancellationToken, "for earlier calls of this handle");
        }
    }

    private async ValueTask<QueuePosition> AppendAsync(StagedBatch staged, CancellationToken cancellationToken)
    {
        for (; ; )
        {
            // For the last time before anything is dropped to make room.
            cancellationToken.ThrowIfCancellationRequested();
            AppendOutcome outcome = TryAppend(staged, WaitLimit.Moment, out long needed, out long first);
            if (outcome != AppendOutcome.NoAppendLock)
            {
                _waiting.Stall.End();
            }
            switch (outcome)
            {
                case AppendOutcome.Published:
                    return new QueuePosition(first);
                case AppendOutcome.NeedsSegment:
                    await MakeSegmentsAsync(needed, _patience.Stall).WaitAsync(cancellationToken).ConfigureAwait(false);
                    break;
                case AppendOutcome.NoRoom when RemovesEnded():
                    break;
                case AppendOutcome.NoRoom:
                    RequireWaiting();
                    await WaitForRoomAsync(needed, cancellationToken).ConfigureAwait(false);
                    break;
                case AppendOutcome.NoAppendLock:
                    _waiting.Stall.Note();
                    await Task.Delay(StallWatch.Pause, cancellationToken).ConfigureAwait(false);
                    break;
            }
        }
    }

    // Making a file takes milliseconds and may wait for another process that makes one: one pool thread does it for all calls that need it.
    private Task MakeSegmentsAsync(long index, TimeSpan patience)
    {
        lock (_makingSync)
        {
            if (_making.IsCompleted || _makingIndex < index)
            {
                _makingIndex = index;
                _making = Task.Run(() => MakeSegments(index, patience, CancellationToken.None));
            }
            return _making;
        }
    }
}
