using System.Runtime.CompilerServices;
using BlitQueue.Memory;
using BlitQueue.Segments;

namespace BlitQueue;

internal sealed partial class Producer<T>
{
    private readonly PropertyPacker _properties;

    public void Enqueue(in T message, Durability durability) => EnqueueAt(durability, in message, in _patience);

    public void Enqueue(in T message, MessageProperties properties) =>
        EnqueueAt(Options.Durability, in message, in _patience, properties);

    public bool TryEnqueue(in T message, MessageProperties properties) =>
        EnqueueAt(Options.Durability, in message, WaitLimit.Short, properties);

    /// <summary>Appends a message behind properties as they stand elsewhere: neither stamped nor looked at.</summary>
    public void EnqueueBehind(in T message, ReadOnlySpan<byte> block)
    {
        using StagedBatch staged = StagedBatch.Rent();
        block.CopyTo(staged.GetSpan(block.Length));
        staged.Advance(block.Length);
        Packer.Pack(staged, in message);
        staged.EndMessage(block.Length);
        Append(staged, in _patience);
        Secure(Options.Durability);
    }

    /// <summary>Sets when the messages were enqueued: in the order of the log, however long they have waited for room.</summary>
    public void Stamp(StagedBatch staged)
    {
        if (_properties.StampsTime)
        {
            staged.Stamp(DateTime.UtcNow.Ticks);
        }
    }

    // Into the segment at once, whatever stands in front of the message. False, with nothing enqueued, when that cannot be.
    private bool TryEnqueueAtTail(in T message, in WaitLimit limit, MessageProperties? properties = null) => _packsInPlace && properties is null
        ? TryEnqueueInPlace(in message, in limit)
        : TryEnqueueBehindProperties(in message, in limit, properties);

    // Like TryEnqueueInPlace, with the block in front of the message. That they are two keeps all this out of what a plain message passes.
    [MethodImpl(MethodImplOptions.NoInlining)]
    private bool TryEnqueueBehindProperties(in T message, in WaitLimit limit, MessageProperties? properties)
    {
        if (message is null)
        {
            ThrowNull();
        }
        int block = _properties.SizeOf(properties);
        if (T.Schema.RunsUserCode || block == 0)
        {
            return block == 0 && _packsInPlace && TryEnqueueInPlace(in message, in limit);
        }
        using CallGate.Call call = _store.Gate.Enter();
        if (!_appender.TryOpen(in limit, out Span<byte> room))
        {
            return false;
        }
        PackWriter writer = default;
        bool published = false;
        try
        {
            if (room.Length < block)
            {
                return false;
            }
            _properties.Write(room[..block], properties);
            writer = new PackWriter(null, room[block..]);
            T.Pack(ref writer, in message);
            if (writer.InPlace && writer.Written <= _longest
                && _limit.Allows(_appender.Position, RecordFormat.Extent(block + writer.Written)))
            {
                published = true;
                _appender.PublishBehindProperties(block + writer.Written);
                _store.Control.Data.WakeSleepers<MachineMemory>();
            }
        }
        catch (LongMessageException)
        {
        }
        finally
        {
            if (!published)
            {
                _appender.PassTurn();
                writer.Abandon();
            }
        }
        return published;
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
}
