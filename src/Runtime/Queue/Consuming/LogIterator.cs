using BlitQueue.Log;
using BlitQueue.Memory;

namespace BlitQueue;

/// <summary>
/// Reads a log's messages and holds no segment: so a message that it has read is valid only if its segment was not deleted or used again
/// before. Used inside a call, by one thread at a time; <see cref="IsThere"/> by any.
/// </summary>
/// <param name="log">The log.</param>
/// <param name="disposed">What is thrown where it is used after <see cref="Dispose"/>.</param>
internal sealed class LogIterator<T>(IReadableLog log, Func<ObjectDisposedException> disposed) : IDisposable
    where T : IPackable<T>
{
    private RecordReader<MachineMemory> _reader = new(log.Segments, log.Meta, disposed: disposed);

    /// <summary>Where the next message is, or will be.</summary>
    public long Position { get; private set; }

    /// <summary>Finds the next message. <see cref="Pass"/> checks that it is valid, and goes on behind it.</summary>
    /// <returns>false at the log's end.</returns>
    /// <exception cref="QueueException">What comes next is gone.</exception>
    /// <exception cref="QueueCorruptException">It is damaged.</exception>
    public bool TryFind(out RecordRef found)
    {
        try
        {
            while (!_reader.TryFind(SubscriptionFormat.NextWord(Position, 0), out found))
            {
                GoTo(Math.Max(Position, found.Position));
                if (_reader.EndsAt(Position))
                {
                    return false;
                }
            }
            return true;
        }
        catch (QueueCorruptException exception)
        {
            throw Judged(exception);
        }
    }

    /// <summary>Unpacks what was found.</summary>
    /// <exception cref="QueueException">It is gone.</exception>
    /// <exception cref="QueueCorruptException">It is damaged.</exception>
    public void Unpack(in RecordRef found, [NotNull] ref T? message)
    {
        ScratchBytes? joined = null;
        try
        {
            var reader = new PackReader(BytesOf(found, out joined));
            T.Unpack(ref reader, ref message);
            Subscription<T>.RequireMessage(message);
        }
        catch (PackException exception)
        {
            throw Judged(_reader.Damaged(found.Position, $"the message cannot be unpacked: {exception.Message}", exception));
        }
        finally
        {
            ((IDisposable?)joined)?.Dispose();
        }
    }

    /// <summary>The payload of what was found.</summary>
    /// <param name="found">What was found.</param>
    /// <param name="joined">
    /// null where the payload lies in one piece and is given in place; else what it was joined in, to be given back.
    /// </param>
    /// <exception cref="QueueException">It is gone.</exception>
    /// <exception cref="QueueCorruptException">It is damaged.</exception>
    public ReadOnlySpan<byte> BytesOf(scoped in RecordRef found, out ScratchBytes? joined)
    {
        try
        {
            return _reader.Message(found, out joined);
        }
        catch (QueueCorruptException exception)
        {
            throw Judged(exception);
        }
    }

    /// <summary>The properties of what was found; empty where it has none.</summary>
    /// <exception cref="QueueException">It is gone.</exception>
    /// <exception cref="QueueCorruptException">They are damaged.</exception>
    public PropertyBlock PropertiesOf(scoped in RecordRef found)
    {
        try
        {
            return found.HasProperties ? _reader.Properties(found, isChecked: true) : default;
        }
        catch (QueueCorruptException exception)
        {
            throw Judged(exception);
        }
    }

    /// <summary>The exception for damaged properties of what was found.</summary>
    public QueueCorruptException DamagedProperties(in RecordRef found) => _reader.DamagedProperties(found);

    /// <summary>Goes on behind a message that was read.</summary>
    /// <exception cref="QueueException">It had been deleted before it was read.</exception>
    public void Pass(in RecordRef found) => GoTo(found.After);

    /// <summary>Makes a position the next one.</summary>
    /// <param name="find">Finds the position by a new reader: the old one may stand in a segment that was used anew meanwhile.</param>
    public void Seek(Func<RecordReader<MachineMemory>, long> find)
    {
        var reader = new RecordReader<MachineMemory>(log.Segments, log.Meta, disposed: disposed);
        try
        {
            Position = find(reader);
        }
        catch
        {
            reader.Dispose();
            throw;
        }
        RecordReader<MachineMemory> before = _reader;
        _reader = reader;
        before.Dispose();
    }

    /// <summary>Whether a look at the next message would give a message or an exception.</summary>
    public bool IsThere()
    {
        try
        {
            long position = Position;
            return _reader.TryFind(SubscriptionFormat.NextWord(position, 0), out _) || !IsStillThere;
        }
        catch (Exception exception) when (exception is QueueCorruptException or ObjectDisposedException)
        {
            return true;
        }
    }

    // Checks that what was read at the position before is valid.
    private void GoTo(long position)
    {
        if (!IsStillThere)
        {
            throw Gone(cause: null);
        }
        Position = position;
        _reader.LeaveBefore(position);
    }

    private bool IsStillThere => log.Segments.IsStill(Position / log.Meta.SegmentSize);

    // What to throw for bytes that are no message: they may be those of a later segment, which the file has become.
    private QueueException Judged(QueueCorruptException damage) => IsStillThere ? _reader.Met(damage) : Gone(damage);

    private QueueException Gone(Exception? cause) => new(
        $"{log.Directory}: what was at position {Position} is no longer on disk; the log starts at {log.FirstRetainedPosition}. "
        + "Seek(QueuePosition.Oldest) goes on there; retain more (RetainBytes, RetainFor) to miss nothing.", cause)
    { Reason = QueueError.PositionGone, Path = log.Directory };

    public void Dispose() => _reader.Dispose();
}
