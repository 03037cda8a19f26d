using BlitQueue.Log;
using BlitQueue.Tests.Queue;
using Xunit;

namespace BlitQueue.Tests.Processes;

/// <summary>
/// Batches of messages that are longer than a segment, and so stand in the log in pieces, after a damage: every message
/// whose pieces are all there is delivered.
/// </summary>
public sealed class SplitBatchTests : IDisposable
{
    private const int Long = 150_000, Short = 112, Batched = 10, Behind = 3;

    private readonly LogFiles _log = new();

    public static TheoryData<int, int> Damages()
    {
        var data = new TheoryData<int, int>();
        foreach (int damaged in (int[])[0, 1, 4, 5, Batched - 1])
        {
            data.Add(damaged, 0);
            data.Add(damaged, 1);
            data.Add(damaged, 2);
        }
        return data;
    }

    [Theory]
    [MemberData(nameof(Damages))]
    public void A_recovery_costs_no_message_but_the_damaged_one(int damaged, int layout) => Check(damaged, layout, () =>
    {
        _log.LoseControl();
        _log.Open().Dispose();
    });

    [Theory]
    [MemberData(nameof(Damages))]
    public void A_repair_costs_no_message_but_the_damaged_one(int damaged, int layout) =>
        Check(damaged, layout, () => Assert.Equal(Batched + Behind - 1, MappedQueue.Repair(_log.Path).MessageCount));

    [Theory]
    [MemberData(nameof(Damages))]
    public void A_second_recovery_finds_the_same(int damaged, int layout) => Check(damaged, layout, () =>
    {
        for (int i = 0; i < 2; i++)
        {
            _log.LoseControl();
            _log.Open().Dispose();
        }
        MappedQueue.Repair(_log.Path);
    });

    [Fact]
    public void The_batch_whose_end_was_lost_with_the_power_is_still_not_there()
    {
        using (MappedQueue<RawMessage> queue = _log.Open())
        {
            queue.Enqueue(LogFiles.Message(0));
            queue.EnqueueBatch([LogFiles.Message(1, Long), LogFiles.Message(2, Long)]);
        }
        _log.LosePages(4 * LogFiles.SegmentSize, 5 * LogFiles.SegmentSize);
        _log.PretendRestart(isDurable: false);
        using MappedQueue<RawMessage> opened = _log.Open();
        Assert.Equal([0], LogFiles.Drain(opened, out List<QueueCorruptException> holes));
        Assert.Empty(holes);
    }

    // Layout 0: all long, their first pieces damaged; 1: long and short ones by turns; 2: all long, damaged in the middle.
    private void Check(int damaged, int layout, Action mend)
    {
        int LengthOf(int key) => key < Batched && (layout != 1 || key % 2 == 0) ? Long : Short;
        QueuePosition[] positions;
        using (MappedQueue<RawMessage> queue = _log.Open())
        {
            queue.EnqueueBatch([.. Enumerable.Range(0, Batched).Select(key => LogFiles.Message(key, LengthOf(key)))]);
            for (int key = Batched; key < Batched + Behind; key++)
            {
                queue.Enqueue(LogFiles.Message(key));
            }
            positions = Positions(queue);
        }
        _log.Flip(InARecord(positions[damaged].Value + (layout == 2 ? Long / 2 : 40)));
        mend();
        using MappedQueue<RawMessage> opened = _log.Open();
        int[] whole = [.. Enumerable.Range(0, Batched + Behind).Where(key => key != damaged)];
        Assert.Equal(whole.Length, opened.GetStatus().MessageCount);
        Assert.Equal(whole, LogFiles.Drain(opened, out _).Select(static key => (int)key));
        opened.Enqueue(LogFiles.Message(99));
        Assert.Equal([99], LogFiles.Drain(opened, out _));
    }

    // Not in a segment's header.
    private static long InARecord(long position) =>
        (position & (LogFiles.SegmentSize - 1)) < 2 * SegmentFormat.PageSize ? position + (2 * SegmentFormat.PageSize) : position;

    private static QueuePosition[] Positions(MappedQueue<RawMessage> queue)
    {
        var positions = new List<QueuePosition>();
        using QueueCursor<RawMessage> cursor = queue.OpenCursor(QueuePosition.Oldest);
        for (RawMessage? message = null; cursor.TryRead(ref message, out QueuePosition position);)
        {
            positions.Add(position);
        }
        return [.. positions];
    }

    public void Dispose() => _log.Dispose();
}
