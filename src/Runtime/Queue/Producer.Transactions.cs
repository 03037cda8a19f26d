using BlitQueue.Memory;
using BlitQueue.Segments;

namespace BlitQueue;

internal sealed partial class Producer<T> : ITransactionTarget
{
    public QueueStore Store => _store;

    public Appender<MachineMemory> Appender => _appender;

    public bool IsDurable => Options.Durability == Durability.Commit;

    public void NoteCommitted()
    {
        if (Options.Durability == Durability.Interval)
        {
            Secure(Durability.Interval);
        }
    }

    public bool MayHaveRoomAt(long position, long extent) =>
        _limit.Allows(position, extent) || MayDropFor(extent);

    private bool MayDropFor(long extent) => Options.FullMode == FullMode.DropOldest && extent <= Options.Capacity;

    public bool TryMakeRoomAt(long position, long extent)
    {
        if (!_limit.Allows(position, extent) && Options.FullMode == FullMode.DropOldest)
        {
            _dropper.DropBefore(position + extent - Options.Capacity!.Value);
        }
        return _limit.Allows(position, extent);
    }

    public StallWatch WatchStall(TimeSpan patience) => new(_store, _turnWait, patience);

    public void WaitForRoom(long extent)
    {
        RequireWaiting(extent);
        _limit.Wait(extent, _store.Gate);
    }

    async ValueTask ITransactionTarget.AwaitRoomAsync(long extent, CancellationToken ct)
    {
        RequireWaiting(extent);
        if (Options.FullMode == FullMode.DropOldest)
        {
            // Messages that are leased are in the way: some of their room may do, once more can be dropped.
            await Task.Delay(StallWatch.Pause, ct).ConfigureAwait(false);
            return;
        }
        await WaitForRoomAsync(extent, ct).ConfigureAwait(false);
    }

    /// <summary>Packs messages behind those that a transaction sends already: all of them, or none.</summary>
    /// <exception cref="ArgumentNullException">One is null.</exception>
    /// <exception cref="ArgumentException">One is longer than the options allow.</exception>
    public void Stage(ReadOnlySpan<T> messages, StagedBatch staged, MessageProperties? properties = null)
    {
        int before = staged.Count;
        try
        {
            foreach (ref readonly T message in messages)
            {
                Stage(in message, staged, properties);
            }
        }
        catch
        {
            staged.CutBack(before);
            throw;
        }
    }

    /// <summary>The same with a message that is packed already.</summary>
    public void StagePacked(ReadOnlySpan<byte> message, StagedBatch staged) =>
        staged.Add(message, StageProperties(properties: null, staged));

    /// <exception cref="ArgumentException">A packed message is longer than the options allow.</exception>
    public void RequireAllowed(int length)
    {
        if (length > Options.MaxMessageSize)
        {
            throw new ArgumentException(
                $"The message is {length} bytes packed; QueueOptions.MaxMessageSize of {_store.Files.Directory} allows {Options.MaxMessageSize}.",
                "message");
        }
    }
}
