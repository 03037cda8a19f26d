using BlitQueue.Segments;
using BlitQueue.Tests.Queue;
using Xunit;

namespace BlitQueue.Tests.Processes;

/// <summary>What of a log is read after a restart of the machine. A damaged record tells: it is found by who reads it.</summary>
[Collection(ProcessCollection.Name)]
public sealed class RestartTests : IDisposable
{
    private const int PerSegment = 512, Many = 6 * PerSegment;

    private readonly LogFiles _log = new();

    [Fact]
    public void What_was_on_the_disk_is_not_read_again()
    {
        _log.Fill(Many, consumed: 10);
        _log.Flip(In(2));
        _log.PretendRestart();
        using MappedQueue<RawMessage> queue = _log.Open();
        Assert.Null(queue.Recovered);
        List<long> keys = LogFiles.Drain(queue, out List<QueueCorruptException> holes);
        Assert.Equal((1, Many - 11), (holes.Count, keys.Count));
    }

    // Of a log of batches each segment begins inside of one.
    [Theory]
    [InlineData(100)]
    [InlineData(700)]
    public void What_was_on_the_disk_is_not_read_again_though_batches_reach_over_the_ends_of_segments(int batch)
    {
        const int consumed = 10;
        _log.FillInBatches(Many, batch);
        using (MappedQueue<RawMessage> queue = _log.Open())
        {
            RawMessage? next = null;
            for (int i = 0; i < consumed; i++)
            {
                Assert.True(queue.TryDequeue(ref next));
            }
        }
        _log.Flip(In(3));
        _log.PretendRestart();
        using MappedQueue<RawMessage> opened = _log.Open();
        Assert.Null(opened.Recovered);
        List<long> keys = LogFiles.Drain(opened, out List<QueueCorruptException> holes);
        Assert.Equal((1, Many - consumed - 1), (holes.Count, keys.Count));
        opened.Enqueue(LogFiles.Message(Many));
        Assert.Equal([Many], LogFiles.Drain(opened, out _));
    }

    [Theory]
    [InlineData(1)]
    [InlineData(100)]
    [InlineData(1300)]
    public void What_is_not_read_again_is_not_counted_again(int batch)
    {
        _log.FillInBatches(Many, batch);
        using (MappedQueue<RawMessage> queue = _log.Open())
        {
            Assert.Equal(Many, queue.GetStatus().Messages);
        }
        (long, long)[] noted = [.. Enumerable.Range(1, 5).Select(Noted)];
        Assert.Single(noted.Select(static note => note.Item1).Distinct());
        _log.PretendRestart();
        using MappedQueue<RawMessage> opened = _log.Open();
        Assert.Equal(noted, Enumerable.Range(1, 5).Select(Noted));
        Assert.Equal(Many, opened.GetStatus().Messages);
        Assert.Equal(noted, Enumerable.Range(1, 5).Select(Noted));
    }

    [Fact]
    public void What_a_subscription_stands_in_is_read()
    {
        _log.Fill(Many, consumed: (2 * PerSegment) + 300);
        _log.Flip(In(2));
        _log.PretendRestart();
        using MappedQueue<RawMessage> queue = _log.Open();
        Assert.Single(queue.Recovered!.Findings);
        Assert.Equal(Many - (2 * PerSegment) - 300, LogFiles.Drain(queue, out List<QueueCorruptException> holes).Count);
        Assert.Empty(holes);
    }

    [Fact]
    public void Where_anything_is_damaged_all_is_read_and_counted()
    {
        _log.Fill(Many);
        _log.Flip(In(2));
        _log.Flip(In(6) - (99 * 120));
        _log.PretendRestart();
        using MappedQueue<RawMessage> queue = _log.Open();
        Assert.Equal(2, queue.Recovered!.Findings.Count);
        Assert.Equal(Many - 2, queue.Recovered.Messages);
        Assert.True(queue.Recovered.Duration > TimeSpan.Zero);
        Assert.Equal(queue.Recovered.Duration, queue.GetStatus().Recovered!.Duration);
        Assert.Equal(Many - 2, LogFiles.Drain(queue, out _).Count);
    }

    // Of a live queue's files a copy has some older than others.
    [Fact]
    public void A_copy_is_read_whatever_its_words_say()
    {
        _log.Fill(Many);
        _log.Flip(In(2));
        string control = _log.Site.File(StoreFormat.ControlName);
        File.Copy(control, control + "-copy");
        File.Move(control + "-copy", control, overwrite: true);
        _log.PretendRestart();
        using MappedQueue<RawMessage> queue = _log.Open();
        Assert.Single(queue.Recovered!.Findings);
    }

    [Fact]
    public void What_an_earlier_library_synced_is_read_once()
    {
        _log.Fill(Many);
        _log.Site.Overwrite(StoreFormat.ControlName, ControlFormat.CheckedOffset, new byte[3 * sizeof(long)]);
        using (MappedQueue<RawMessage> queue = _log.Open())
        {
            queue.Enqueue(LogFiles.Message(Many));
        }
        _log.PretendRestart();
        _log.Open().Dispose();
        _log.Flip(In(2));
        _log.PretendRestart();
        using MappedQueue<RawMessage> later = _log.Open();
        Assert.Null(later.Recovered);
    }

    // What nothing was known of when the opening began.
    [Fact]
    public void An_opening_goes_on_where_one_was_killed()
    {
        const int many = 400;
        using (MappedQueue<Parcel> queue = MappedQueue<Parcel>.Open(_log.Path, new QueueOptions { SegmentSize = LogFiles.SegmentSize }))
        {
            for (int number = 0; number < many; number++)
            {
                queue.Enqueue(new Parcel().Fill(1, number, 1000));
            }
        }
        _log.PretendRestart(isDurable: false);
        using (Peer killed = Peer.StartToDie(_log.Site, ProtocolStep.RecoveryLogRead, 1, "produce"))
        {
            killed.WaitForDeath();
        }
        _log.Flip(In(2));
        using MappedQueue<Parcel> opened = MappedQueue<Parcel>.Open(_log.Path);
        Assert.Null(opened.Recovered);
        int delivered = 0;
        Assert.Throws<QueueCorruptException>(() =>
        {
            for (Parcel? parcel = null; opened.TryDequeue(ref parcel); delivered++)
            {
            }
        });
        opened.SkipCorrupt();
        for (Parcel? parcel = null; opened.TryDequeue(ref parcel); delivered++)
        {
        }
        Assert.Equal(many - 1, delivered);
    }

    // What a segment notes of how many messages are in front of it: the series, and the total.
    private (long Series, long Total) Noted(int segment)
    {
        byte[] block = File.ReadAllBytes(_log.SegmentAt(segment)).AsSpan(SegmentFormat.PageSize - 640, 16).ToArray();
        return (BitConverter.ToInt64(block), BitConverter.ToInt64(block, 8));
    }

    private static long In(int segment) => (segment * (long)LogFiles.SegmentSize) + SegmentFormat.PageSize + (100 * 120);

    public void Dispose() => _log.Dispose();
}
