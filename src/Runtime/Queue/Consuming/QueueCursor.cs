using System.Collections;
using BlitQueue.Log;
using BlitQueue.Memory;

namespace BlitQueue;

/// <summary>
/// Reads a queue's messages one after the other without taking them. It delays nothing: consumers, and the deletion of what they have
/// passed, go on as if it were not there.
/// </summary>
/// <typeparam name="T">The queue's message type.</typeparam>
/// <remarks>
/// <see cref="MappedQueue{T}.OpenCursor"/> gives it; it lives as long as its queue. Used from one thread at a time. If the next message has
/// been deleted, or its file is used for later ones, the cursor throws and never shows a later message instead. A segment that was deleted
/// while the cursor stood in it takes disk space until the cursor moves on, or is disposed.
/// </remarks>
/// <example>
/// <code>
/// using QueueCursor&lt;Order&gt; cursor = orders.OpenCursor(QueuePosition.Oldest);
/// Order? order = null;
/// while (cursor.TryRead(ref order)) Console.WriteLine(order!.Id);
/// </code>
/// </example>
public sealed class QueueCursor<T> : IEnumerable<T>, ITakeable<T>, IDisposable
    where T : IPackable<T>
{
    private readonly QueueStore _store;
    private readonly SubscriptionAdmin _admin;
    private readonly AtomicFlag _disposed = new();
    private readonly LogIterator<T> _walk;
    private Func<bool, bool>? _look;
    private Func<bool>? _isMessageThere;

    internal QueueCursor(QueueStore store, SubscriptionAdmin admin, QueuePosition from)
    {
        _store = store;
        _admin = admin;
        _walk = new LogIterator<T>(store, IsDisposed);
        store.Releasing += Release;
        try
        {
            Seek(from);
        }
        catch
        {
            store.Releasing -= Release;
            _walk.Dispose();
            throw;
        }
    }

    /// <summary>Where the next message is, or will be. <see cref="Subscription{T}.Seek(QueuePosition)"/> takes it.</summary>
    public QueuePosition Position => new(_walk.Position);

    /// <summary>Reads the next message, if there is one. Never waits.</summary>
    /// <param name="message">An instance to fill, or null to get a new one. Where no message is read its content may have changed.</param>
    /// <returns>false at the queue's end.</returns>
    /// <exception cref="QueueException">
    /// What comes next was deleted; the text says which position is the oldest that is left. The cursor stays where it is;
    /// <see cref="Seek"/> with <see cref="QueuePosition.Oldest"/> goes on.
    /// </exception>
    /// <exception cref="QueueCorruptException">The message is damaged. The cursor stays where it is.</exception>
    /// <exception cref="ObjectDisposedException">The cursor or the queue was disposed.</exception>
    public bool TryRead([NotNullWhen(true)] ref T? message) => TryRead(ref message, out _);

    /// <summary>Reads the next message, if there is one, and tells where it stands.</summary>
    /// <param name="message">An instance to fill, or null to get a new one. Where no message is read its content may have changed.</param>
    /// <param name="position">Where the message stands.</param>
    /// <returns>false at the queue's end.</returns>
    /// <exception cref="QueueException">What comes next was deleted, as above.</exception>
    /// <exception cref="QueueCorruptException">The message is damaged. The cursor stays where it is.</exception>
    /// <exception cref="ObjectDisposedException">The cursor or the queue was disposed.</exception>
    public bool TryRead([NotNullWhen(true)] ref T? message, out QueuePosition position)
    {
        ThrowIfDisposed();
        using CallGate.Call call = _store.Gate.Enter();
        bool there = _walk.TryFind(out RecordRef found) || (_store.Transactions.TryComplete() && _walk.TryFind(out found));
        position = new QueuePosition(there ? found.Position : _walk.Position);
        if (!there)
        {
            return false;
        }
        _walk.Unpack(found, ref message);
        _walk.Pass(found);
        return true;
    }

    /// <summary>Reads the next message, sleeping in the kernel until there is one.</summary>
    /// <param name="message">An instance to fill, or null to get a new one.</param>
    /// <param name="cancellationToken">Ends the wait.</param>
    /// <exception cref="OperationCanceledException">The token was cancelled.</exception>
    /// <exception cref="QueueException">As for <see cref="TryRead(ref T)"/>.</exception>
    /// <exception cref="ObjectDisposedException">The cursor or the queue was disposed, possibly during the wait.</exception>
    public void Read([NotNull] ref T? message, CancellationToken cancellationToken = default)
    {
        cancellationToken.ThrowIfCancellationRequested();
        while (!TryRead(ref message))
        {
            WaitForMessage(Deadline.Never, cancellationToken);
        }
    }

    /// <summary>Reads the next message, sleeping in the kernel for so long until there is one.</summary>
    /// <param name="message">An instance to fill, or null to get a new one.</param>
    /// <param name="timeout">Zero does not wait; <see cref="Timeout.InfiniteTimeSpan"/> waits for ever.</param>
    /// <param name="cancellationToken">Ends the wait.</param>
    /// <returns>false when the time was over before there was one.</returns>
    /// <exception cref="ArgumentOutOfRangeException">The time is negative, and not infinite.</exception>
    /// <inheritdoc cref="Read(ref T, CancellationToken)"/>
    public bool Read([NotNullWhen(true)] ref T? message, TimeSpan timeout, CancellationToken cancellationToken = default)
    {
        cancellationToken.ThrowIfCancellationRequested();
        var deadline = new Deadline(timeout);
        return TryRead(ref message) || ((ITakeable<T>)this).TryTakeUntil(deadline, ref message, cancellationToken);
    }

    /// <summary>Reads the next message, waiting without a thread until there is one.</summary>
    /// <param name="cancellationToken">Ends the wait.</param>
    /// <returns>The message, a new instance; completed already when there was one.</returns>
    /// <exception cref="OperationCanceledException">The token was cancelled.</exception>
    /// <exception cref="QueueException">As for <see cref="TryRead(ref T)"/>.</exception>
    /// <exception cref="ObjectDisposedException">The cursor or the queue was disposed, possibly during the wait.</exception>
    [OverloadResolutionPriority(1)]
    public ValueTask<T> ReadAsync(CancellationToken cancellationToken = default) => ReadAsync(reuse: default, cancellationToken);

    /// <summary>Reads the next message into an instance, waiting without a thread until there is one.</summary>
    /// <param name="reuse">An instance to fill, or null to get a new one. It is the call's until its task ends.</param>
    /// <param name="cancellationToken">Ends the wait.</param>
    /// <returns>The message; completed already when there was one.</returns>
    /// <inheritdoc cref="ReadAsync(CancellationToken)"/>
    public async ValueTask<T> ReadAsync(T? reuse, CancellationToken cancellationToken = default)
    {
        cancellationToken.ThrowIfCancellationRequested();
        while (!TryRead(ref reuse))
        {
            await _store.DataWaits.WaitAsync(_look ??= Look, cancellationToken).ConfigureAwait(false);
        }
        return reuse;
    }

    /// <summary>Reads the next message, waiting without a thread, and for so long, until there is one.</summary>
    /// <param name="timeout">Zero does not wait; <see cref="Timeout.InfiniteTimeSpan"/> waits for ever.</param>
    /// <param name="cancellationToken">Ends the wait.</param>
    /// <returns>The message, a new instance; none when the time was over before there was one.</returns>
    /// <exception cref="ArgumentOutOfRangeException">The time is negative, and not infinite.</exception>
    /// <inheritdoc cref="ReadAsync(CancellationToken)"/>
    [OverloadResolutionPriority(-1)]
    public ValueTask<MessageOrNone<T>> ReadAsync(TimeSpan timeout, CancellationToken cancellationToken = default) =>
        TimedReceive.MessageAsync(ReadAsync, timeout, cancellationToken);

    /// <summary>Reads the next message into an instance, waiting without a thread, and for so long, until there is one.</summary>
    /// <param name="reuse">An instance to fill, or null to get a new one. It is the call's until its task ends.</param>
    /// <param name="timeout">Zero does not wait; <see cref="Timeout.InfiniteTimeSpan"/> waits for ever.</param>
    /// <param name="cancellationToken">Ends the wait.</param>
    /// <returns>The message; none when the time was over before there was one.</returns>
    /// <exception cref="ArgumentOutOfRangeException">The time is negative, and not infinite.</exception>
    /// <inheritdoc cref="ReadAsync(CancellationToken)"/>
    [OverloadResolutionPriority(-1)]
    public ValueTask<MessageOrNone<T>> ReadAsync(T? reuse, TimeSpan timeout, CancellationToken cancellationToken = default) =>
        TimedReceive.MessageAsync(ending => ReadAsync(reuse, ending), timeout, cancellationToken);

    private bool WaitForMessage(in Deadline deadline, CancellationToken cancellationToken) =>
        DataSleep.Until(_store, _isMessageThere ??= IsMessageThere, deadline, cancellationToken);

    private bool Look(bool thorough)
    {
        using CallGate.Call call = _store.Gate.Enter();
        return IsMessageThere() || (thorough && _store.Transactions.IsAbandoned());
    }

    bool ITakeable<T>.TryTake([NotNullWhen(true)] ref T? taken) => TryRead(ref taken);

    bool ITakeable<T>.Wait(in Deadline deadline, CancellationToken cancellationToken) => WaitForMessage(deadline, cancellationToken);

    // True also when reading would throw: then the reader's own call throws.
    private bool IsMessageThere() => _disposed.IsSet || _walk.IsThere();

    /// <summary>Makes the message at a position the next one.</summary>
    /// <param name="position">
    /// Of a lease or of this cursor, <see cref="QueuePosition.Oldest"/> or <see cref="QueuePosition.Newest"/>.
    /// </param>
    /// <exception cref="QueueException">
    /// The position is no longer on disk, or no message begins there. The cursor stays where it is.
    /// </exception>
    /// <exception cref="ObjectDisposedException">The cursor or the queue was disposed.</exception>
    public void Seek(QueuePosition position)
    {
        ThrowIfDisposed();
        using CallGate.Call call = _store.Gate.Enter();
        _walk.Seek(reader => _admin.Find(reader, position));
    }

    /// <summary>Reads to the queue's end, from where the cursor is. Each message is a new instance.</summary>
    /// <exception cref="QueueException">As for <see cref="TryRead(ref T)"/>.</exception>
    public IEnumerator<T> GetEnumerator()
    {
        for (T? message = default; TryRead(ref message); message = default)
        {
            yield return message!;
        }
    }

    IEnumerator IEnumerable.GetEnumerator() => GetEnumerator();

    private ObjectDisposedException IsDisposed() => Disposed.Of("QueueCursor", $"{_store.Files.Directory}: the cursor");

    private void ThrowIfDisposed()
    {
        if (_disposed.IsSet)
        {
            throw IsDisposed();
        }
    }

    private void Release() => _walk.Dispose();

    /// <summary>Ends the use of the cursor.</summary>
    public void Dispose()
    {
        if (!_disposed.TrySet() || _store.Gate.IsClosed)
        {
            return;
        }
        using CallGate.Call call = _store.Gate.Enter();
        _store.Releasing -= Release;
        _walk.Dispose();
        // Calls that wait on this object notice its end.
        _store.WakeDataSleepers();
        _store.DataWaits.LookAgain();
    }
}
