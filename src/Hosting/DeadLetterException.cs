namespace BlitQueue.Hosting;

/// <summary>
/// A handler throws it for a message that it will never be able to handle: the message becomes a dead letter at once, whatever
/// <see cref="BlitQueueConsumerOptions.MaxAttempts"/> says. In a batch of several messages all are given back first, as for any exception.
/// </summary>
/// <param name="reason">The letter's <see cref="DeadLetter{T}.Reason"/>.</param>
/// <example>
/// <code>
/// if (message.Total &lt; 0)
///     throw new DeadLetterException($"the total is {message.Total}");
/// </code>
/// </example>
public sealed class DeadLetterException(string reason) : Exception(reason);
