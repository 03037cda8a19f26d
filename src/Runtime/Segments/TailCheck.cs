using BlitQueue.Memory;

namespace BlitQueue.Segments;

/// <summary>
/// Whether the log leads to where the control file says that it ends: who appended anywhere else would write over messages, or where no
/// reader comes by. Says nothing where others append meanwhile.
/// </summary>
internal static class TailCheck
{
    /// <exception cref="QueueCorruptException">It does not.</exception>
    public static void Verify(QueueFiles files, QueueMeta meta, ControlFile control)
    {
        long tail = MachineMemory.Load(ref control.Tail);
        long index = tail / meta.SegmentSize;
        string name = StoreFormat.SegmentName(index * meta.SegmentSize);
        // What is wrong with the file itself is told by whoever comes to it.
        if (!files.Exists(name))
        {
            return;
        }
        using MappedRegion region = files.Map(name, meta.SegmentSize);
        SegmentFormat.Verify(region, meta, index, files.PathOf(name));
        var segment = new Segment(region, meta, index, files.PathOf(name));
        if (!TryWalk(segment, meta, tail, out long end))
        {
            throw new QueueCorruptException(segment.Path, end & (segment.Size - 1),
                $"the log does not lead from here to position {tail}, where {StoreFormat.ControlName} says that it ends: a part of the one or the other file was lost. "
                + StoreFormat.Remedy);
        }
        // The header goes first: who had published it has moved the tail before the turn was free.
        if (MachineMemory.Load(ref segment.Header(tail)) != 0 && MachineMemory.Load(ref control.Turn) == 0 && MachineMemory.Load(ref control.Tail) == tail)
        {
            throw new QueueCorruptException(files.PathOf(StoreFormat.ControlName), ControlFormat.TailOffset,
                $"it says that the log ends at {tail}, where something stands. {StoreFormat.Remedy}");
        }
    }

    // Also true where a damaged record hides the way: readers are told of it, and appends go on behind.
    private static bool TryWalk(Segment segment, QueueMeta meta, long tail, out long position)
    {
        var check = new RecordCheck(meta);
        for (position = meta.FirstOf(segment.Index); position < tail;)
        {
            long header = MachineMemory.Load(ref segment.Header(position));
            if (header == 0)
            {
                return false;
            }
            int length = RecordFormat.Length(header);
            long after = segment.After(position, length);
            bool leadsOn = RecordFormat.Kind(header) != RecordKind.None && !RecordFormat.Kind(header).IsPad() && after > 0 && after <= tail;
            if (!leadsOn)
            {
                return after < 0 || !check.Fits(header, position, segment.Payload(position, length));
            }
            position = after;
        }
        return true;
    }
}
