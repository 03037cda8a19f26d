namespace BlitQueue;

public sealed partial class MappedQueue<T>
{
    // The latest; an earlier one was disposed before, and has nothing to flush.
    private Producer<T>? _held;

    /// <summary>
    /// Makes this process the queue's only producer until what is returned is disposed, or the process ends: appends take no lock then. Waits
    /// for a running append of another, at most <see cref="QueueOptions.StallTimeout"/>.
    /// </summary>
    /// <exception cref="QueueException">Another is the only producer; the text says which process.</exception>
    /// <exception cref="QueueStalledException">A process that does not run has held the turn for so long.</exception>
    /// <exception cref="QueueFailedException">The disk has refused a sync, and the queue takes no more messages.</exception>
    /// <exception cref="ObjectDisposedException">The queue was disposed.</exception>
    public SoleProducer<T> OpenSoleProducer()
    {
        Producer<T> held = Producer<T>.HoldBeside(_producer);
        _held = held;
        return new SoleProducer<T>(_store, held);
    }
}
