using BlitQueue.Memory;

namespace BlitQueue.Log;

/// <summary>
/// Consumes the dead letters whose messages are in the log, for processes that were killed, or are stopped, between the two. The published
/// message alone decides: it names its letter, and the letter's cell says where to look for it.
/// </summary>
/// <remarks>
/// Invariant: as long as such a letter is not consumed, the control file's word for unsettled requeues says so. The process that sets the
/// word anew, or gives up the segment that the word is about, settles before, or leaves the word and the segment as they are. So a message
/// is in the log as long as its letter's next consumer may look for it. The exception is a letter that cannot be read after a recovery, for
/// which the word says "anywhere": it may come again.
/// </remarks>
internal sealed class RequeueSettler(QueueStore queue)
{
    private ref long Unsettled => ref queue.Control.UnsettledRequeue;

    /// <summary>Whether the letter of a message in front of a position may not be consumed yet.</summary>
    public bool IsUnsettledBefore(long end) => MachineMemory.Load(ref Unsettled) is var unsettled && unsettled != 0 && unsettled < end;

    /// <summary>Consumes the letters of messages in front of a position. Waits for no other process, and takes no lock.</summary>
    /// <param name="end">At most the tail: what is noted for a position behind it may still be published there.</param>
    /// <returns>null, or why one of them cannot be consumed: the text is a sentence for people.</returns>
    public QueueException? SettleBefore(long end)
    {
        // SYNC POINT requeued: acquires the cell that was marked before.
        long unsettled = MachineMemory.Load(ref Unsettled);
        if (unsettled == 0 || unsettled >= end)
        {
            return null;
        }
        QueueException? obstacle = unsettled == ControlFormat.AnyRequeue ? ConsumeAll(end) : ConsumeNoted(unsettled);
        if (obstacle is null)
        {
            MachineMemory.CompareExchange(ref Unsettled, 0, unsettled);
        }
        return obstacle;
    }

    /// <summary>
    /// Notes that a letter is about to become a message at the tail. The caller holds the append lock, has marked the letter, and has found
    /// nothing unsettled in front of the tail: what is noted for the tail itself was never published.
    /// </summary>
    // SYNC POINT requeued: publishes the mark in the letter's cell.
    public void Note(long position) => MachineMemory.Store(ref Unsettled, position);

    /// <summary>Takes the note back: the letter is consumed.</summary>
    public void Release(long position) => MachineMemory.CompareExchange(ref Unsettled, 0, position);

    /// <summary>Whether a letter has become the first message at or behind a position.</summary>
    /// <returns>false also where the log has nothing, or damage, there: then the letter stays.</returns>
    public bool HasMessageOf(LetterOrigin letter, long position) => LetterAt(position) == letter;

    private LetterOrigin? LetterAt(long position) => RecordReader<MachineMemory>.LetterAt(queue.Segments, queue.Meta, position);

    // null, or why it may not be consumed. Letters with another id are not looked into.
    private QueueException? ConsumeNoted(long position)
    {
        if (LetterAt(position) is not { } letter)
        {
            // Nothing was published there, or a message that was no letter.
            return null;
        }
        IReadOnlyList<string> all = Letters(out QueueException? obstacle);
        foreach (string letters in all)
        {
            try
            {
                if (TryConsume(letters, meta => meta.Id == letter.Letters))
                {
                    return null;
                }
            }
            catch (Exception exception) when (exception is QueueException or IOException or UnauthorizedAccessException)
            {
                obstacle ??= exception as QueueFullException ?? ObstacleOf(letters, exception.Message);
            }
        }
        return obstacle;
    }

    // Where letters cannot be read, their consumers look for each letter that is left marked. None is published behind the tail that a
    // recovery has found, before the word says something else.
    private QueueException? ConsumeAll(long settled)
    {
        foreach (string letters in Letters(out _))
        {
            try
            {
                TryConsume(letters, static _ => true, settled);
            }
            catch (QueueException exception) when (exception is QueueFailedException or QueueFullException
                || exception.Reason == QueueError.SystemRefused)
            {
                // Over after a while, unlike damage: then the letters are there again.
                return exception;
            }
            catch (Exception exception) when (exception is QueueException or IOException or UnauthorizedAccessException)
            {
            }
        }
        return null;
    }

    private IReadOnlyList<string> Letters(out QueueException? obstacle)
    {
        try
        {
            var below = QueuesBelow.OfDeadLetters(queue.Files.Directory);
            obstacle = below.Lost is [var lost, ..] ? ObstacleOf(lost, "it is a link that leads nowhere")
                : below.Empty is [var empty, ..] ? ObstacleOf(empty, "nothing is in it, as where a disk is not mounted")
                : null;
            return below.There;
        }
        catch (Exception exception) when (exception is IOException or UnauthorizedAccessException)
        {
            obstacle = ObstacleOf(queue.Files.Directory, exception.Message);
            return [];
        }
    }

    private static QueueException ObstacleOf(string path, string what) => new(
        $"A message in the log was a dead letter, which has to be consumed before the message's segment can go, and {path} cannot be read: "
        + $"{what.TrimEnd('.')}. Make it readable, or delete it, with its letters.")
    { Reason = QueueError.SystemRefused, Path = path };

    // Through the files alone: to open the letters may take as long as another process, which is stopped, opens them. False where the
    // letters are others.
    private bool TryConsume(string letters, Predicate<QueueMeta> isMeant, long settled = long.MaxValue)
    {
        var files = new QueueFiles(letters, queue.Files.Mode);
        var meta = QueueMeta.Read(files);
        if (!isMeant(meta))
        {
            return false;
        }
        using var file = SubscriptionFile.Open(files, meta, StoreCreator.DefaultSubscription);
        for (int cell = 1; cell <= SubscriptionFormat.Cells; cell++)
        {
            LeaseCell seen = file.Look<MachineMemory>(cell);
            long target = MachineMemory.Load(ref file.Target(cell));
            if (seen.State == LeaseState.Requeueing && HasMessageOf(new LetterOrigin(meta.Id, seen.Position), target))
            {
                if (target >= settled)
                {
                    queue.Sync.Log.SyncPublished();
                }
                file.EndRequeued<MachineMemory>(cell, seen.Message);
            }
        }
        return true;
    }
}
