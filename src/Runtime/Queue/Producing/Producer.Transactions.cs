using BlitQueue.Log;
using BlitQueue.Memory;

namespace BlitQueue;

internal sealed partial class Producer<T> : ITransactionTarget
{
    private long _waits;

    /// <summary>How often an enqueue waited for room.</summary>
    public long Waits => MachineMemory.Load(ref _waits);

    public QueueStore Store => _store;

    public Appender<MachineMemory> Appender => _appender;

    public bool FailsWhenFull => Options.FullMode == FullMode.Fail;

    public bool IsDurable => Options.Durability == Durability.Commit;

    public void NoteCommitted()
    {
        if (Options.Durability == Durability.Interval)
        {
            Secure(Durability.Interval);
        }
    }

    public bool MayHaveRoomAt(long position, long extent) =>
        _limit.AllowsStaged(position, extent) || Options.FullMode == FullMode.DropOldest;

    public bool TryMakeRoomAt(long position, long extent)
    {
        if (!_limit.AllowsStaged(position, extent) && Options.FullMode == FullMode.DropOldest)
        {
            _dropper.DropBefore(Math.Min(position + extent - _limit.Capacity, position));
        }
        return _limit.AllowsStaged(position, extent);
    }

    public StallWatch WatchStall(TimeSpan patience) => new(_store, _lockWait, patience);

    public void WaitForRoom(long extent, CancellationToken cancellationToken)
    {
        if (RemovesEnded())
        {
            return;
        }
        if (cancellationToken.IsCancellationRequested)
        {
            throw Cancelled(cause: null, cancellationToken);
        }
        RequireWaiting();
        MachineMemory.Increment(ref _waits);
        using CancellationTokenRegistration wakeOnCancel = cancellationToken.UnsafeRegister(
            static state => ((QueueStore)state!).WakeDataSleepers(), _store);
        _limit.Wait(extent, _store.Gate, cancellationToken);
    }

    async ValueTask ITransactionTarget.AwaitRoomAsync(long extent, CancellationToken cancellationToken)
    {
        RequireWaiting();
        if (Options.FullMode == FullMode.DropOldest)
        {
            // Leased messages are in the way: part of their room may be enough, once more can be dropped.
            await Task.Delay(StallWatch.Pause, cancellationToken).ConfigureAwait(false);
            return;
        }
        await WaitForRoomAsync(extent, cancellationToken).ConfigureAwait(false);
    }

    /// <summary>Packs messages behind those that a transaction sends already: all of them, or none.</summary>
    /// <exception cref="ArgumentNullException">One is null.</exception>
    /// <exception cref="ArgumentException">One is longer than the options allow.</exception>
    public void Stage(ReadOnlySpan<T> messages, StagedBatch staged, MessageProperties? properties = null)
    {
        int before = staged.Count;
        try
        {
            for (int i = 0; i < messages.Length; i++)
            {
                if (messages[i] is null)
                {
                    throw new ArgumentNullException(
                        nameof(messages), $"The message with index {i} is null, which is not a message. None of them was enqueued.");
                }
                Stage(in messages[i], staged, properties);
            }
        }
        catch
        {
            staged.CutBack(before);
            throw;
        }
    }

    /// <summary>The same with a message that is packed already.</summary>
    public void StagePacked(ReadOnlySpan<byte> message, StagedBatch staged, MessageProperties? properties = null) =>
        staged.Add(message, StageProperties(properties, staged));

    /// <exception cref="ArgumentException">A packed message is longer than the options allow.</exception>
    public void RequireAllowed(int length)
    {
        if (length > Options.MaxMessageSize)
        {
            throw new ArgumentException(
                $"The message is {length} bytes packed; QueueOptions.MaxMessageSize of {_store.Files.Directory} allows "
                    + $"{Options.MaxMessageSize}.",
                "message");
        }
    }
}
