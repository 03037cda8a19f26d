using BlitQueue.Log;
using BlitQueue.Memory;

namespace BlitQueue;

/// <summary>
/// Reads a queue's messages one after the other with no more than the right to read its files: takes no lock, writes nothing, is no
/// consumer, and no process notices it. For other users, for read-only file systems, for looking at a copy.
/// </summary>
/// <typeparam name="T">The queue's message type.</typeparam>
/// <remarks>
/// It cannot sleep until a message comes: ask again. Nothing waits for it either: if the next message was deleted, or its file is used for
/// later ones, the reader throws and never shows a later message instead. Used from one thread at a time.
/// </remarks>
/// <example>
/// <code>
/// using var reader = QueueReader&lt;Order&gt;.Open("orders");
/// Order? order = null;
/// while (reader.TryRead(ref order)) Console.WriteLine(order!.Id);
/// </code>
/// </example>
public sealed class QueueReader<T> : IDisposable
    where T : IPackable<T>
{
    private readonly ReadOnlyStore _store;
    private readonly IReadableLog _log;
    private readonly LogIterator<T> _walk;

    private QueueReader(ReadOnlyStore store)
    {
        _log = _store = store;
        _walk = new LogIterator<T>(store, store.Gate.Disposed);
        string path = store.Directory;
        store.Segments.Damages.Counted = () => QueueMeter.NoteDamage(path);
    }

    /// <summary>The queue's directory, absolute.</summary>
    public string Path => _store.Directory;

    /// <summary>Where the next message is, or will be.</summary>
    public QueuePosition Position => new(_walk.Position);

    /// <summary>Opens a queue for reading, at the oldest message that is on disk.</summary>
    /// <param name="path">The directory of a queue.</param>
    /// <exception cref="QueueException">There is no queue, or no right to read it.</exception>
    /// <exception cref="SchemaMismatchException">The directory holds another message type.</exception>
    /// <exception cref="QueueCorruptException">The directory holds what cannot be a queue's.</exception>
    public static QueueReader<T> Open(string path)
    {
        var reader = new QueueReader<T>(QueueMeter.CountingDamage(path, () => ReadOnlyStore.Open(path, T.Schema)));
        try
        {
            reader.Seek(QueuePosition.Oldest);
            return reader;
        }
        catch
        {
            reader.Dispose();
            throw;
        }
    }

    /// <summary>Reads the next message, if there is one. Never waits.</summary>
    /// <param name="message">An instance to fill, or null to get a new one. Where no message is read its content may have changed.</param>
    /// <returns>false at the queue's end.</returns>
    /// <exception cref="QueueException">
    /// What comes next was deleted; <see cref="Seek"/> with <see cref="QueuePosition.Oldest"/> goes on.
    /// </exception>
    /// <exception cref="QueueCorruptException">The message is damaged. The reader stays where it is.</exception>
    /// <exception cref="ObjectDisposedException">The reader was disposed.</exception>
    public bool TryRead([NotNullWhen(true)] ref T? message)
    {
        using CallGate.Call call = _store.Gate.Enter();
        if (!_walk.TryFind(out RecordRef found))
        {
            return false;
        }
        _walk.Unpack(found, ref message);
        _walk.Pass(found);
        return true;
    }

    /// <summary>The packed bytes of the next message, in place, for a view; the reader goes on behind it.</summary>
    /// <param name="bytes">
    /// To be disposed. If the message is deleted while they are in use, they may change to any bytes, but nothing worse happens.
    /// </param>
    /// <returns>false at the queue's end.</returns>
    /// <exception cref="QueueException">As for <see cref="TryRead"/>.</exception>
    public bool TryReadBytes(out LeasedBytes bytes)
    {
        bytes = default;
        CallGate.LongCall stay = _store.Gate.EnterLong();
        ScratchBytes? joined = null;
        try
        {
            if (_walk.TryFind(out RecordRef found))
            {
                ReadOnlySpan<byte> payload = _walk.BytesOf(found, out joined);
                _walk.Pass(found);
                stay.Settle();
                bytes = new LeasedBytes(stay, payload, joined);
                return true;
            }
        }
        catch
        {
            ((IDisposable?)joined)?.Dispose();
            stay.TryLeave();
            throw;
        }
        stay.TryLeave();
        return false;
    }

    /// <summary>Makes the message at a position the next one.</summary>
    /// <param name="position">Of a lease or a cursor, <see cref="QueuePosition.Oldest"/> or <see cref="QueuePosition.Newest"/>.</param>
    /// <exception cref="QueueException">
    /// The position is no longer on disk, or no message begins there, or the queue was deleted. The reader stays where it is.
    /// </exception>
    /// <exception cref="ObjectDisposedException">The reader was disposed.</exception>
    public void Seek(QueuePosition position)
    {
        using CallGate.Call call = _store.Gate.Enter();
        _walk.Seek(reader => SystemFailure.Told(_log.Directory, () => _log.Resolve(reader, position)));
    }

    /// <summary>Gives descriptors and mappings back, now or when the last <see cref="LeasedBytes"/> is disposed.</summary>
    public void Dispose()
    {
        if (!_store.Gate.IsClosed)
        {
            _walk.Dispose();
            _store.Gate.Close();
        }
    }
}
