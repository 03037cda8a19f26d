using System.Runtime.Versioning;
using BlitQueue.Log;
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
            Assert.Equal(Many, queue.GetStatus().MessageCount);
        }
        (long, long)[] noted = [.. Enumerable.Range(1, 5).Select(Noted)];
        Assert.Single(noted.Select(static note => note.Item1).Distinct());
        _log.PretendRestart();
        using MappedQueue<RawMessage> opened = _log.Open();
        Assert.Equal(noted, Enumerable.Range(1, 5).Select(Noted));
        Assert.Equal(Many, opened.GetStatus().MessageCount);
        Assert.Equal(noted, Enumerable.Range(1, 5).Select(Noted));
    }

    // The log begins inside of a batch by then.
    [Fact]
    public void Counts_are_right_where_the_beginning_of_a_batch_was_given_up()
    {
        const int batch = 2000, consumed = 1000;
        _log.FillInBatches(batch, batch);
        using (MappedQueue<RawMessage> queue = _log.Open())
        {
            RawMessage? next = null;
            for (int i = 0; i < consumed; i++)
            {
                Assert.True(queue.TryDequeue(ref next));
            }
            for (int key = batch; key < Many + batch; key++)
            {
                queue.Enqueue(LogFiles.Message(key));
            }
        }
        _log.PretendRestart(isDurable: false);
        using MappedQueue<RawMessage> opened = _log.Open();
        Assert.Equal(Many + batch - consumed, opened.GetStatus().MessageCount);
        Assert.Equal(Many + batch - consumed, LogFiles.Drain(opened, out _).Count);
    }

    [Fact]
    public void Leases_go_with_their_messages_where_the_power_took_the_end_of_the_log()
    {
        _log.Fill(PerSegment);
        using (MappedQueue<RawMessage> queue = _log.Open())
        using (Subscription<RawMessage> subscription = queue.Subscribe("default"))
        {
            for (int i = 0; i < 5; i++)
            {
                subscription.Receive();
            }
        }
        _log.LosePages(SegmentFormat.PageSize, 2 * LogFiles.SegmentSize);
        _log.PretendRestart(isDurable: false);
        using MappedQueue<RawMessage> opened = _log.Open();
        Assert.Equal(0, opened.GetStatus().MessageCount);
        opened.Enqueue(LogFiles.Message(7));
        Assert.Equal([7], LogFiles.Drain(opened, out List<QueueCorruptException> holes));
        Assert.Empty(holes);
    }

    // A recovery has no more of them mapped than a system has mappings for a process.
    [Fact]
    public void A_log_of_many_segments_is_mended()
    {
        const int count = 300, size = 40_000;
        using (MappedQueue<RawMessage> queue = _log.Open())
        {
            for (int key = 0; key < count; key++)
            {
                queue.Enqueue(LogFiles.Message(key, size));
            }
        }
        _log.Flip((5 * (long)LogFiles.SegmentSize) + SegmentFormat.PageSize + 100);
        _log.Flip((290 * (long)LogFiles.SegmentSize) + SegmentFormat.PageSize + 100);
        _log.LoseControl();
        using MappedQueue<RawMessage> opened = _log.Open();
        Assert.Equal(2, opened.Recovered!.Findings.Count(static one => one.What != StoreCheck.RenamedEpochs));
        Assert.Equal(count - 2, opened.Recovered.MessageCount);
        Assert.Equal(count - 2, opened.GetStatus().MessageCount);
        Assert.Equal(count - 2, LogFiles.Drain(opened, out _).Count);
    }

    [Fact]
    [UnsupportedOSPlatform("windows")]
    public void What_a_recovery_sets_aside_has_the_rights_of_the_queue()
    {
        _log.Fill(PerSegment);
        _log.Flip(In(0));
        _log.LoseControl();
        _log.Open().Dispose();
        string[] aside = _log.Aside();
        Assert.Contains(aside, static path => Path.GetFileName(path) == "report.txt");
        Assert.All(aside, path => Assert.Equal(File.GetUnixFileMode(_log.Site.File(StoreFormat.MetaName)), File.GetUnixFileMode(path)));
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
        Assert.Equal(Many - 2, queue.Recovered.MessageCount);
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
        using (var queue = MappedQueue<Parcel>.Open(_log.Path, new QueueOptions { SegmentSize = LogFiles.SegmentSize }))
        {
            for (int number = 0; number < many; number++)
            {
                queue.Enqueue(new Parcel().Fill(1, number, 1000));
            }
        }
        _log.PretendRestart(isDurable: false);
        using (var killed = Peer.StartToDie(_log.Site, ProtocolStep.RecoveryLogRead, 1, "produce"))
        {
            killed.WaitForDeath();
        }
        _log.Flip(In(2));
        using var opened = MappedQueue<Parcel>.Open(_log.Path);
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
        byte[] block = Site.Read(_log.SegmentAt(segment)).AsSpan(SegmentFormat.PageSize - 640, 16).ToArray();
        return (BitConverter.ToInt64(block), BitConverter.ToInt64(block, 8));
    }

    private static long In(int segment) => (segment * (long)LogFiles.SegmentSize) + SegmentFormat.PageSize + (100 * 120);

    public void Dispose() => _log.Dispose();
}
