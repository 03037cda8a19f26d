using BlitQueue.Memory;

namespace BlitQueue.Segments;

/// <summary>A queue that a transaction sends to, as its commit uses it.</summary>
internal interface ITransactionTarget
{
    QueueStore Store { get; }

    Appender<MachineMemory> Appender { get; }

    /// <summary>Whether so many bytes may be appended at a position. The caller holds the turn.</summary>
    bool HasRoomAt(long position, long extent);

    /// <summary>Sets when the messages were enqueued, of those that bear it. The caller holds the turn.</summary>
    void Stamp(StagedBatch batch);
}
