using System.Buffers.Binary;
using BlitQueue.Log;
using BlitQueue.Tests.Processes;
using Xunit;

namespace BlitQueue.Tests.Queue;

/// <summary>Each cause that the corruption campaign found, made small.</summary>
public sealed class RepairCauseTests : IDisposable
{
    private const string Late = "late";
    private const int SegmentSize = 1 << 16, RecordSize = 512, PerSegment = 119;

    private readonly Site _site = new();

    [Fact]
    public void A_lost_page_of_participants_does_not_give_the_deads_leases_to_the_living()
    {
        using (MappedQueue<RawMessage> queue = Open())
        {
            Enqueue(queue, 10);
            Subscription<RawMessage> subscription = queue.Subscribe("default");
            Assert.True(subscription.TryReceive(out _) && subscription.TryReceive(out _));
        }
        _site.Overwrite(StoreFormat.ControlName, ControlFormat.ParticipantsOffset, new byte[4096]);
        Assert.Equal(10, ReadAll().Count);
    }

    [Fact]
    public void Queue_meta_is_made_anew_where_the_first_record_is_damaged_and_another_begins_a_page()
    {
        Fill(200);
        _site.Overwrite(Segment(0), SegmentFormat.PageSize + 20, [255]);
        File.Delete(_site.File(StoreFormat.MetaName));
        RecoveryReport report = MappedQueue.Repair(_site.Queue);
        Assert.Equal(Keys(1, 200), ReadAll());
        Assert.Contains(report.Findings, finding => finding.File == _site.File(Segment(0)) && finding.Offset == SegmentFormat.PageSize);
    }

    [Fact]
    public void Queue_meta_is_made_anew_by_what_most_files_say()
    {
        string strange = _site.Queue;
        Fill(PerSegment + 50);
        byte[] foreign = Site.Read(_site.File(Segment(1)));
        Directory.Delete(strange, recursive: true);
        Fill(PerSegment + 60);
        File.WriteAllBytes(_site.File(Segment(1)), foreign);
        File.Delete(_site.File(StoreFormat.MetaName));
        MappedQueue.Repair(_site.Queue);
        Assert.Equal(Keys(0, PerSegment), ReadAll());
    }

    [Fact]
    public void Queue_meta_is_not_made_anew_by_the_copy_of_another_queues_segment()
    {
        Fill(PerSegment + 50);
        byte[] foreign = Site.Read(_site.File(Segment(1)));
        Directory.Delete(_site.Queue, recursive: true);
        Fill(10);
        foreach (string segment in Directory.GetFiles(_site.Queue, StoreFormat.SegmentPrefix + "*"))
        {
            File.Delete(segment);
        }
        File.WriteAllBytes(_site.File(Segment(0)), foreign);
        File.Delete(_site.File(StoreFormat.MetaName));
        QueueCorruptException exception = Assert.Throws<QueueCorruptException>(() => MappedQueue.Repair(_site.Queue));
        Assert.Contains("no segment says what the queue is", exception.Message, StringComparison.Ordinal);
    }

    [Fact]
    public void Queue_meta_is_made_anew_where_the_one_segment_is_cut_and_the_other_has_a_damaged_id()
    {
        Fill(PerSegment + 50);
        using (FileStream file = File.OpenWrite(_site.File(Segment(0))))
        {
            file.SetLength(SegmentFormat.PageSize + (100 * RecordSize));
        }
        _site.Overwrite(Segment(1), SegmentFormat.IdOffset + 7, [99]);
        File.Delete(_site.File(StoreFormat.MetaName));
        MappedQueue.Repair(_site.Queue);
        // The first record of the segment behind may be the last piece of a message.
        Assert.Equal([.. Keys(0, 100), .. Keys(PerSegment, PerSegment + 50)], ReadAll());
    }

