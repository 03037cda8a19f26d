using BlitQueue.Memory;

namespace BlitQueue.Log;

/// <summary>
/// Reads every record of a log, segment by segment, and compares its check. Reports bytes that do not fit, and goes on behind them.
/// </summary>
/// <param name="meta">The queue's.</param>
/// <param name="tail">The position that the log must reach; null if nothing says so.</param>
/// <param name="expected">Positions at which a record, or the log's end, must be, in ascending order.</param>
/// <param name="found">Gets the findings.</param>
internal sealed class LogVerifier(QueueMeta meta, long? tail, long[] expected, Action<RecoveryFinding> found)
{
    /// <summary>The text for a hole, which consumers report.</summary>
    public const string HoleFound = "a hole that an opening found: what stood here is lost, and consumers are told";

    private readonly RecordSearch _search = new(meta);
    private readonly long[] _before = new long[expected.Length];
    private int _passed;

    // The open batch, from its announcing record on.
    private (long Start, long End, long Announced, long Headers) _batch;

    // True until the first record outside of a batch: the batch may have begun in a deleted segment.
    private bool _isCut = true;
    private bool _hasEnded;

    public long Records { get; private set; }

    public long Messages { get; private set; }

    /// <summary>The position behind the last record that was read.</summary>
    public long End { get; private set; }

    /// <summary>How many messages end in front of an expected position, given by its index.</summary>
    public long Before(int index) => index < _passed ? _before[index] : Messages;

    /// <summary>
    /// Whether an expected position, given by its index, is in front of the log's end and no record begins there or behind it.
    /// </summary>
    public bool IsAmidLast(int index) => index >= _passed && expected[index] < End;

    /// <summary>Reads a segment's records.</summary>
    public void Read(Segment segment)
    {
        long position = meta.FirstOf(segment.Index);
        End = Math.Max(End, Records == 0 ? position : 0);
        while (position < segment.End)
        {
            if (_search.TryRecord(segment, position, out long header, out long after))
            {
                if (_hasEnded)
                {
                    Found(
                        segment, End, segment.Index * meta.SegmentSize > End ? 0 : position - End,
                        "nothing, and records behind: what is there cannot be reached");
                    _hasEnded = false;
                }
                Note(segment, position, header, after);
                position = after;
                continue;
            }
            if (position >= tail || _hasEnded || (tail is null && IsBlank(segment, position)))
            {
                _hasEnded = true;
                return;
            }
            long next = _search.FindNext(segment, position + RecordFormat.HeaderSize, alone: false);
            next = next < 0 ? segment.End : next;
            Found(segment, position, Math.Min(next, tail ?? next) - position, "no record");
            Miss();
            End = position = Math.Min(next, tail ?? next);
            if (position == tail && next != tail)
            {
                _hasEnded = true;
                return;
            }
        }
    }

    /// <summary>Notes that a segment could not be read: the next one may begin inside a batch whose beginning was not read.</summary>
    public void Miss() => (_batch, _isCut) = (default, true);

    // Whether the log ends at a position: nothing behind it counts without an announcing record.
    private bool IsBlank(Segment segment, long position) =>
        segment.Header(position) == 0 && _search.FindNext(segment, position + RecordFormat.HeaderSize, alone: true) < 0;

    private void Note(Segment segment, long position, long header, long after)
    {
        RecordKind kind = RecordFormat.Kind(header);
        for (; _passed < expected.Length && expected[_passed] <= position; _passed++)
        {
            _before[_passed] = Messages;
            if (expected[_passed] != position && expected[_passed] >= meta.FirstOf(segment.Index))
            {
                Found(segment, expected[_passed], 0, "a subscription stands here, where no record begins");
            }
        }
        Follow(segment, position, header, after, kind);
        if (kind == RecordKind.Hole)
        {
            Found(segment, position, after - position, HoleFound);
        }
        Records++;
        Messages += kind.EndsMessage() ? 1 : 0;
        End = after;
    }

    private void Follow(Segment segment, long position, long header, long after, RecordKind kind)
    {
        if (_batch.End > position && kind.IsInBatch())
        {
            _batch.Headers += header;
            if (after >= _batch.End && !(after == _batch.End && BatchLayout.Fits(_batch.Announced, _batch.Headers)))
            {
                Found(segment, position, 0, $"the batch that begins at position {_batch.Start} is not the one that was announced there");
            }
            return;
        }
        if (_batch.End > position || (kind.IsInBatch() && !_isCut))
        {
            Found(segment, position, 0, "a batch is not whole here");
            _batch = default;
        }
        _isCut = _isCut && kind.IsInBatch();
        if (kind == RecordKind.Batch)
        {
            long announced = BinaryPrimitives.ReadInt64LittleEndian(segment.Payload(position, sizeof(long)));
            _batch = (position, after + BatchLayout.AnnouncedBytes(announced), announced, 0);
        }
    }

    private void Found(Segment segment, long position, long bytes, string what) =>
        found(new RecoveryFinding(segment.Path, position & (meta.SegmentSize - 1), bytes, what) { Position = new QueuePosition(position) });
}
