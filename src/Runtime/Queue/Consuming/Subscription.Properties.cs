using BlitQueue.Log;
using BlitQueue.Memory;

namespace BlitQueue;

public sealed partial class Subscription<T>
{
    /// <summary>Takes and consumes the next message with its properties, if there is one. Never waits.</summary>
    /// <param name="message">An instance to fill, or null to get a new one; its content may have changed where false is returned.</param>
    /// <param name="properties">Filled anew; empty when the message has none, or there is no message.</param>
    /// <inheritdoc cref="TryDequeue(ref T)"/>
    public bool TryDequeue([NotNullWhen(true)] ref T? message, MessageProperties properties)
    {
        ArgumentNullException.ThrowIfNull(properties);
        using CallGate.Call call = _store.Gate.Enter();
        properties.IsFilled = false;
        bool isTaken = TryDequeueOtherwise(ref message, properties);
        if (!isTaken || !properties.IsFilled)
        {
            properties.Clear();
        }
        return isTaken;
    }

    /// <summary>
    /// Takes and consumes the next message with its properties, waiting until there is one: spins, then sleeps in the kernel.
    /// </summary>
    /// <param name="message">An instance to fill, or null to get a new one.</param>
    /// <param name="properties">Filled anew; empty when the message has none.</param>
    /// <param name="cancellationToken">Ends the wait.</param>
    /// <inheritdoc cref="Dequeue(ref T, CancellationToken)"/>
    [OverloadResolutionPriority(-1)]
    public void Dequeue([NotNull] ref T? message, MessageProperties properties, CancellationToken cancellationToken = default)
    {
        cancellationToken.ThrowIfCancellationRequested();
        while (!TryDequeue(ref message, properties))
        {
            WaitForMessage(cancellationToken);
        }
    }

    /// <summary>Takes and consumes the next message with its properties, waiting for so long until there is one.</summary>
    /// <param name="message">An instance to fill, or null to get a new one; its content may have changed where false is returned.</param>
    /// <param name="properties">Filled anew; empty when the message has none, or there is no message.</param>
    /// <param name="timeout">Zero does not wait; <see cref="Timeout.InfiniteTimeSpan"/> waits for ever.</param>
    /// <param name="cancellationToken">Ends the wait.</param>
    /// <inheritdoc cref="Dequeue(ref T, TimeSpan, CancellationToken)"/>
    [OverloadResolutionPriority(-1)]
    public bool Dequeue(
        [NotNullWhen(true)] ref T? message, MessageProperties properties, TimeSpan timeout, CancellationToken cancellationToken = default)
    {
        cancellationToken.ThrowIfCancellationRequested();
        var deadline = new Deadline(timeout);
        while (!TryDequeue(ref message, properties))
        {
            if (!WaitForMessage(deadline, cancellationToken))
            {
                return false;
            }
        }
        return true;
    }

    /// <summary>Takes and consumes the next message with its properties, waiting without a thread until there is one.</summary>
    /// <param name="reuse">An instance to fill, or null to get a new one. It is the call's until its task ends.</param>
    /// <param name="properties">Filled anew; empty when the message has none. The call's until its task ends, too.</param>
    /// <param name="cancellationToken">Ends the wait.</param>
    /// <inheritdoc cref="DequeueAsync(T, CancellationToken)"/>
    [OverloadResolutionPriority(-1)]
    public async ValueTask<T> DequeueAsync(T? reuse, MessageProperties properties, CancellationToken cancellationToken = default)
    {
        cancellationToken.ThrowIfCancellationRequested();
        while (!TryDequeue(ref reuse, properties))
        {
            await WaitForMessageAsync(cancellationToken).ConfigureAwait(false);
        }
        return reuse!;
    }

    /// <summary>Takes and consumes the next message with its properties, waiting for so long until there is one.</summary>
    /// <param name="reuse">An instance to fill, or null to get a new one. It is the call's until its task ends.</param>
    /// <param name="properties">Filled anew; empty when the message has none. The call's until its task ends, too.</param>
    /// <param name="timeout">Zero does not wait; <see cref="Timeout.InfiniteTimeSpan"/> waits for ever.</param>
    /// <param name="cancellationToken">Ends the wait.</param>
    /// <returns>The message; none when the time was over before there was one.</returns>
    /// <exception cref="ArgumentOutOfRangeException">The time is negative, and not infinite.</exception>
    /// <inheritdoc cref="DequeueAsync(T, CancellationToken)"/>
    [OverloadResolutionPriority(-1)]
    public ValueTask<MessageOrNone<T>> DequeueAsync(
        T? reuse, MessageProperties properties, TimeSpan timeout, CancellationToken cancellationToken = default) =>
        TimedReceive.MessageAsync(ending => DequeueAsync(reuse, properties, ending), timeout, cancellationToken);

    internal bool ReadProperties(in LeaseToken lease, MessageProperties properties)
    {
        using CallGate.Call call = _store.Gate.Enter();
        using Look look = LookAt(lease);
        try
        {
            RecordRef found = _cursor.Reader.At(lease.Position);
            if (!found.HasProperties)
            {
                properties.Clear();
                return false;
            }
            FillProperties(found, properties);
            // What says who is to get the message is no property of its own.
            return !_cursor.Reader.Properties(found, isChecked: false).IsEmpty;
        }
        catch (QueueCorruptException damage) when (_leases.WasHeld(lease))
        {
            _cursor.Reader.Met(damage);
            throw;
        }
    }

    private ReadOnlySpan<byte> PropertiesOf(in LeaseToken lease)
    {
        RecordRef found = _cursor.Reader.At(lease.Position);
        return found.HasProperties ? _cursor.Reader.Properties(found, isChecked: true).Bytes : [];
    }

    // The texts are checked before they are copied: a message's own check comes later, when it is unpacked.
    private void FillProperties(in RecordRef found, MessageProperties properties)
    {
        if (!properties.TryFill(_cursor.Reader.Properties(found, isChecked: true)))
        {
            throw _cursor.Reader.DamagedProperties(found);
        }
    }
}
