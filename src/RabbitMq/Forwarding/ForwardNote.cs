namespace BlitQueue.RabbitMq;

/// <summary>How far the broker has confirmed the messages of a source.</summary>
/// <param name="Last">
/// The last message that was confirmed: so was every one before it that is not in <paramref name="Unsent"/>; position -1: none.
/// </param>
/// <param name="Unsent">Messages before it that were not sent, and are to become dead letters. They may be ones by now.</param>
internal sealed record ForwardNote(ForwardPoint Last, IReadOnlyList<ForwardPoint> Unsent)
{
    public static readonly ForwardNote Nothing = new(new ForwardPoint(Epoch: 0, Position: -1), []);
}
