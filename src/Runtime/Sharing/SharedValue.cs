using BlitQueue.Log;
using BlitQueue.Memory;
using BlitQueue.Sharing;

namespace BlitQueue;

/// <summary>
/// One value of any size that several processes share. It is always read whole: a reader gets the value of one write, never parts of two.
/// Readers never wait for a lock, and never stop a writer. A writer that dies in the middle of a write leaves the value as it was.
/// </summary>
/// <typeparam name="T">A type without references and pointers. All processes use the same: name, size, and fields.</typeparam>
/// <remarks>
/// There are two copies in memory; a write fills the one that is not current. Writers have a lock: if one dies, the next goes on at once;
/// if one is stopped in the middle of a write, others wait for it, and readers do not. The version counts the writes, from 0 for a value
/// that was never written, which is all zeros.
/// </remarks>
/// <example>
/// <code>
/// using var position = SharedValue&lt;Position&gt;.Open("position");
/// position.Write(new Position { X = 1, Y = 2 });
/// Position now = position.Read();
/// </code>
/// </example>
public sealed class SharedValue<[DynamicallyAccessedMembers(ElementLayout.Fields)] T> : SharedObject
    where T : unmanaged
{
    private static string? Layout;

    private readonly ValueCells<T, MachineMemory> _cells;
    private readonly EventCount _changes;

    private SharedValue(SharedFile file) : base(file)
    {
        _cells = new ValueCells<T, MachineMemory>(
            file.Region, ControlFormat.ValueVersionOffset, SharedFormat.DataOffset, file.Shape.Stride);
        _changes = file.Control.Room;
    }

    /// <summary>Joins the value with this name, or makes it, all zeros.</summary>
    /// <param name="name">1 to 100 letters, digits, <c>-</c>, <c>_</c> and <c>.</c>, not beginning with a dot.</param>
    /// <param name="cancellationToken">Ends the wait for processes that make or delete it at the same time.</param>
    /// <exception cref="ArgumentException">It cannot be a name, or the type contains a pointer.</exception>
    /// <exception cref="SchemaMismatchException">The name is another kind of object's, or the value has another type.</exception>
    /// <exception cref="QueueFullException">There is no memory for it.</exception>
    /// <exception cref="QueueException">The system refuses.</exception>
    /// <exception cref="OperationCanceledException">The token was cancelled; nothing was made.</exception>
    public static SharedValue<T> Open(string name, CancellationToken cancellationToken = default) =>
        new(SharedFile.Open(SharedName.PathOf(name), Shape, cancellationToken: cancellationToken));

    /// <summary>Joins the value in this file, or makes it, all zeros.</summary>
    /// <param name="path">The file. Its directory exists.</param>
    /// <param name="fileMode">The rights of a new file, on Unix: read and write for each who may use it. null: the user's alone.</param>
    /// <param name="cancellationToken">Ends the wait for processes that make or delete it at the same time.</param>
    /// <inheritdoc cref="Open" path="/exception"/>
    public static SharedValue<T> OpenFile(string path, UnixFileMode? fileMode = null, CancellationToken cancellationToken = default) =>
        new(SharedFile.Open(SharedName.FileAt(path), Shape, fileMode, cancellationToken));

    private static SharedShape Shape => new(SharedKind.Value, Layout ??= ElementLayout.Of<T>(), Blit.SizeOf<T>(), 1);

    /// <summary>How often the value was written.</summary>
    /// <exception cref="ObjectDisposedException">The handle is disposed.</exception>
    public long Version
    {
        get
        {
            using CallGate.Call call = Gate.Enter();
            return _cells.Version;
        }
    }

    /// <summary>The process that is writing; null for none. It may have ended since.</summary>
    /// <exception cref="ObjectDisposedException">The handle is disposed.</exception>
    public int? WriterProcessId
    {
        get
        {
            using CallGate.Call call = Gate.Enter();
            return Lock.LiveHolder;
        }
    }

    /// <summary>The value, whole. It never waits, but reads again if two writes happen during one read.</summary>
    /// <exception cref="ObjectDisposedException">The handle is disposed.</exception>
    public T Read()
    {
        using CallGate.Call call = Gate.Enter();
        _cells.Read(out T value);
        return value;
    }

    /// <summary>The value, whole, and its version.</summary>
    /// <exception cref="ObjectDisposedException">The handle is disposed.</exception>
    public T Read(out long version)
    {
        using CallGate.Call call = Gate.Enter();
        version = _cells.Read(out T value);
        return value;
    }

    /// <summary>Writes the value, whole, after the writes of others.</summary>
    /// <param name="value">The value.</param>
    /// <param name="cancellationToken">Ends the wait for another writer.</param>
    /// <returns>Its version.</returns>
    /// <exception cref="LockRecursionException">The calling thread is inside of an update of this value.</exception>
    /// <exception cref="OperationCanceledException">The token was cancelled; the text says which process is writing.</exception>
    /// <exception cref="ObjectDisposedException">The handle is disposed.</exception>
    public long Write(in T value, CancellationToken cancellationToken = default) => Write(value, Limit(cancellationToken));

    /// <summary>Writes the value, whole, and waits for other writers for a time at most.</summary>
    /// <param name="value">The value.</param>
    /// <param name="timeout">0 or more, or <see cref="Timeout.InfiniteTimeSpan"/>.</param>
    /// <param name="cancellationToken">Ends the wait for another writer.</param>
    /// <returns>Its version.</returns>
    /// <exception cref="SharedLockTimeoutException">The time is over; it says which process is writing.</exception>
    /// <inheritdoc cref="Write(in T, CancellationToken)" path="/exception"/>
    public long Write(in T value, TimeSpan timeout, CancellationToken cancellationToken = default) =>
        Write(value, Limit(timeout, cancellationToken));

    /// <summary>Replaces the value by one that is computed from it; no other write happens in between.</summary>
    /// <param name="change">
    /// Gets the value, and returns the new one. It runs once, while other writers wait. If it throws, the value stays.
    /// </param>
    /// <param name="cancellationToken">Ends the wait for another writer.</param>
    /// <returns>The new value.</returns>
    /// <inheritdoc cref="Write(in T, CancellationToken)" path="/exception"/>
    public T Update(Func<T, T> change, CancellationToken cancellationToken = default)
    {
        ArgumentNullException.ThrowIfNull(change);
        return Update(change, static (value, change) => change(value), Limit(cancellationToken));
    }

    /// <summary>Replaces the value by one that is computed from it and an argument.</summary>
    /// <param name="argument">Given to the function, so that it needs no closure.</param>
    /// <param name="change">
    /// Gets the value, and returns the new one. It runs once, while other writers wait. If it throws, the value stays.
    /// </param>
    /// <param name="cancellationToken">Ends the wait for another writer.</param>
    /// <returns>The new value.</returns>
    /// <inheritdoc cref="Write(in T, CancellationToken)" path="/exception"/>
    public T Update<TArgument>(TArgument argument, Func<T, TArgument, T> change, CancellationToken cancellationToken = default)
    {
        ArgumentNullException.ThrowIfNull(change);
        return Update(argument, change, Limit(cancellationToken));
    }

    /// <summary>Waits until the value has another version.</summary>
    /// <param name="version">The version that the caller knows.</param>
    /// <param name="cancellationToken">Ends the wait.</param>
    /// <returns>The version now.</returns>
    /// <exception cref="OperationCanceledException">The token was cancelled.</exception>
    /// <exception cref="ObjectDisposedException">The handle is disposed.</exception>
    public long WaitForChange(long version, CancellationToken cancellationToken = default)
    {
        TryWait(version, Limit(cancellationToken), out long now);
        return now;
    }

    /// <summary>Waits until the value has another version, for a time at most.</summary>
    /// <param name="version">The version that the caller knows.</param>
    /// <param name="timeout">0 or more, or <see cref="Timeout.InfiniteTimeSpan"/>.</param>
    /// <param name="cancellationToken">Ends the wait.</param>
    /// <returns>false if the time is over, and the version is the same.</returns>
    /// <exception cref="OperationCanceledException">The token was cancelled.</exception>
    /// <exception cref="ObjectDisposedException">The handle is disposed.</exception>
    public bool WaitForChange(long version, TimeSpan timeout, CancellationToken cancellationToken = default) =>
        TryWait(version, Limit(timeout, cancellationToken), out _);

    private bool TryWait(long version, in WaitLimit limit, out long now)
    {
        using CallGate.Call call = Gate.Enter();
        using CancellationTokenRegistration wakeOnCancel = limit.Token.UnsafeRegister(
            static state => ((EventCount)state!).NotifyAll<MachineMemory>(), _changes);
        for (int round = 0; (now = _cells.Version) == version; round++)
        {
            if (Gate.IsClosed)
            {
                throw Gate.Disposed();
            }
            limit.Token.ThrowIfCancellationRequested();
            if (MachineMemory.TrySpin(round))
            {
                continue;
            }
            if (limit.IsOver)
            {
                return false;
            }
            int ticket = _changes.PrepareWait<MachineMemory>();
            if (_cells.Version == version)
            {
                _changes.Wait<MachineMemory>(ticket, limit.Left);
            }
        }
        return true;
    }

    private long Write(in T value, in WaitLimit limit)
    {
        using CallGate.Call call = Gate.Enter();
        Acquire(limit);
        long version = _cells.Write(value);
        Lock.Release(isSound: true);
        _changes.NotifyWaiters<MachineMemory>();
        return version;
    }

    private T Update<TArgument>(TArgument argument, Func<T, TArgument, T> change, in WaitLimit limit)
    {
        using CallGate.Call call = Gate.Enter();
        Acquire(limit);
        T value;
        try
        {
            value = change(_cells.Current, argument);
            _cells.Write(value);
        }
        finally
        {
            Lock.Release(isSound: true);
        }
        _changes.NotifyWaiters<MachineMemory>();
        return value;
    }

    private void Acquire(in WaitLimit limit)
    {
        if (!Lock.TryAcquire(limit))
        {
            throw Lock.TimedOut(Lock.LiveHolder);
        }
    }
}
