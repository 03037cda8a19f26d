namespace BlitQueue.RabbitMq;

/// <summary>How far the broker has confirmed the messages of a source.</summary>
/// <param name="Last">
/// The last message that was confirmed: so was every one before it that is not in <paramref name="Unsent"/>; position -1: none.
/// </param>
/// <param name="Unsent">Messages that were not sent, and are to become dead letters. They may be ones by now.</param>
internal sealed record ForwardNote(ForwardPoint Last, IReadOnlyList<ForwardPoint> Unsent)
{
    public static readonly ForwardNote Nothing = new(new ForwardPoint(Epoch: 0, Position: -1), []);

    /// <summary>
    /// Where to the last message was sent, as a number that differs for another exchange or key; 0: unknown. The receiver there may not
    /// have the message that was sent elsewhere, so the next one does not name it as the one before.
    /// </summary>
    public long Destination { get; init; }
}