    [Fact]
    public void Queue_meta_is_made_anew_where_it_is_a_copy_of_another_queues()
    {
        using (MappedQueue<Note>.Open(_site.Queue, new QueueOptions { SegmentSize = SegmentSize }))
        {
        }
        byte[] foreign = Site.Read(_site.File(StoreFormat.MetaName));
        Directory.Delete(_site.Queue, recursive: true);
        Fill(10);
        File.WriteAllBytes(_site.File(StoreFormat.MetaName), foreign);
        RecoveryReport report = MappedQueue.Repair(_site.Queue);
        Assert.Equal(Keys(0, 10), ReadAll());
        Assert.Contains(report.Findings, finding => finding.File == _site.File(StoreFormat.MetaName));
    }

    // The log's last segment is missing, and the word that would say so is damaged with its neighbours.
    [Fact]
    public void A_control_file_whose_words_cannot_be_is_named_where_something_else_is_damaged_too()
    {
        Fill((2 * PerSegment) + 50);
        _site.Overwrite(Segment(1), SegmentFormat.PageSize + RecordSize + 3, [91]);
        File.Delete(_site.File(Segment(2)));
        _site.Overwrite(StoreFormat.ControlName, ControlFormat.TailOffset, [1, 2, 3, 4, 5, 6, 7, 8]);
        RecoveryReport report = MappedQueue.Repair(_site.Queue);
        Assert.Contains(report.Findings, finding => finding.File == _site.File(StoreFormat.ControlName));
        Assert.Equal((2 * PerSegment) - 1, ReadAll().Count);
    }

    [Fact]
    public void A_newer_format_is_left_as_it_is()
    {
        Fill(3);
        string meta = _site.File(StoreFormat.MetaName);
        File.WriteAllText(meta, File.ReadAllText(meta).Replace("BlitQueue 1", "BlitQueue 2", StringComparison.Ordinal));
        string before = File.ReadAllText(meta);
        Assert.Throws<QueueException>(() => MappedQueue.Repair(_site.Queue));
        Assert.Equal(before, File.ReadAllText(meta));
    }

    [Fact]
    public void A_segment_whose_header_is_damaged_counts_where_the_one_behind_it_is_missing()
    {
        Fill((2 * PerSegment) + 50);
        _site.Overwrite(Segment(0), 0, [91]);
        File.Delete(_site.File(Segment(1)));
        RecoveryReport report = MappedQueue.Repair(_site.Queue);
        Assert.Equal([.. Keys(0, PerSegment), .. Keys(2 * PerSegment, (2 * PerSegment) + 50)], ReadAll());
        Assert.Contains(report.Findings, finding => finding.File == _site.File(Segment(1)));
    }

    [Fact]
    public void Segments_that_all_have_a_wrong_length_count_by_their_records()
    {
        Fill(PerSegment + 50);
        foreach ((long index, int length) in ((long, int)[])[(0, SegmentFormat.PageSize + (10 * RecordSize)), (1, SegmentSize + 1000)])
        {
            using FileStream file = File.OpenWrite(_site.File(Segment(index)));
            file.SetLength(length);
        }
        _site.Overwrite(StoreFormat.ControlName, ControlFormat.BootOffset, new byte[ControlFormat.BootSize]);
        MappedQueue.Repair(_site.Queue);
        Assert.Equal([.. Keys(0, 10), .. Keys(PerSegment, PerSegment + 50)], ReadAll());
    }

    [Fact]
    public void Of_a_batch_whose_first_segment_is_lost_the_rest_is_there()
    {
        using (MappedQueue<RawMessage> queue = Open())
        {
            queue.EnqueueBatch([.. Enumerable.Range(0, PerSegment + 50).Select(Message)]);
        }
        File.Delete(_site.File(Segment(0)));
        RecoveryReport report = MappedQueue.Repair(_site.Queue);
        List<long> read = ReadAll();
        Assert.Equal(PerSegment + 49, read[^1]);
        Assert.InRange(read.Count, 48, 50);
        Assert.Contains(report.Findings, finding => finding.File == _site.File(Segment(0)));
    }

