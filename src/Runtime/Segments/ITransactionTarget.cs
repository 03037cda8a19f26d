using BlitQueue.Memory;

namespace BlitQueue.Segments;

/// <summary>A handle of a queue that a transaction sends to, as its commit uses it.</summary>
internal interface ITransactionTarget
{
    QueueStore Store { get; }

    Appender<MachineMemory> Appender { get; }

    /// <summary>Whether so many bytes may be appended at a position, perhaps once the oldest messages are dropped. The caller holds the turn.</summary>
    bool MayHaveRoomAt(long position, long extent);

    /// <summary>Drops the oldest messages where they are in the way and the options say so. The caller holds the turn.</summary>
    /// <returns>Whether so many bytes may be appended at a position now.</returns>
    bool TryMakeRoomAt(long position, long extent);

    /// <summary>Sets when the messages were enqueued, of those that bear it. The caller holds the turn.</summary>
    void Stamp(StagedBatch batch);
}
