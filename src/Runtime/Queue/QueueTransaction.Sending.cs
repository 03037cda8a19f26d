using BlitQueue.Log;

namespace BlitQueue;

public sealed partial class QueueTransaction
{
    /// <summary>Sends a message when the transaction is committed. It is packed now, so the instance may be used again.</summary>
    /// <param name="to">A queue that the store has opened.</param>
    /// <param name="message">The message.</param>
    /// <exception cref="ArgumentNullException">null is not a message.</exception>
    /// <exception cref="ArgumentException">
    /// The queue is another store's, or was opened outside of one; the message is longer than <see cref="QueueOptions.MaxMessageSize"/>; or
    /// the transaction has 64 queues already.
    /// </exception>
    /// <exception cref="PackException">The message cannot be packed.</exception>
    /// <exception cref="InvalidOperationException">The transaction is over.</exception>
    /// <exception cref="ObjectDisposedException">The transaction was disposed.</exception>
    public void Enqueue<T>(MappedQueue<T> to, in T message)
        where T : IPackable<T> => EnqueueBatch(to, new ReadOnlySpan<T>(in message));

    /// <summary>Sends a message with properties beside it when the transaction is committed.</summary>
    /// <param name="to">A queue that the store has opened.</param>
    /// <param name="message">The message.</param>
    /// <param name="properties">Its properties; they are packed now, too, and time to live counts from now on.</param>
    /// <inheritdoc cref="Enqueue{T}(MappedQueue{T}, in T)"/>
    public void Enqueue<T>(MappedQueue<T> to, in T message, MessageProperties properties)
        where T : IPackable<T>
    {
        ArgumentNullException.ThrowIfNull(properties);
        RequireOpen();
        RequirePart(to);
        to.Producer.StageSent(new ReadOnlySpan<T>(in message), BatchOf(to.Producer), properties);
    }

    /// <summary>Sends messages when the transaction is committed.</summary>
    /// <param name="to">A queue that the store has opened.</param>
    /// <param name="messages">Any number. If one is refused, none of these is sent; what was sent before is not affected.</param>
    /// <inheritdoc cref="Enqueue{T}(MappedQueue{T}, in T)"/>
    public void EnqueueBatch<T>(MappedQueue<T> to, ReadOnlySpan<T> messages)
        where T : IPackable<T>
    {
        RequireOpen();
        RequirePart(to);
        if (!messages.IsEmpty)
        {
            to.Producer.StageSent(messages, BatchOf(to.Producer));
        }
    }

    /// <summary>Sends a message to several queues when the transaction is committed. It is packed once.</summary>
    /// <param name="message">The message.</param>
    /// <param name="to">Queues that the store has opened. One that stands here twice gets it twice.</param>
    /// <inheritdoc cref="Enqueue{T}(MappedQueue{T}, in T)"/>
    public void EnqueueToAll<T>(in T message, params ReadOnlySpan<MappedQueue<T>> to)
        where T : IPackable<T>
    {
        RequireOpen();
        if (to.IsEmpty)
        {
            return;
        }
        ArgumentNullException.ThrowIfNull(message);
        using var packed = StagedBatch.Rent();
        Packer.Pack(packed, in message);
        packed.EndMessage();
        foreach (MappedQueue<T> queue in to)
        {
            RequirePart(queue);
            queue.Producer.RequireAllowed(packed[0].Length);
        }
        foreach (MappedQueue<T> queue in to)
        {
            queue.Producer.StageSentPacked(packed[0], BatchOf(queue.Producer));
        }
    }

    private void RequirePart<T>(MappedQueue<T> to)
        where T : IPackable<T>
    {
        ArgumentNullException.ThrowIfNull(to);
        TakePart(to.Store, nameof(to));
    }

    // By the queue's directory: two handles of one queue share one append lock, and a copy of the queue has the same id.
    private StagedBatch BatchOf(ITransactionTarget sender)
    {
        foreach (TransactionOutput output in _outputs)
        {
            if (output.Queue == sender.Store.Transactions.Name)
            {
                output.Add(sender);
                return output.Batch;
            }
        }
        if (_outputs.Count == TransactionFormat.MostOutputs)
        {
            throw new ArgumentException($"A transaction can send to {TransactionFormat.MostOutputs} queues at most.", "to");
        }
        _outputs.Add(new TransactionOutput(sender, StagedBatch.Rent()));
        return _outputs[^1].Batch;
    }
}
