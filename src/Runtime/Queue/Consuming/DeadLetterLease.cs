using BlitQueue.Log;

namespace BlitQueue;

/// <summary>
/// A dead letter that was taken and is still there. Copies are the same lease. If its process dies, the letter goes to another consumer as
/// soon as one asks.
/// </summary>
/// <typeparam name="T">The queue's message type.</typeparam>
/// <example>
/// <code>
/// using DeadLetterLease&lt;Order&gt; lease = billing.DeadLetters.Receive();
/// DeadLetter&lt;Order&gt; letter = lease.Read();
/// if (IsRepaired(letter.Message))
///     lease.Requeue();                                 // a message of the subscription again
/// else
///     lease.Commit();                                  // gone
/// </code>
/// </example>
public readonly struct DeadLetterLease<T> : IDisposable
    where T : IPackable<T>
{
    private readonly DeadLetterQueue<T>? _letters;
    private readonly LeaseToken _held;

    internal DeadLetterLease(DeadLetterQueue<T> letters, LeaseToken held)
    {
        _letters = letters;
        _held = held;
    }

    /// <summary>Where the letter stands among the letters; <see cref="DeadLetter{T}.Position"/> is where its message stood.</summary>
    public QueuePosition Position => new(_held.Position);

    /// <summary>How often the letter was taken, this time included; 1 the first time. Letters may be taken any number of times.</summary>
    public int Attempt => _held.Attempt;

    /// <summary>Reads the letter into a new instance.</summary>
    /// <returns>The letter, which is the caller's.</returns>
    /// <inheritdoc cref="ReadInto"/>
    public DeadLetter<T> Read()
    {
        DeadLetter<T>? letter = null;
        ReadInto(ref letter);
        return letter;
    }

    /// <summary>Reads the letter.</summary>
    /// <param name="letter">An instance to fill, or null to get a new one.</param>
    /// <exception cref="QueueCorruptException">The letter is damaged.</exception>
    /// <inheritdoc cref="Commit"/>
    public void ReadInto([NotNull] ref DeadLetter<T>? letter) => Owner.Read(_held, ref letter);

    /// <summary>Consumes the letter: it is gone.</summary>
    /// <exception cref="InvalidOperationException">The lease has ended.</exception>
    /// <exception cref="ObjectDisposedException">The queue was disposed.</exception>
    public void Commit() => Owner.Commit(_held);

    /// <summary>Gives the letter back: the next consumer gets it, before later letters.</summary>
    /// <inheritdoc cref="Commit"/>
    public void Abandon() => Owner.Abandon(_held);

    /// <summary>
    /// Makes the letter a message of its subscription again, behind all others, with its properties; its attempts count anew. The letter
    /// goes and the message comes in one step: even if a process dies in the middle, there is exactly one of the two.
    /// </summary>
    /// <remarks>
    /// Only the letter's own subscription gets the message; others pass it. Its time of enqueue is that of this call, and a time to live
    /// that is over is left out. Waits for room as <see cref="QueueOptions.FullMode"/> says.
    /// </remarks>
    /// <param name="cancellationToken">Ends the waits for room and for the append lock; nothing has happened then.</param>
    /// <returns>Where the message stands.</returns>
    /// <exception cref="OperationCanceledException">The token was cancelled; the letter is still leased.</exception>
    /// <exception cref="QueueCorruptException">The letter is damaged; it is still leased.</exception>
    /// <exception cref="QueueFullException">
    /// No room on the disk, or within the capacity where <see cref="FullMode.Fail"/> is chosen; the letter is still leased.
    /// </exception>
    /// <exception cref="QueueStalledException">
    /// A process that does not run has held the queue's append lock for <see cref="QueueOptions.StallTimeout"/>; the letter is still
    /// leased.
    /// </exception>
    /// <exception cref="QueueException">
    /// The subscription was deleted or has ended (<see cref="QueueError.SubscriptionGone"/>), or an earlier requeue, of a process that was
    /// killed, cannot be completed, because its letters cannot be read (<see cref="QueueError.SystemRefused"/>); the letter is still
    /// leased.
    /// </exception>
    /// <exception cref="ArgumentException">The message is longer than the capacity.</exception>
    /// <exception cref="QueueFailedException">
    /// The disk refused; <see cref="QueueFailedException.Outcome"/> says whether the letter has become a message.
    /// </exception>
    /// <inheritdoc cref="Commit"/>
    public QueuePosition Requeue(CancellationToken cancellationToken = default) => Owner.Requeue(_held, cancellationToken);

    /// <summary>Gives the letter back if its lease has not ended.</summary>
    public void Dispose() => _letters?.TryAbandon(_held);

    internal DeadLetterQueue<T>? Letters => _letters;

    internal LeaseToken Held => _held;

    private DeadLetterQueue<T> Owner =>
        _letters ?? throw new InvalidOperationException("This lease holds no letter: TryReceive returned false.");
}
