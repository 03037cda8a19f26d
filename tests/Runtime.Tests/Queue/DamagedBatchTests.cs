using BlitQueue.Log;
using Xunit;

namespace BlitQueue.Tests.Queue;

/// <summary>
/// One damaged record of a batch costs its own message at most, and no other. Of a batch that was never published nothing is delivered.
/// </summary>
public sealed class DamagedBatchTests : IDisposable
{
    private const int Short = 112, Long = LogFiles.SegmentSize * 2;

    private readonly LogFiles _log = new();
    private readonly List<byte[]> _sent = [];

    public enum Mended
    {
        WithoutControl,
        AfterRestart,
        ByRepair,
    }

    [Theory]
    [InlineData(Mended.WithoutControl)]
    [InlineData(Mended.AfterRestart)]
    [InlineData(Mended.ByRepair)]
    public void Padding_that_is_damaged_takes_no_message_with_it(Mended how)
    {
        EnqueueBatch([.. Enumerable.Repeat(Short, 500), Long, Short]);
        _log.Flip(First(RecordKind.BatchPad).Position + 4);
        Mend(how);
        Expect(lost: []);
    }

    [Theory]
    [InlineData(0)]
    [InlineData(0x55)]
    [InlineData(0xFF)]
    public void A_consumer_goes_over_padding_inside_a_message_whatever_it_says(byte damage)
    {
        EnqueueBatch([Short, Long, Short]);
        byte[] damaged = [.. Enumerable.Repeat(damage, RecordFormat.HeaderSize)];
        _log.Site.Overwrite(StoreFormat.SegmentName(0), First(RecordKind.BatchPad).Position, damaged);
        Expect(lost: []);
    }

    [Theory]
    [InlineData(Mended.WithoutControl)]
    [InlineData(Mended.AfterRestart)]
    [InlineData(Mended.ByRepair)]
    public void A_message_of_no_bytes_is_made_again_from_the_batch_s_sum(Mended how)
    {
        EnqueueBatch([Short, Short, 0, Long, Short]);
        _log.Flip(First(RecordKind.BatchData, skip: 2).Position + 5);
        Mend(how);
        Expect(lost: []);
    }

    [Theory]
    [InlineData(nameof(RecordKind.BatchFragment), 1)]
    [InlineData(nameof(RecordKind.BatchFragment), 6)]
    [InlineData(nameof(RecordKind.BatchMiddleFragment), 1)]
    [InlineData(nameof(RecordKind.BatchLastFragment), 6)]
    [InlineData(nameof(RecordKind.BatchData), 0)]
    [InlineData(nameof(RecordKind.BatchData), 3)]
    public void A_record_of_which_the_header_alone_is_damaged_is_made_again(string kind, int at)
    {
        EnqueueBatch([Short, Long, Short + 3]);
        _log.Flip(First(Enum.Parse<RecordKind>(kind)).Position + at);
        Mend(Mended.WithoutControl);
        Expect(lost: []);
    }

    [Fact]
    public void A_message_whose_bytes_are_damaged_is_not_made_up()
    {
        EnqueueBatch([Short, Short, Short, Long, Short]);
        _log.Flip(First(RecordKind.BatchData, skip: 1).Position + 40);
        Mend(Mended.ByRepair);
        Expect(lost: [1]);
    }

