using System.Runtime.CompilerServices;

namespace BlitQueue;

public sealed partial class MappedQueue<T>
{
    /// <summary>Appends a message with properties, which stand beside it: its own bytes are the same as without.</summary>
    /// <param name="message">The message.</param>
    /// <param name="properties">Written before the call returns; what is not set costs nothing.</param>
    /// <exception cref="ArgumentException">
    /// As for <see cref="Enqueue(in T)"/>; or the properties take more than 32 KiB, or a header's value is null.
    /// </exception>
    /// <inheritdoc cref="Enqueue(in T)"/>
    public void Enqueue(in T message, MessageProperties properties)
    {
        ArgumentNullException.ThrowIfNull(properties);
        _producer.Enqueue(in message, properties);
    }

    /// <summary>Like <see cref="Enqueue(in T, MessageProperties)"/>, but never waits for room.</summary>
    /// <param name="message">The message.</param>
    /// <param name="properties">Written before the call returns.</param>
    /// <exception cref="ArgumentException">As for <see cref="Enqueue(in T, MessageProperties)"/>.</exception>
    /// <inheritdoc cref="TryEnqueue(in T)"/>
    public bool TryEnqueue(in T message, MessageProperties properties)
    {
        ArgumentNullException.ThrowIfNull(properties);
        return _producer.TryEnqueue(in message, properties);
    }

    /// <summary>Appends messages that become visible together or not at all, all with the same properties.</summary>
    /// <param name="messages">Any number; none does nothing.</param>
    /// <param name="properties">Written in front of each message.</param>
    /// <exception cref="ArgumentException">
    /// As for <see cref="EnqueueBatch(ReadOnlySpan{T})"/> and <see cref="Enqueue(in T, MessageProperties)"/>.
    /// </exception>
    /// <inheritdoc cref="EnqueueBatch(ReadOnlySpan{T})"/>
    public void EnqueueBatch(ReadOnlySpan<T> messages, MessageProperties properties)
    {
        ArgumentNullException.ThrowIfNull(properties);
        _producer.EnqueueBatch(messages, properties);
    }

    /// <summary>Appends a message with properties, waiting without a thread where the capacity leaves no room.</summary>
    /// <param name="message">Packed before the call returns.</param>
    /// <param name="properties">Written before the call returns.</param>
    /// <param name="cancellationToken">Ends the wait; nothing was enqueued then.</param>
    /// <exception cref="ArgumentException">As for <see cref="Enqueue(in T, MessageProperties)"/>.</exception>
    /// <inheritdoc cref="EnqueueAsync(T, CancellationToken)"/>
    [OverloadResolutionPriority(-1)]
    public ValueTask EnqueueAsync(T message, MessageProperties properties, CancellationToken cancellationToken = default)
    {
        ArgumentNullException.ThrowIfNull(properties);
        return _producer.EnqueueAsync(new ReadOnlySpan<T>(in message), cancellationToken, properties);
    }

    /// <summary>
    /// Appends messages that become visible together or not at all, all with the same properties; waits without a thread.
    /// </summary>
    /// <param name="messages">Any number; none does nothing. Packed before the call returns.</param>
    /// <param name="properties">Written in front of each message, before the call returns.</param>
    /// <param name="cancellationToken">Ends the wait; nothing was enqueued then.</param>
    /// <exception cref="ArgumentException">As for <see cref="EnqueueBatch(ReadOnlySpan{T}, MessageProperties)"/>.</exception>
    /// <inheritdoc cref="EnqueueBatchAsync(ReadOnlySpan{T}, CancellationToken)"/>
    [OverloadResolutionPriority(-1)]
    public ValueTask EnqueueBatchAsync(
        ReadOnlySpan<T> messages, MessageProperties properties, CancellationToken cancellationToken = default)
    {
        ArgumentNullException.ThrowIfNull(properties);
        return _producer.EnqueueAsync(messages, cancellationToken, properties);
    }

    /// <summary>
    /// Takes and consumes the next message of the default subscription with its properties, if there is one. Never waits.
    /// </summary>
    /// <inheritdoc cref="Subscription{T}.TryDequeue(ref T, MessageProperties)"/>
    public bool TryDequeue(ref T? message, MessageProperties properties) => Default.TryDequeue(ref message, properties);

    /// <summary>Takes and consumes the next message of the default subscription with its properties, waiting until there is one.</summary>
    /// <inheritdoc cref="Subscription{T}.Dequeue(ref T, MessageProperties, CancellationToken)"/>
    [OverloadResolutionPriority(-1)]
    public void Dequeue(ref T? message, MessageProperties properties, CancellationToken cancellationToken = default) =>
        Default.Dequeue(ref message, properties, cancellationToken);

    /// <summary>Takes and consumes the next message of the default subscription with its properties, waiting without a thread.</summary>
    /// <inheritdoc cref="Subscription{T}.DequeueAsync(T, MessageProperties, CancellationToken)"/>
    [OverloadResolutionPriority(-1)]
    public ValueTask<T> DequeueAsync(T? reuse, MessageProperties properties, CancellationToken cancellationToken = default) =>
        Default.DequeueAsync(reuse, properties, cancellationToken);
}
