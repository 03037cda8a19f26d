using BlitQueue.Memory;
using BlitQueue.Platform;
using Microsoft.Win32.SafeHandles;

namespace BlitQueue.Log;

/// <summary>
/// One segment while the log is repaired: its file as it is; or, once anything in it has to change, a copy under the unfinished name, which
/// replaces the file at the end. The original file is set aside.
/// </summary>
internal sealed class SegmentUnderRepair : IDisposable
{
    private readonly QueueFiles _files;
    private readonly QueueMeta _meta;
    private readonly Quarantine _aside;
    private readonly string _name;
    private readonly long _index;
    private MappedRegion? _region;
    private Segment? _segment;
    private bool _isCopy;

    public SegmentUnderRepair(QueueFiles files, QueueMeta meta, Quarantine aside, long index)
    {
        (_files, _meta, _aside) = (files, meta, aside);
        _index = index;
        _name = StoreFormat.SegmentName(index * meta.SegmentSize);
        _region = TryMap(files, meta, index, out string? found) ?? MakeWhole(index, found!);
    }

    /// <summary>The segment's records; valid until <see cref="Release"/>, or until something changes.</summary>
    public Segment Segment => _segment ??= new Segment(Region, _meta, _index, _files.PathOf(_name));

    /// <summary>Whether the segment is mapped: the system limits the number of mappings.</summary>
    public bool IsMapped => _region is not null;

    private MappedRegion Region => _region ??= TryMap(_files, _meta, _index, out string? found)
        ?? throw new QueueCorruptException(
            _files.PathOf(_name), 0, $"{found}, though it was read a moment ago. Nothing was changed. Open or repair the queue again.");

    /// <summary>Whether it is a copy already, because something in it had to change.</summary>
    public bool IsCopy => _isCopy;

    /// <summary>Brings the whole segment to the disk.</summary>
    /// <exception cref="IOException">The disk refused.</exception>
    public void Sync() => Region.Sync(0, Region.Length);

    /// <summary>Unmaps the segment until it is needed again. Does nothing if something has changed.</summary>
    public void Release()
    {
        if (!_isCopy)
        {
            _region?.Dispose();
            (_region, _segment) = (null, null);
        }
    }

    /// <summary>
    /// Maps the file of an index if it is a segment of the queue, without looking at its records; otherwise says what the file is.
    /// </summary>
    public static MappedRegion? TryMap(QueueFiles files, QueueMeta meta, long index, out string? found)
    {
        string name = StoreFormat.SegmentName(index * meta.SegmentSize);
        found = null;
        try
        {
            MappedRegion region = files.Map(name, meta.SegmentSize);
            SegmentHeader.Verify(region, meta, index, name);
            return region;
        }
        catch (FileNotFoundException)
        {
            found = "it is missing";
        }
        catch (QueueCorruptException exception)
        {
            found = exception.Message[(exception.Message.IndexOf(": ", StringComparison.Ordinal) + 2)..].Split('.')[0];
        }
        return null;
    }

    /// <summary>Stores a header: in place if there is nothing, otherwise in the copy.</summary>
    public void Write(long position, long header)
    {
        if (Segment.Header(position) != 0)
        {
            BeginCopy();
        }
        Segment.Header(position) = header;
    }

    /// <summary>Stores a header and the word behind it: in place if there is nothing, otherwise in the copy.</summary>
    public void Write(long position, long header, long word)
    {
        if (WordBehind(position) != word && (WordBehind(position) != 0 || Segment.Header(position) != 0))
        {
            BeginCopy();
        }
        WordBehind(position) = word;
        Write(position, header);
    }

    private ref long WordBehind(long position) => ref Region.Word((position & (_meta.SegmentSize - 1)) + RecordFormat.HeaderSize);

    /// <summary>Zeroes a range, so that no search finds anything there; in the copy, if the range is not zero already.</summary>
    public void Clear(long from, long to)
    {
        int length = (int)(to - from);
        long offset = from & (_meta.SegmentSize - 1);
        if (Region.Bytes(offset, length).ContainsAnyExcept((byte)0))
        {
            BeginCopy();
            Region.Bytes(offset, length).Clear();
        }
    }

    private void BeginCopy()
    {
        if (!_isCopy)
        {
            _aside.Copy(_name);
            Release();
            _region = MapCopy();
        }
    }

    /// <summary>Replaces the file by the copy.</summary>
    public void Finish()
    {
        if (_isCopy)
        {
            Sync();
            _files.Rename(_name + StoreFormat.UnfinishedSuffix, _name);
            _isCopy = false;
            FailPoint.Reach(ProtocolStep.RecoverySegmentReplaced);
        }
    }

    // Makes a copy of a file that is no segment, as much of it as fits, with a new header.
    private MappedRegion MakeWhole(long index, string found)
    {
        _aside.Found(_name, $"{found}: made anew, with what records of it are there");
        bool isEmpty = !_files.Exists(_name);
        try
        {
            if (!isEmpty)
            {
                _aside.Copy(_name);
            }
        }
        catch (QueueCorruptException)
        {
            // A directory or a link.
            _aside.Move(_name);
            isEmpty = true;
        }
        MappedRegion region = MapCopy(isEmpty);
        SegmentHeader.Write(region.Bytes(0, _meta.HeaderSize), _meta, index, Guid.Empty);
        return region;
    }

    private MappedRegion MapCopy(bool isEmpty = false)
    {
        using SafeFileHandle copy = _files.CreateUnfinished(_name);
        try
        {
            _files.Preallocate(copy, _meta.SegmentSize);
        }
        catch (DiskFullException exception)
        {
            throw new QueueFullException(
                $"{_files.Directory}: the disk has no room to repair {_name}. Free disk space, then open or repair the queue again.",
                exception)
            { Path = _files.Directory };
        }
        var region = new MappedRegion(copy, _meta.SegmentSize);
        if (!isEmpty)
        {
            using SafeFileHandle file = _files.OpenExisting(_name);
            RandomAccess.Read(file, region.Bytes(0, (int)Math.Min(_meta.SegmentSize, RandomAccess.GetLength(file))), 0);
        }
        _isCopy = true;
        return region;
    }

    public void Dispose() => _region?.Dispose();
}