    [Theory]
    [InlineData(Mended.WithoutControl)]
    [InlineData(Mended.AfterRestart)]
    [InlineData(Mended.ByRepair)]
    public void A_subscription_goes_on_where_the_rest_of_a_batch_is_announced_anew(Mended how)
    {
        // The last message of the first segment, and the padding of 16 bytes behind it.
        EnqueueBatch([.. Enumerable.Repeat(Short, 507), 440, .. Enumerable.Repeat(Short, 5)]);
        (long pad, _) = First(RecordKind.BatchPad);
        (long last, _) = Records().Last(record => record.Position < pad);
        Assert.Equal(LogFiles.SegmentSize - 16, pad);
        int consumed = Records().TakeWhile(record => record.Position < pad)
            .Count(record => KindAt(record.Position) == RecordKind.BatchData);
        using (MappedQueue<RawMessage> queue = _log.Open())
        {
            RawMessage? message = null;
            for (int i = 0; i < consumed; i++)
            {
                Assert.True(queue.TryDequeue(ref message));
            }
        }
        _log.Site.Overwrite(StoreFormat.SegmentName(0), last, [.. Enumerable.Repeat((byte)0x55, (int)(LogFiles.SegmentSize - last))]);
        Mend(how);
        Expect(lost: [.. Enumerable.Range(0, consumed)]);
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void A_batch_that_was_never_published_is_not_delivered_where_the_message_in_front_of_it_is_damaged(bool isCut)
    {
        _log.Fill(5);
        (long last, _) = Records()[^1];
        long end = Records()[^1].After;
        _log.Fill(20, inOneBatch: true);
        // As its appender left it that died before it published.
        _log.Site.Overwrite(StoreFormat.SegmentName(0), end, new byte[RecordFormat.HeaderSize]);
        if (isCut)
        {
            // That died before it had written all.
            _log.Site.Overwrite(StoreFormat.SegmentName(0), end + RecordFormat.HeaderSize, BitConverter.GetBytes(BatchLayout.BeingWritten));
            _log.Site.Overwrite(StoreFormat.SegmentName(0), end + 16 + (19 * 120), new byte[120]);
        }
        _log.Flip(last + 12);
        _log.LoseControl();
        using MappedQueue<RawMessage> queue = _log.Open();
        Assert.Equal([0, 1, 2, 3], LogFiles.Drain(queue, out List<QueueCorruptException> holes));
        Assert.Single(holes);
        Assert.Contains(queue.Recovered!.Findings, finding => finding.MessageCount == (isCut ? 19 : 20));
    }

    [Theory]
    [InlineData(Mended.WithoutControl)]
    [InlineData(Mended.AfterRestart)]
    [InlineData(Mended.ByRepair)]
    public void The_announcement_of_the_last_batch_says_that_it_goes_on_behind_zeros(Mended how)
    {
        EnqueueBatch([.. Enumerable.Repeat(Short, 20), Long, Short]);
        _log.Site.Overwrite(StoreFormat.SegmentName(0), First(RecordKind.BatchData, skip: 9).Position, new byte[64]);
        Mend(how);
        Expect(lost: [9]);
    }

    [Fact]
    public void A_batch_that_was_published_stays_where_what_announces_it_was_overwritten_by_zeros()
    {
        _log.Fill(5);
        (long last, long end) = Records()[^1];
        _log.Fill(20, inOneBatch: true);
        // From within the message in front of it, over the record that announces it, to the end of its first message.
        _log.Site.Overwrite(StoreFormat.SegmentName(0), last + 16, new byte[end + 16 + 120 - last - 16]);
        _log.LoseControl();
        using MappedQueue<RawMessage> queue = _log.Open();
        Assert.Equal([0, 1, 2, 3, .. Enumerable.Range(1, 19)], LogFiles.Drain(queue, out _));
    }

    private void EnqueueBatch(int[] lengths)
    {
        RawMessage[] messages = [.. lengths.Select(static (length, key) =>
        {
            byte[] bytes = new byte[length];
            new Random(key).NextBytes(bytes);
            return new RawMessage(bytes);
        })];
        _sent.AddRange(messages.Select(static message => message.Bytes.ToArray()));
        using MappedQueue<RawMessage> queue = _log.Open();
        queue.EnqueueBatch(messages);
    }

    private void Mend(Mended how)
    {
        if (how == Mended.WithoutControl)
        {
            _log.LoseControl();
        }
        else if (how == Mended.AfterRestart)
        {
            _log.PretendRestart();
        }
        else
        {
            MappedQueue.Repair(_log.Path);
        }
        _log.Open().Dispose();
    }

    private void Expect(int[] lost)
    {
        using MappedQueue<RawMessage> queue = _log.Open();
        Assert.Equal(_sent.Where((_, key) => !lost.Contains(key)), LogFiles.DrainBytes(queue, out _));
    }

    private (long Position, long After) First(RecordKind kind, int skip = 0) =>
        Records().Where(record => KindAt(record.Position) == kind).Skip(skip).First();

    private List<(long Position, long After)> Records()
    {
        var meta = QueueMeta.Read(new QueueFiles(_log.Path, UnixFileMode.None, FileAccess.Read));
        var records = new List<(long Position, long After)>();
        for (long at = meta.FirstOf(0), header; (header = HeaderAt(at)) != 0;)
        {
            long after = RecordFormat.Kind(header).IsPad() ? meta.FirstBehind(at) : at + RecordFormat.Extent(RecordFormat.Length(header));
            records.Add((at, after));
            at = after;
        }
        return records;
    }

    private RecordKind KindAt(long position) => RecordFormat.Kind(HeaderAt(position));

    private long HeaderAt(long position)
    {
        string segment = _log.SegmentAt(position / LogFiles.SegmentSize);
        return File.Exists(segment) ? BitConverter.ToInt64(Processes.Site.Read(segment), (int)(position % LogFiles.SegmentSize)) : 0;
    }

    public void Dispose() => _log.Dispose();
}
