namespace BlitQueue.RabbitMq;

/// <summary>How far the broker has confirmed the messages of a source.</summary>
/// <param name="Epoch">The epoch of the position (<see cref="QueueEpoch.Id"/>).</param>
/// <param name="Position">
/// The last message that was confirmed: so was every one before it that is not in <paramref name="Unsent"/>; -1: none.
/// </param>
/// <param name="Unsent">
/// The positions of messages before it that were not sent, and are to become dead letters. They may be ones by now.
/// </param>
internal sealed record ForwardNote(long Epoch, long Position, IReadOnlyList<long> Unsent)
{
    public static readonly ForwardNote Nothing = new(Epoch: 0, Position: -1, Unsent: []);
}
