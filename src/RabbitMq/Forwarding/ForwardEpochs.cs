namespace BlitQueue.RabbitMq;

/// <summary>
/// Tells which epoch of the queue a position is of. Each is a source of its own: positions are used again where the end of the log was
/// lost, or the queue was copied.
/// </summary>
/// <param name="epochs">Those of the queue, oldest first.</param>
internal sealed class ForwardEpochs(IReadOnlyList<QueueEpoch> epochs)
{
    /// <summary>The name of the message at a position.</summary>
    public ForwardPoint Of(long position)
    {
        int i = epochs.Count - 1;
        while (epochs[i].Start.Value > position)
        {
            i--;
        }
        return new ForwardPoint(epochs[i].Id, position);
    }

    /// <summary>
    /// The last position that is confirmed by a note: it ends with its epoch. Of an epoch that the queue does not know, which was lost or
    /// has no message any more, it confirms nothing, -1: what comes is published, and the receiver drops what it has.
    /// </summary>
    public long LastOf(ForwardNote note)
    {
        for (int i = 0; i < epochs.Count; i++)
        {
            if (epochs[i].Id == note.Last.Epoch)
            {
                return i + 1 < epochs.Count ? Math.Min(note.Last.Position, epochs[i + 1].Start.Value - 1) : note.Last.Position;
            }
        }
        return -1;
    }

    /// <summary>
    /// Whether an epoch may be known by another name now: it became one with a later epoch, or all names were lost. Either is the oldest.
    /// </summary>
    /// <param name="id">Of the epoch.</param>
    /// <param name="now">Of the message that is now where one of that epoch was.</param>
    public bool MayBeRenamed(long id, long now) => now == epochs[0].Id && epochs.All(one => one.Id != id);

    /// <summary>Whether the note is of the epoch in which messages are enqueued now.</summary>
    public bool IsOfLast(ForwardNote note) => epochs[^1].Id == note.Last.Epoch;
}
