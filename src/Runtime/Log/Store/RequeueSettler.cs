using BlitQueue.Memory;

namespace BlitQueue.Log;

/// <summary>
/// Consumes the dead letters whose messages are in the log, for processes that were killed, or are stopped, between the two. The published
/// message alone decides: it names its letter, and the letter's cell says where to look for it.
/// </summary>
/// <remarks>
/// Invariant: as long as such a letter is not consumed, the control file's word for unsettled requeues says so, or the letters cannot be
/// read. The process that sets the word anew, or gives up the segment that the word is about, settles before. So a message is in the log as
/// long as its letter's next consumer may look for it.
/// </remarks>
internal sealed class RequeueSettler(QueueStore queue)
{
    private ref long Unsettled => ref queue.Control.UnsettledRequeue;

    /// <summary>Whether the letter of a message in front of a position may not be consumed yet.</summary>
    public bool IsUnsettledBefore(long end) => MachineMemory.Load(ref Unsettled) is var unsettled && unsettled != 0 && unsettled < end;

    /// <summary>Consumes the letters of messages in front of a position. Never waits, and takes no lock.</summary>
    /// <param name="end">At most the tail: what is noted for a position behind it may still be published there.</param>
    public void SettleBefore(long end)
    {
        // SYNC POINT requeued: acquires the cell that was marked before.
        long unsettled = MachineMemory.Load(ref Unsettled);
        if (unsettled != 0 && unsettled < end)
        {
            TryConsumeAll();
            MachineMemory.CompareExchange(ref Unsettled, 0, unsettled);
        }
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
    public bool HasMessageOf(LetterOrigin letter, long position)
    {
        using var reader = new RecordReader<MachineMemory>(queue.Segments, queue.Meta);
        try
        {
            return position > 0 && position % sizeof(long) == 0
                && reader.TryFind(SubscriptionFormat.NextWord(position, 0), out RecordRef found)
                && found.HasProperties && reader.Properties(found, isChecked: true).Names(letter);
        }
        catch (QueueCorruptException)
        {
            return false;
        }
    }

    // If letters are damaged, gone or unreadable, each process that opens them is told. Their consumers look for each letter that is left
    // marked.
    private void TryConsumeAll()
    {
        try
        {
            foreach (string letters in QueuesBelow.OfDeadLetters(queue.Files.Directory).There)
            {
                TryConsume(letters);
            }
        }
        catch (Exception exception) when (exception is IOException or UnauthorizedAccessException)
        {
        }
    }

    // Through the files alone: to open the letters may take as long as another process, which is stopped, opens them.
    private void TryConsume(string letters)
    {
        try
        {
            var files = new QueueFiles(letters, queue.Files.Mode);
            var meta = QueueMeta.Read(files);
            using var file = SubscriptionFile.Open(files, meta, StoreCreator.DefaultSubscription);
            for (int cell = 1; cell <= SubscriptionFormat.Cells; cell++)
            {
                LeaseCell seen = file.Look<MachineMemory>(cell);
                if (seen.State == LeaseState.Requeueing
                    && HasMessageOf(new LetterOrigin(meta.Id, seen.Position), MachineMemory.Load(ref file.Target(cell))))
                {
                    file.EndRequeued<MachineMemory>(cell, seen.Message);
                }
            }
        }
        catch (Exception exception) when (exception is QueueException or IOException or UnauthorizedAccessException)
        {
        }
    }
}
