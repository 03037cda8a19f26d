using BlitQueue.Log;

namespace BlitQueue;

/// <summary>
/// A message that was taken and not yet consumed. Copies are the same lease. If its process dies, the message goes to another consumer
/// as soon as one asks.
/// </summary>
/// <typeparam name="T">The queue's message type.</typeparam>
/// <example>
/// <code>
/// using Lease&lt;Order&gt; lease = billing.Receive();   // waits for a message
/// Bill(lease.Read());
/// lease.Commit();                                  // without it, the end of the scope gives the message back
/// </code>
/// </example>
public readonly struct Lease<T> : IDisposable
    where T : IPackable<T>
{
    private readonly Subscription<T>? _subscription;
    private readonly LeaseToken _held;

    internal Lease(Subscription<T> subscription, LeaseToken held)
    {
        _subscription = subscription;
        _held = held;
    }

    /// <summary>Where the message stands in the queue.</summary>
    public QueuePosition Position => new(_held.Position);

    /// <summary>How often the message was delivered, this time included; 1 the first time.</summary>
    public int Attempt => _held.Attempt;

    /// <summary>Unpacks the message into a new instance.</summary>
    /// <returns>The message, which is the caller's to keep.</returns>
    /// <inheritdoc cref="ReadInto"/>
    public T Read()
    {
        T? message = default;
        ReadInto(ref message);
        return message;
    }

    /// <summary>Unpacks the message.</summary>
    /// <param name="message">An instance to fill, or null to get a new one.</param>
    /// <exception cref="QueueCorruptException">The message is damaged.</exception>
    /// <inheritdoc cref="Commit"/>
    public void ReadInto([NotNull] ref T? message) => Owner.Read(_held, ref message);

    /// <summary>
    /// The message's packed bytes where they stand in the mapped segment, to be read without unpacking and without a copy.
    /// </summary>
    /// <returns>Dispose it on the same thread, as soon as nothing of it is used any more.</returns>
    /// <exception cref="QueueCorruptException">The message is damaged.</exception>
    /// <example>
    /// <code>
    /// using LeasedBytes bytes = lease.OpenBytes();
    /// var view = new Order.View(bytes.Span);
    /// total += view.Total;
    /// </code>
    /// </example>
    /// <inheritdoc cref="Commit"/>
    public LeasedBytes OpenBytes() => Owner.OpenBytes(_held);

    /// <summary>Reads the message's properties into an instance, which is filled anew.</summary>
    /// <param name="properties">Receives them; empty when the message has none.</param>
    /// <returns>Whether it has any.</returns>
    /// <exception cref="QueueCorruptException">They are damaged.</exception>
    /// <inheritdoc cref="Commit"/>
    public bool ReadProperties(MessageProperties properties)
    {
        ArgumentNullException.ThrowIfNull(properties);
        return Owner.ReadProperties(_held, properties);
    }

    /// <summary>Reads the message's properties into a new instance.</summary>
    /// <returns>null when it has none.</returns>
    /// <inheritdoc cref="ReadProperties(MessageProperties)"/>
    public MessageProperties? ReadProperties()
    {
        var properties = new MessageProperties();
        return ReadProperties(properties) ? properties : null;
    }

    /// <summary>Consumes the message: no consumer of the subscription gets it again.</summary>
    /// <exception cref="InvalidOperationException">The lease has ended.</exception>
    /// <exception cref="LeaseLostException">It lasted for too long, and the message was given to another consumer.</exception>
    public void Commit() => Owner.Commit(_held);

    /// <summary>
    /// Gives the message back: the next consumer gets it, before later messages, once <see cref="SubscriptionOptions.RetryDelay"/> is over.
    /// </summary>
    /// <inheritdoc cref="Commit"/>
    public void Abandon() => Owner.Abandon(_held, delay: null, reason: null);

    /// <summary>
    /// Gives the message back, as <see cref="Abandon()"/>, and says why.
    /// </summary>
    /// <param name="reason">
    /// Why: if the message becomes a dead letter because it was delivered too often, the last reason that was given is the letter's
    /// <see cref="DeadLetter{T}.Reason"/>. At most 1,008 bytes of UTF-8; a longer text is cut behind its last whole character that fits. A
    /// reason outlasts the process, and may be lost with a loss of power, or where the disk is full. null or empty: no reason; the one that
    /// was given before stays the last.
    /// </param>
    /// <inheritdoc cref="Commit"/>
    public void Abandon(string? reason) => Owner.Abandon(_held, delay: null, reason);

    /// <summary>Gives the message back, to be delivered again after this delay.</summary>
    /// <param name="delay">Zero or longer; it is not delivered before. A consumer that waits notices within a tenth of a second.</param>
    /// <param name="reason">As for <see cref="Abandon(string)"/>.</param>
    /// <exception cref="ArgumentOutOfRangeException">Less than zero.</exception>
    /// <inheritdoc cref="Commit"/>
    public void Abandon(TimeSpan delay, string? reason = null)
    {
        ArgumentOutOfRangeException.ThrowIfLessThan(delay, TimeSpan.Zero);
        Owner.Abandon(_held, delay, reason);
    }

    /// <summary>
    /// Gives the message back at once, and this delivery does not count as an attempt: for a consumer that stops although nothing is wrong
    /// with the message.
    /// </summary>
    /// <returns>false if the lease had ended already, or the queue was disposed; then nothing was done.</returns>
    /// <exception cref="InvalidOperationException">This lease holds no message.</exception>
    public bool TryAbandonUncounted() => Owner.GiveBackUncounted(_held);

    /// <summary>
    /// Makes the lease last for as long as a new one, from now on. Another consumer takes the message only after its own
    /// <see cref="SubscriptionOptions.VisibilityTimeout"/>, counted from this call. Where no consumer has such a time, a lease lasts until
    /// it ends or its process dies.
    /// </summary>
    /// <remarks>May be called from any thread while another one works on the message.</remarks>
    /// <exception cref="LeaseLostException">
    /// It had lasted for too long: another consumer has the message, or gets it next. It was not given more time.
    /// </exception>
    /// <inheritdoc cref="Commit"/>
    public void Renew() => Owner.Renew(_held);

    /// <summary>
    /// Sets the message aside: no consumer of the subscription gets it again, and it stands in <see cref="Subscription{T}.DeadLetters"/>.
    /// </summary>
    /// <param name="reason">For those who look at the dead letters.</param>
    /// <param name="cancellationToken">
    /// Ends the waits for a process that opens the dead letters, or is about to append one. Once the letter is there, and only the disk is
    /// waited for, the token is not looked at any more.
    /// </param>
    /// <exception cref="OperationCanceledException">The token was cancelled; the lease stays.</exception>
    /// <exception cref="QueueCorruptException">
    /// The bytes are not those that were published; the lease stays. A message that only cannot be unpacked is set aside.
    /// </exception>
    /// <exception cref="QueueFullException">The disk has no room for the letter; the lease stays.</exception>
    /// <exception cref="QueueFailedException">
    /// The disk refused. Its <c>Outcome</c> says whether the letter is there and the lease has ended, or the lease stays.
    /// </exception>
    /// <inheritdoc cref="Commit"/>
    public void DeadLetter(string reason, CancellationToken cancellationToken = default)
    {
        ArgumentNullException.ThrowIfNull(reason);
        cancellationToken.ThrowIfCancellationRequested();
        Owner.MoveToDeadLetters(_held, reason, cancellationToken: cancellationToken);
    }

    /// <summary>Gives the message back if it was neither committed nor given back.</summary>
    public void Dispose() => _subscription?.TryAbandon(_held);

    internal Subscription<T>? Subscription => _subscription;

    internal LeaseToken Held => _held;

    private Subscription<T> Owner =>
        _subscription ?? throw new InvalidOperationException("This lease holds no message: TryReceive returned false.");
}
