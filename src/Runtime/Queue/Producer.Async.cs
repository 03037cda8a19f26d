using BlitQueue.Memory;
using BlitQueue.Segments;

namespace BlitQueue;

internal sealed partial class Producer<T>
{
    private readonly Lock _makingSync = new();
    private Task _making = Task.CompletedTask;
    private long _makingIndex;

    public ValueTask EnqueueAsync(T message, CancellationToken ct, MessageProperties? properties = null)
    {
        if (ct.IsCancellationRequested)
        {
            return ValueTask.FromCanceled(ct);
        }
        try
        {
            return !_isPlain || properties is not null ? EnqueueAtAsync(Options.Durability, in message, ct, properties)
                : TryEnqueueAtOnce(in message) ? ValueTask.CompletedTask
                : EnqueueWaiting(new ReadOnlySpan<T>(in message), ct);
        }
        catch (Exception exception)
        {
            return ValueTask.FromException(exception);
        }
    }

    public ValueTask EnqueueBatchAsync(ReadOnlySpan<T> messages, CancellationToken ct, MessageProperties? properties = null)
    {
        if (ct.IsCancellationRequested)
        {
            return ValueTask.FromCanceled(ct);
        }
        try
        {
            return messages.IsEmpty ? ValueTask.CompletedTask : SecureAsync(Options.Durability, EnqueueWaiting(messages, ct, properties));
        }
        catch (Exception exception)
        {
            return ValueTask.FromException(exception);
        }
    }

    /// <summary>Like <see cref="TryEnqueue(in T)"/>, and tells what to wait for.</summary>
    /// <param name="message">The message.</param>
    /// <param name="extent">How much room it takes; 0 when it is not the capacity that refuses it but the disk.</param>
    public bool TryEnqueue(in T message, out long extent)
    {
        extent = 0;
        if (TryEnqueueAtTail(in message, ShortPatience))
        {
            Secure(Options.Durability);
            return true;
        }
        using StagedBatch staged = StagedBatch.Rent();
        Stage(in message, staged);
        if (Append(staged, ShortPatience, wait: false))
        {
            Secure(Options.Durability);
            return true;
        }
        extent = HasRoom(staged.Extent) ? 0 : staged.Extent;
        return false;
    }

    /// <summary>Waits until so many bytes of log may be appended.</summary>
    public async ValueTask WaitForRoomAsync(long extent, CancellationToken ct)
    {
        while (!HasRoom(extent))
        {
            await _store.RoomWaits.WaitAsync(_ => HasRoom(extent), ct).ConfigureAwait(false);
        }
    }

    /// <summary>Whether so many bytes of log could be appended now.</summary>
    public bool HasRoom(long extent)
    {
        using CallGate.Call call = _store.Gate.Enter();
        return _limit.HasRoom(extent);
    }

    private bool TryEnqueueAtOnce(in T message, MessageProperties? properties = null)
    {
        try
        {
            return TryEnqueueAtTail(in message, TimeSpan.Zero, properties);
        }
        catch (QueueStalledException)
        {
            return false;
        }
    }

    // The messages are packed before the caller gets its task, so they need not be kept as they are until the task ends.
    private ValueTask EnqueueWaiting(ReadOnlySpan<T> messages, CancellationToken ct, MessageProperties? properties = null)
    {
        StagedBatch staged = StagedBatch.Rent();
        try
        {
            foreach (ref readonly T message in messages)
            {
                Stage(in message, staged, properties);
            }
        }
        catch
        {
            staged.Dispose();
            throw;
        }
        return AppendAsync(staged, ct);
    }

    private async ValueTask AppendAsync(StagedBatch staged, CancellationToken ct)
    {
        using StagedBatch disposed = staged;
        var stall = new StallWatch(_store, _turnWait, _patience);
        for (;;)
        {
            switch (TryAppendAtOnce(staged, out long neededSegment))
            {
                case AppendOutcome.Published:
                    return;
                case AppendOutcome.NeedsSegment:
                    await MakeSegmentsAsync(neededSegment).WaitAsync(ct).ConfigureAwait(false);
                    break;
                case AppendOutcome.NoRoom when !FitsAfterDrop(staged.Extent):
                    RequireWaiting();
                    await WaitForRoomAsync(staged.Extent, ct).ConfigureAwait(false);
                    break;
                case null:
                    stall.Note();
                    await Task.Delay(StallWatch.Pause, ct).ConfigureAwait(false);
                    break;
            }
        }
    }

    // null: the turn's holder does not run just now.
    private AppendOutcome? TryAppendAtOnce(StagedBatch staged, out long neededSegment)
    {
        try
        {
            return TryAppend(staged, TimeSpan.Zero, out neededSegment);
        }
        catch (QueueStalledException)
        {
            neededSegment = 0;
            return null;
        }
    }

    // Making a file takes milliseconds and may wait for another process that makes one: one pool thread does it for all who need it.
    private Task MakeSegmentsAsync(long index)
    {
        lock (_makingSync)
        {
            if (_making.IsCompleted || _makingIndex < index)
            {
                _makingIndex = index;
                _making = Task.Run(() => TryMakeSegments(index, _patience, wait: true));
            }
            return _making;
        }
    }
}
