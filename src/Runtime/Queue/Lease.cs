using BlitQueue.Segments;

namespace BlitQueue;

/// <summary>
/// A message that was taken and not yet consumed. Copies are the same lease. If its process dies, the message goes to another consumer
/// as soon as one asks.
/// </summary>
/// <typeparam name="T">The queue's message type.</typeparam>
public readonly struct Lease<T> : IDisposable
    where T : IPackable<T>
{
    private readonly Subscription<T>? _subscription;
    private readonly HeldLease _held;

    internal Lease(Subscription<T> subscription, HeldLease held)
    {
        _subscription = subscription;
        _held = held;
    }

    /// <summary>Where the message stands in the queue.</summary>
    public QueuePosition Position => new(_held.Position);

    /// <summary>How often the message was delivered, this time included; 1 the first time.</summary>
    public int Attempt => _held.Attempt;

    /// <summary>Unpacks the message.</summary>
    /// <param name="message">An instance to fill, or null to get a new one.</param>
    /// <exception cref="InvalidOperationException">The lease has ended.</exception>
    /// <exception cref="QueueCorruptException">The message is damaged.</exception>
    public void ReadInto(ref T? message) => Owner.Read(_held, ref message);

    /// <summary>Consumes the message: no consumer of the subscription gets it again.</summary>
    /// <exception cref="InvalidOperationException">The lease has ended.</exception>
    public void Commit() => Owner.Commit(_held);

    /// <summary>Gives the message back: the next consumer gets it, before later messages.</summary>
    /// <exception cref="InvalidOperationException">The lease has ended.</exception>
    public void Abandon()
    {
        if (!Owner.TryAbandon(_held))
        {
            throw new InvalidOperationException("The lease has ended: it was committed or given back already.");
        }
    }

    /// <summary>Sets the message aside: no consumer of the subscription gets it again, and it stands in <see cref="Subscription{T}.DeadLetters"/>.</summary>
    /// <param name="reason">For whoever looks at the dead letters.</param>
    /// <exception cref="InvalidOperationException">The lease has ended.</exception>
    /// <exception cref="QueueCorruptException">The message is damaged; the lease stays.</exception>
    /// <exception cref="QueueFullException">The disk has no room for the letter; the lease stays.</exception>
    public void DeadLetter(string reason)
    {
        ArgumentNullException.ThrowIfNull(reason);
        Owner.Bury(_held, reason);
    }

    /// <summary>Gives the message back if it was neither committed nor given back.</summary>
    public void Dispose() => _subscription?.TryAbandon(_held);

    private Subscription<T> Owner =>
        _subscription ?? throw new InvalidOperationException("This lease holds no message: TryReceive returned false.");
}