    [Fact]
    public void Of_a_batch_the_rest_is_there_where_nothing_but_the_control_file_says_that_it_was_published()
    {
        using (MappedQueue<RawMessage> queue = Open())
        {
            queue.EnqueueBatch([.. Enumerable.Range(0, (2 * PerSegment) + 50).Select(Message)]);
        }
        File.Delete(_site.File(Segment(1)));
        MappedQueue.Repair(_site.Queue);
        Assert.Equal((2 * PerSegment) + 49, ReadAll()[^1]);
    }

    [Theory]
    [InlineData(0)]
    [InlineData(2)]
    public void A_segment_that_is_missing_at_the_logs_beginning_or_end_is_named(int index)
    {
        Fill((2 * PerSegment) + 50);
        File.Delete(_site.File(Segment(index)));
        RecoveryReport report = MappedQueue.Repair(_site.Queue);
        Assert.Contains(report.Findings, finding => finding.File == _site.File(Segment(index)));
        Assert.Equal(index == 0 ? PerSegment : 0, ReadAll()[0]);
    }

    [Fact]
    public void A_file_with_the_last_name_that_a_segment_can_have_is_set_aside()
    {
        Fill(50);
        string strange = StoreFormat.SegmentName(long.MaxValue & -SegmentSize);
        File.Copy(_site.File(Segment(0)), _site.File(strange));
        RecoveryReport report = MappedQueue.Repair(_site.Queue);
        Assert.Contains(report.Findings, finding => finding.File == _site.File(strange));
        Assert.Equal(50, ReadAll().Count);
    }

    [Theory]
    [InlineData(9)]
    [InlineData(long.MaxValue / SegmentSize)]
    public void Where_no_segment_is_sound_the_control_file_tells_which_are_the_logs(long stray)
    {
        Fill(50);
        File.Copy(_site.File(Segment(0)), _site.File(Segment(stray)));
        File.WriteAllBytes(_site.File(Segment(0)), []);
        RecoveryReport report = MappedQueue.Repair(_site.Queue);
        Assert.Contains(report.Findings, finding => finding.File == _site.File(Segment(stray)));
        Assert.Equal(0, report.MessageCount);
        using (MappedQueue<RawMessage> queue = Open())
        {
            Enqueue(queue, 5);
        }
        Assert.Equal(Keys(0, 5), ReadAll());
    }

    [Fact]
    public void A_link_to_a_directory_is_set_aside_and_not_what_it_leads_to()
    {
        Fill(50);
        string elsewhere = Path.Combine(_site.Root, "elsewhere");
        Directory.CreateDirectory(elsewhere);
        File.WriteAllText(Path.Combine(elsewhere, "mine"), "");
        File.Delete(_site.File(StoreFormat.SubscriptionName("default")));
        Directory.CreateSymbolicLink(_site.File(StoreFormat.SubscriptionName("default")), elsewhere);
        MappedQueue.Repair(_site.Queue);
        Assert.True(File.Exists(Path.Combine(elsewhere, "mine")));
        Assert.Equal(50, ReadAll().Count);
    }

    [Fact]
    public void A_lease_behind_the_end_of_a_log_that_lost_its_newest_messages_is_freed()
    {
        using (MappedQueue<RawMessage> queue = Open())
        {
            Enqueue(queue, 10);
            Subscription<RawMessage> subscription = queue.Subscribe("default");
            for (int i = 0; i < 10; i++)
            {
                Assert.True(subscription.TryReceive(out _));
            }
        }
        _site.Overwrite(Segment(0), SegmentFormat.PageSize + (5 * RecordSize) + 20, [255]);
        _site.Overwrite(StoreFormat.ControlName, ControlFormat.BootOffset, new byte[ControlFormat.BootSize]);
        using MappedQueue<RawMessage> again = Open();
        var read = new List<long>();
        for (RawMessage? message = null; again.TryDequeue(ref message);)
        {
            read.Add(Key(message!));
        }
        Assert.Equal([.. Keys(0, 5), .. Keys(6, 10)], read);
        Assert.Contains(again.Recovered!.Findings, static finding => finding.What.Contains("lease", StringComparison.Ordinal));
    }

