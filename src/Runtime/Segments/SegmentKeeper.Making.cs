using BlitQueue.Memory;
using BlitQueue.Platform;

namespace BlitQueue.Segments;

/// <content>Making the next segments, anew or of what everybody has passed. The keeping lock is held.</content>
internal sealed partial class SegmentKeeper
{
    // Appenders ask for one beyond those that are ready; damaged words could ask for any number.
    private const int MostMade = 16;

    // More than the three that a queue goes round whose consumers keep up, and one.
    private const int DeepFrom = 4;

    private QueueMeta? _latest;
    private long _openings;

    private void MakeUpTo(long index)
    {
        long ready = MachineMemory.Load(ref control.Ready);
        if (ready <= index - MostMade || index > long.MaxValue / _size)
        {
            throw new QueueCorruptException(files.PathOf(StoreFormat.ControlName), ControlFormat.ReadyOffset,
                $"it says that {ready} segments are ready, where number {index} is needed. {StoreFormat.Remedy}");
        }
        for (long next = ready; next <= index; next++)
        {
            Make(next);
            // SYNC POINT ready: publishes that the segment's file is complete and has its name.
            MachineMemory.Store(ref control.Ready, next + 1);
            FailPoint.Reach(ProtocolStep.SegmentAnnounced);
        }
    }

    private void Make(long index)
    {
        // A file of that name that was not announced: its maker died in between.
        if (files.Exists(StoreFormat.SegmentName(index * _size)))
        {
            return;
        }
        if (passed.TryRetire(spare: 0, out long oldest) && TryRecycle(oldest, index))
        {
            return;
        }
        try
        {
            SegmentMaker.Make(files, Latest(), index, IsDeep(index));
        }
        catch (IOException exception) when (DiskFull.Is(exception))
        {
            throw Full(exception);
        }
    }

    private bool IsDeep(long index) => index - MachineMemory.Load(ref control.Kept) >= DeepFrom;

    // False where the file is damaged: nothing of it is left then, nor where the system has no descriptor or mapping left for it.
    private bool TryRecycle(long oldest, long index)
    {
        Segment? segment = null;
        try
        {
            segment = table.Pin(oldest);
        }
        catch (QueueCorruptException)
        {
        }
        finally
        {
            if (segment is null)
            {
                files.Delete(StoreFormat.SegmentName(oldest * _size));
            }
        }
        if (segment is null)
        {
            return false;
        }
        try
        {
            SegmentMaker.Recycle(files, Latest(), segment, index);
        }
        catch
        {
            table.Unpin(segment);
            throw;
        }
        table.UnpinAs(segment, index);
        return true;
    }

    // The queue's description as it is by now. Only who opens a queue changes it.
    private QueueMeta Latest()
    {
        // SYNC POINT schema: acquires the queue.meta that was written before the opening was counted.
        long openings = MachineMemory.Load(ref control.Openings);
        if (_latest is null || openings != _openings)
        {
            _latest = SchemaKeeper.Latest(files, meta);
            _openings = openings;
        }
        return _latest;
    }

    private QueueFullException Full(IOException exception) => new(
        $"{files.Directory}: the disk has no room for the next segment of {_size} bytes. Nothing was enqueued. "
        + "Free disk space, let consumers catch up, or use a smaller SegmentSize.", exception);
}
