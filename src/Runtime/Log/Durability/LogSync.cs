using System.Numerics;
using BlitQueue.Memory;
using BlitQueue.Platform;

namespace BlitQueue.Log;

/// <summary>
/// Brings stretches of the log to the disk, and keeps the word that says up to where it is there. Called inside the gate: what is synced
/// must stay mapped. Each process syncs for itself what no other has: there is no lock that a stopped one could hold.
/// </summary>
/// <remarks>
/// The system syncs pages of the file, whichever process wrote them. Segments are preallocated, so a page's first write also turns its
/// blocks from reserved into written ones; that is flushed too: fdatasync, which msync(MS_SYNC) amounts to, leaves out metadata "unless
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

    /// <summary>Where the log ends now: behind all that this thread has enqueued.</summary>
    public long Published => MachineMemory.Load(ref control.Tail);

    /// <summary>Brings everything that is published now to the disk, and says so to every process.</summary>
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
        // With the zero header behind it, which says to a recovery that the log ends there undamaged.
        SyncRange(from, to + RecordFormat.HeaderSize);
        FailPoint.Reach(ProtocolStep.SyncWritten);
        // Of an error that another process was told of, this one may not hear.
        failure.ThrowIfFailed();
        _mark.Raise(to);
        RaiseChecked(from, to);
        FailPoint.Reach(ProtocolStep.SyncAnnounced);
        return to;
    }

    // Only where it goes on from what it says already: of what an earlier library synced the segments' headers may
    // be older on the disk than their records.
    private void RaiseChecked(long from, long to)
    {
        if (MachineMemory.Load(ref control.Checked) is > 0 and var known && known >> _shift >= from >> _shift)
        {
            ControlFile.Raise<MachineMemory>(ref control.Checked, to);
        }
    }

    /// <summary>
    /// Brings a stretch of the log to the disk, published or not, and reports it to nobody. Where every subscription has passed a segment
    /// meanwhile, its deletion is brought to the disk instead.
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

    // A segment that is given up keeps its file and its name for a moment, or for long if its allocator dies. Were it on the disk after a
    // power loss with pages that were never synced, the log would end in it, and what is durable behind it would be lost. The files below a
    // missing one do not count: a recovery begins behind the last gap.
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

    /// <summary>Brings a subscription's position and leases to the disk.</summary>
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

    // null: every subscription has passed the segment, and its file is deleted or has lost its name to become another one.
    private Segment? Pin(long index)
    {
        try
        {
            Segment? segment = table.Pin(index);
            return segment is not null || IsPassed(index) ? segment : throw new QueueCorruptException(
                table.PathOf(index), 0, $"the segment does not exist, though not every subscription has passed it. {StoreFormat.Remedy}");
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
                + "cause is over.", exception);
        }
    }

    private bool IsPassed(long index) => control.FirstRetained > index;
}