    [Fact]
    public void Dead_letters_are_checked_where_their_queue_is()
    {
        using (MappedQueue<RawMessage> queue = Open())
        {
            Enqueue(queue, 1);
            Assert.True(queue.Subscribe("default").TryReceive(out Lease<RawMessage> lease));
            lease.DeadLetter("for the test");
        }
        Assert.Contains(
            "checksum on", File.ReadAllText(Path.Combine(_site.File(StoreFormat.DeadLettersName("default")), StoreFormat.MetaName)),
            StringComparison.Ordinal);
    }

    /// <summary>Seed 7, trial 90685: where nothing else was damaged the repair that the exception advised left it as it was.</summary>
    [Fact]
    public void A_lease_that_names_no_message_is_freed_where_all_else_is_sound()
    {
        using (MappedQueue<RawMessage> queue = Open())
        {
            Enqueue(queue, 10);
            Assert.True(queue.Subscribe("default").TryReceive(out _));
        }
        MoveLease(by: 8);
        Assert.Throws<QueueCorruptException>(ReadAll);
        RecoveryReport report = MappedQueue.Repair(_site.Queue);
        Assert.Contains("names position 4104, where no message begins", Assert.Single(report.Findings).What, StringComparison.Ordinal);
        Assert.Equal(Keys(1, 10), ReadAll());
    }

    // That of the one cell which is in use.
    private void MoveLease(int by)
    {
        using FileStream file = File.Open(_site.File(StoreFormat.SubscriptionName("default")), FileMode.Open);
        Span<byte> word = stackalloc byte[sizeof(long)];
        for (int cell = 1; cell <= SubscriptionFormat.Cells; cell++)
        {
            file.Position = SubscriptionFormat.CellsOffset + (cell * SubscriptionFormat.CellSize);
            file.ReadExactly(word);
            long message = BinaryPrimitives.ReadInt64LittleEndian(word);
            if (SubscriptionFormat.State(message) != LeaseState.None)
            {
                BinaryPrimitives.WriteInt64LittleEndian(word, message + by);
                file.Position -= sizeof(long);
                file.Write(word);
            }
        }
    }

    private MappedQueue<RawMessage> Open()
        => MappedQueue<RawMessage>.Open(_site.Queue, new QueueOptions { SegmentSize = SegmentSize, UseChecksums = true });

    private void Fill(int count)
    {
        using MappedQueue<RawMessage> queue = Open();
        // Keeps all segments.
        queue.Subscribe(Late).Dispose();
        Enqueue(queue, count);
    }

    private static void Enqueue(MappedQueue<RawMessage> queue, int count)
    {
        for (int key = 0; key < count; key++)
        {
            queue.Enqueue(Message(key));
        }
    }

    private static RawMessage Message(int key)
    {
        byte[] bytes = new byte[RecordSize - RecordFormat.HeaderSize];
        bytes.AsSpan().Fill((byte)key);
        BinaryPrimitives.WriteInt64LittleEndian(bytes, key);
        return new RawMessage(bytes);
    }

    private static long Key(RawMessage message)
    {
        long key = BinaryPrimitives.ReadInt64LittleEndian(message.Bytes);
        Assert.Equal(Message((int)key).Bytes, message.Bytes);
        return key;
    }

    private static List<long> Keys(int from, int to) => [.. Enumerable.Range(from, to - from).Select(static key => (long)key)];

    private static string Segment(long index) => StoreFormat.SegmentName(index * SegmentSize);

    private List<long> ReadAll()
    {
        using MappedQueue<RawMessage> queue = Open();
        var read = new List<long>();
        for (int empty = 0; empty < 3;)
        {
            // Leases of the dead are looked for once in a millisecond.
            RawMessage? message = null;
            if (queue.TryDequeue(ref message))
            {
                read.Add(Key(message!));
            }
            else
            {
                empty++;
                Thread.Sleep(2);
            }
        }
        return read;
    }

    public void Dispose() => _site.Dispose();
}
