using BlitQueue.Log;
using BlitQueue.Memory;
using BlitQueue.Platform;

namespace BlitQueue;

/// <summary>
/// A queue of any message type, for a process that may only read it: its messages as bytes, how it and its subscriptions stand, who has it
/// open. Like <see cref="QueueReader{T}"/> it takes no lock, writes nothing and is no participant. For programs that know the message type
/// from the queue alone, such as the command line tool; used from one thread at a time.
/// </summary>
internal sealed partial class QueueLook : IDisposable
{
    private readonly ReadOnlyStore _store;
    private readonly IReadableLog _log;
    private readonly LogIterator<RawMessage> _walk;
    private readonly MessageCounter _counter;
    private long? _first;

    private QueueLook(ReadOnlyStore store)
    {
        _log = _store = store;
        _walk = new LogIterator<RawMessage>(store, store.Gate.Disposed);
        _counter = new MessageCounter(store.Segments, store.Meta, store.Gate, notes: false);
    }

    /// <summary>The queue's directory, absolute.</summary>
    public string Path => _store.Directory;

    /// <summary>The text of the message type's schema.</summary>
    public string Schema => _store.Meta.Schema;

    /// <summary>Where the next message is, or will be.</summary>
    public long Position => _walk.Position;

    /// <summary>Opens a queue. The first message is not looked for: <see cref="Seek"/> does that.</summary>
    /// <exception cref="QueueException">There is no queue, or no right to read it.</exception>
    /// <exception cref="QueueCorruptException">The directory contains what cannot be a queue's, or its repair has not ended.</exception>
    public static QueueLook Open(string path) => CurrentPlatform.Instance is var system && system.IsThere(path) && !system.IsDirectory(path)
        ? throw new QueueException($"{path} is a file, and a queue is a directory. Give the path of a queue.")
        { Reason = QueueError.NotAQueue, Path = path }
        : new(ReadOnlyStore.Open(path, schema: null));

    /// <summary>Makes the message at a position the next one; as <see cref="QueueReader{T}.Seek"/>.</summary>
    /// <exception cref="QueueException">The position is no longer on disk, or no message begins there.</exception>
    public void Seek(QueuePosition position)
    {
        using CallGate.Call call = _store.Gate.Enter();
        _walk.Seek(reader => _log.Resolve(reader, position));
    }

    /// <summary>
    /// Goes to where a message was, or a subscription stands. What is there may be damaged or gone: reading it then says so.
    /// </summary>
    public void SeekNextOf(long position)
    {
        using CallGate.Call call = _store.Gate.Enter();
        _walk.Seek(_ => position);
    }

    /// <summary>Copies the next message, if there is one, and goes on behind it. Never waits.</summary>
    /// <returns>false at the queue's end.</returns>
    /// <exception cref="QueueException">What comes next was deleted.</exception>
    /// <exception cref="QueueCorruptException">It is damaged; the next one is the same again.</exception>
    public bool TryRead(StoredMessage message)
    {
        using CallGate.Call call = _store.Gate.Enter();
        if (!_walk.TryFind(out RecordRef found))
        {
            return false;
        }
        ScratchBytes? joined = null;
        try
        {
            ReadOnlySpan<byte> payload = _walk.BytesOf(found, out joined);
            message.Fill(found.Position, found.After, payload, _walk.PropertiesOf(found).Bytes);
        }
        finally
        {
            ((IDisposable?)joined)?.Dispose();
        }
        // The copy is valid only if its segment was not given up before the message was copied.
        _walk.Pass(found);
        return true;
    }

    /// <summary>Makes the first message of a segment the next one.</summary>
    /// <param name="fromEnd">Which segment: 0 for the last one, 1 for the one in front of it.</param>
    /// <returns>
    /// false if no message begins there, because it goes on from the segment before; or if there is no such segment: then at the oldest.
    /// </returns>
    public bool TrySeekSegment(long fromEnd)
    {
        using CallGate.Call call = _store.Gate.Enter();
        long first = _store.Meta.FirstOf((_log.End() / _store.Meta.SegmentSize) - fromEnd), retained = _log.FirstRetainedPosition;
        try
        {
            _walk.Seek(reader => first <= retained || reader.BeginsInBatch(first)
                ? _log.OldestMessage()
                : _log.Resolve(reader, new QueuePosition(first)));
            return first > retained && _walk.Position == first;
        }
        catch (QueueException exception)
            when (exception.Reason == QueueError.PositionGone || !_log.Segments.IsStill(first / _store.Meta.SegmentSize))
        {
            return false;
        }
    }

    /// <summary>How many segments the log has.</summary>
    public long CountSegments()
    {
        using CallGate.Call call = _store.Gate.Enter();
        return ((_log.End() - _log.FirstRetainedPosition) / _store.Meta.SegmentSize) + 1;
    }

    /// <summary>Closes the files.</summary>
    public void Dispose()
    {
        if (!_store.Gate.IsClosed)
        {
            _counter.Stop();
            _walk.Dispose();
            _store.Gate.Close();
        }
    }
}
