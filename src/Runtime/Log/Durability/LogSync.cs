using BlitQueue.Memory;
using BlitQueue.Platform;

namespace BlitQueue.Log;

/// <summary>
/// Syncs ranges of the log to the disk, and writes the word that says up to which position it is there. Callers are inside the gate,
/// because what is synced must stay mapped. Each process itself syncs what no other has synced: there is no lock that a stopped process
/// could hold.
/// </summary>
/// <remarks>
/// The system syncs pages of the file, whichever process wrote them. Segments are preallocated, so a page's first write also turns its
/// blocks from reserved into written ones. A sync flushes that too: fdatasync, which msync(MS_SYNC) amounts to, leaves out metadata "unless
/// that metadata is needed in order to allow a subsequent data retrieval to be correctly handled" (fdatasync(2)).
/// </remarks>
internal sealed class LogSync(ControlFile control, SegmentCache table, QueueMeta meta, SyncFailure failure)
{
    private readonly int _shift = BitOperations.Log2((ulong)meta.SegmentSize);
    private readonly DurableMark<MachineMemory> _mark = new(control);

    /// <summary>The position up to which the log is on the disk.</summary>
    public long Durable => _mark.Position;

    /// <summary>Has every process wake those who sleep for messages when more is on the disk.</summary>
    public void AskForWakeUps() => _mark.AskForWakeUps();

    /// <summary>Where the log ends now, which is behind all that this thread has enqueued.</summary>
    public long Published => MachineMemory.Load(ref control.Tail);

    /// <summary>Syncs everything that is published now to the disk, and tells every process.</summary>
    /// <returns>The position up to which the log is on the disk.</returns>
    /// <exception cref="QueueFailedException">The disk refused, now or before.</exception>
    public long SyncPublished()
    {
        long from = Durable, to = Published;
        if (from >= to)
        {
            return from;
        }
        failure.ThrowIfFailed();
        FailPoint.Reach(ProtocolStep.SyncBegun);
        // With the zero header behind it, by which a recovery knows that the log ends there undamaged.
        SyncRange(from, to + RecordFormat.HeaderSize);
        FailPoint.Reach(ProtocolStep.SyncWritten);
        // The system may report an error to another process alone, which has left a mark.
        failure.ThrowIfFailed();
        _mark.Raise(to);
        RaiseChecked(from, to);
        FailPoint.Reach(ProtocolStep.SyncAnnounced);
        return to;
    }

    // Only where the range follows the word's present value: an earlier version of the library may have synced records but not their
    // segments' headers.
    private void RaiseChecked(long from, long to)
    {
        if (MachineMemory.Load(ref control.Checked) is > 0 and var known && known >> _shift >= from >> _shift)
        {
            ControlFile.Raise<MachineMemory>(ref control.Checked, to);
        }
    }

    /// <summary>
    /// Syncs a range of the log to the disk, published or not, and tells no other process. Where every subscription has passed a segment
    /// meanwhile, its deletion is synced instead.
    /// </summary>
    /// <exception cref="QueueFailedException">The disk refused, now or before.</exception>
    public void SyncRange(long from, long to)
    {
        long first = FirstThere(from >> _shift);
        bool anyGone = first > from >> _shift;
        for (long? next = first; next is { } index && index <= (to - 1) >> _shift;)
        {
            if (Pin(index) is { } segment)
            {
                Sync(segment, Math.Max(from, index << _shift), Math.Min(to, (index + 1) << _shift));
                next = index + 1;
            }
            else
            {
                anyGone = true;
                next = table.NextThere(index);
            }
        }
        if (anyGone)
        {
            SyncFile(() => CurrentPlatform.Instance.SyncDirectory(table.Directory));
        }
    }

    // A segment that was given up still has its file and name for a moment, or for long if its allocator dies. If it were on the disk after
    // a power loss with pages that were never synced, the log would end in it, and the durable records behind it would be lost. Segments
    // before a missing one do not matter: a recovery begins behind the last gap.
    private long FirstThere(long from)
    {
        long first = Math.Max(from, control.FirstRetained);
        while (first > from && table.Exists(first - 1))
        {
            first--;
        }
        return first;
    }

    private void Sync(Segment segment, long from, long to)
    {
        try
        {
            FailPoint.ReachSync();
            segment.Sync(from, to);
        }
        catch (IOException exception)
        {
            throw failure.Close(exception, segment.Index << _shift);
        }
        finally
        {
            table.Unpin(segment);
        }
    }

    /// <exception cref="QueueFailedException">A sync has failed, of this process or another.</exception>
    public void ThrowIfFailed() => failure.ThrowIfFailed();

    /// <summary>Syncs a subscription's position and leases to the disk.</summary>
    /// <exception cref="QueueFailedException">The disk refused.</exception>
    public void SyncSubscription(SubscriptionFile file) => SyncFile(file.Sync);

    private void SyncFile(Action sync)
    {
        try
        {
            sync();
        }
        catch (IOException exception)
        {
            throw failure.Close(exception, -1);
        }
    }

    // null: every subscription has passed the segment, and its file is deleted or about to become another segment.
    private Segment? Pin(long index)
    {
        try
        {
            Segment? segment = table.Pin(index);
            return segment is not null || IsPassed(index) ? segment : throw table.Damages.Note(new QueueCorruptException(
                table.PathOf(index), 0, $"the segment does not exist, though not every subscription has passed it. {StoreFormat.Remedy}"));
        }
        catch (QueueCorruptException) when (IsPassed(index))
        {
            return null;
        }
        catch (QueueException exception) when (exception.InnerException is IOException or UnauthorizedAccessException)
        {
            throw new QueueException(
                $"{table.PathOf(index)}: the system refuses to open it for a sync ({exception.InnerException.Message}). What was to be "
                + "made durable is enqueued and visible, but a power loss may take it: do not enqueue it again, but call Flush when the "
                + "cause is over.", exception)
            { Reason = QueueError.SystemRefused, Path = table.PathOf(index) };
        }
    }

    private bool IsPassed(long index) => control.FirstRetained > index;
}
