using System.Runtime.CompilerServices;
using BlitQueue.Memory;
using BlitQueue.Segments;

namespace BlitQueue;

/// <summary>
/// A queue's only producer as long as it is open: it holds the turn to append all the time, instead of taking and passing it with each
/// message, which takes no lock at all then. Consumers see no difference.
/// </summary>
/// <typeparam name="T">The queue's message type.</typeparam>
/// <remarks>
/// <para>
/// <see cref="MappedQueue{T}.OpenSoleProducer"/> gives it; it lives as long as its queue. Used from one thread at a time. Who else appends
/// meanwhile, in whatever process or through the queue object itself, gets a <see cref="QueueException"/> that says who is the only producer.
/// </para>
/// <para>
/// When its process dies the next to append takes the turn, as from any producer. A stopped process keeps it. Capacity, durability and
/// waiting are those of the queue's options.
/// </para>
/// </remarks>
/// <example>
/// <code>
/// using SoleProducer&lt;Order&gt; producer = orders.OpenSoleProducer();
/// producer.Enqueue(in order);
/// </code>
/// </example>
public sealed class SoleProducer<T> : IDisposable
    where T : IPackable<T>
{
    private readonly QueueStore _store;
    private readonly Producer<T> _producer;
    private readonly OnceFlag _disposed = new();

    internal SoleProducer(QueueStore store, Producer<T> producer)
    {
        _store = store;
        _producer = producer;
    }

    /// <summary>Appends a message, as <see cref="MappedQueue{T}.Enqueue(in T)"/> does.</summary>
    /// <exception cref="ArgumentNullException">null is not a message.</exception>
    /// <exception cref="QueueFullException">No room on the disk, or within the capacity where <see cref="FullMode.Fail"/> is chosen.</exception>
    /// <exception cref="ArgumentException">The message is longer than <see cref="QueueOptions.MaxMessageSize"/> or the capacity.</exception>
    /// <exception cref="PackException">The message cannot be packed.</exception>
    /// <exception cref="QueueFailedException">As for <see cref="MappedQueue{T}.Enqueue(in T)"/>.</exception>
    /// <exception cref="InvalidOperationException">Another thread is in a call on this object.</exception>
    /// <exception cref="ObjectDisposedException">It, or the queue, was disposed.</exception>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void Enqueue(in T message)
    {
        if (T.FixedLength == 0 || !_producer.TryEnqueueHeld(in message))
        {
            EnqueueOtherwise(in message);
        }
    }

    /// <summary>Likewise, but never waits for room.</summary>
    /// <returns>false when the queue is full: nothing was enqueued.</returns>
    /// <exception cref="ArgumentNullException">null is not a message.</exception>
    /// <exception cref="ArgumentException">The message is longer than <see cref="QueueOptions.MaxMessageSize"/> or the capacity.</exception>
    /// <exception cref="PackException">The message cannot be packed.</exception>
    /// <exception cref="QueueFailedException">As for <see cref="MappedQueue{T}.Enqueue(in T)"/>.</exception>
    /// <exception cref="InvalidOperationException">Another thread is in a call on this object.</exception>
    /// <exception cref="ObjectDisposedException">It, or the queue, was disposed.</exception>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public bool TryEnqueue(in T message) => (T.FixedLength > 0 && _producer.TryEnqueueHeld(in message)) || TryEnqueueOtherwise(in message);

    /// <summary>Appends messages that become visible together, or not at all, as <see cref="MappedQueue{T}.EnqueueBatch(ReadOnlySpan{T})"/> does.</summary>
    /// <param name="messages">Any number; none does nothing.</param>
    /// <exception cref="ArgumentNullException">One is null; none was enqueued.</exception>
    /// <exception cref="QueueException">As for <see cref="Enqueue"/>.</exception>
    /// <exception cref="ArgumentException">As for <see cref="MappedQueue{T}.EnqueueBatch(ReadOnlySpan{T})"/>.</exception>
    /// <exception cref="PackException">One cannot be packed; none was enqueued.</exception>
    /// <exception cref="ObjectDisposedException">It, or the queue, was disposed.</exception>
    public void EnqueueBatch(ReadOnlySpan<T> messages)
    {
        RequireOpen();
        try
        {
            _producer.EnqueueBatch(messages);
        }
        finally
        {
            _producer.GoOn();
        }
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private void EnqueueOtherwise(in T message)
    {
        RequireOpen();
        try
        {
            _producer.Enqueue(in message);
        }
        finally
        {
            _producer.GoOn();
        }
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private bool TryEnqueueOtherwise(in T message)
    {
        RequireOpen();
        try
        {
            return _producer.TryEnqueue(in message);
        }
        finally
        {
            _producer.GoOn();
        }
    }

    private void RequireOpen()
    {
        ObjectDisposedException.ThrowIf(_disposed.IsSet, this);
        _producer.RequireUnfailed();
    }

    /// <summary>Lets others append again. What <see cref="Durability.Interval"/> still owes the disk is written before.</summary>
    public void Dispose()
    {
        if (!_disposed.TrySet() || _store.Gate.IsClosed)
        {
            return;
        }
        _producer.Dispose();
        using CallGate.Call call = _store.Gate.Enter();
        _producer.LetGo();
    }
}
