using BlitQueue.Memory;

namespace BlitQueue.Segments;

/// <summary>
/// The segments that this handle has mapped. The appender and each cursor pin the one they are in; what nobody pins is unmapped as soon
/// as the calls that may have seen it are over.
/// </summary>
internal sealed class SegmentTable(QueueFiles files, QueueMeta meta, CallGate gate) : IDisposable
{
    private readonly Dictionary<long, (Segment Segment, int Pins)> _mapped = [];
    private readonly List<(Segment Segment, CallSnapshot Users)> _retired = [];
    private readonly long _size = meta.SegmentSize;

    public string PathOf(long index) => files.PathOf(StoreFormat.SegmentName(index * _size));

    /// <summary>Pins the segment with this index, mapping it if need be.</summary>
    /// <returns>null when its file does not exist.</returns>
    public Segment? Pin(long index)
    {
        lock (_mapped)
        {
            if (!_mapped.TryGetValue(index, out (Segment Segment, int Pins) entry))
            {
                if (Map(index) is not { } segment)
                {
                    return null;
                }
                entry = (segment, 0);
            }
            _mapped[index] = (entry.Segment, entry.Pins + 1);
            return entry.Segment;
        }
    }

    /// <summary>Gives a pin back.</summary>
    public void Unpin(Segment? segment)
    {
        if (segment is null)
        {
            return;
        }
        lock (_mapped)
        {
            int pins = _mapped[segment.Index].Pins - 1;
            if (pins > 0)
            {
                _mapped[segment.Index] = (segment, pins);
                return;
            }
            _mapped.Remove(segment.Index);
            _retired.Add((segment, gate.Others()));
            UnmapUnused();
        }
    }

    private void UnmapUnused() => _retired.RemoveAll(static entry =>
    {
        bool over = entry.Users.IsOver;
        if (over)
        {
            entry.Segment.Unmap();
        }
        return over;
    });

    private Segment? Map(long index)
    {
        string name = StoreFormat.SegmentName(index * _size);
        MappedRegion region;
        try
        {
            region = files.Map(name, _size);
        }
        catch (FileNotFoundException)
        {
            return null;
        }
        SegmentFormat.Verify(region, meta, index, files.PathOf(name));
        return new Segment(region, index, files.PathOf(name));
    }

    /// <summary>Unmaps everything; no call is inside any more.</summary>
    public void Dispose()
    {
        lock (_mapped)
        {
            foreach ((Segment segment, _) in _mapped.Values)
            {
                segment.Unmap();
            }
            foreach ((Segment segment, _) in _retired)
            {
                segment.Unmap();
            }
            _mapped.Clear();
            _retired.Clear();
        }
    }
}
