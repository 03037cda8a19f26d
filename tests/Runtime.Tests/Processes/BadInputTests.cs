using BlitQueue.Log;
using Xunit;

namespace BlitQueue.Tests.Processes;

/// <summary>What stands in the way of a queue: each refusal names the path, what was found and what to do.</summary>
[Collection(ProcessCollection.Name)]
public sealed class BadInputTests : IDisposable
{
    private readonly Site _site = new();

    [Fact]
    public void A_path_that_is_a_file_is_refused()
    {
        File.WriteAllText(_site.Queue, "mine");
        Refused<QueueException>(_site.Queue, "is a file", "give a path");
        Assert.Equal("mine", File.ReadAllText(_site.Queue));
    }

    [Fact]
    public void A_path_below_a_file_is_refused()
    {
        File.WriteAllText(_site.Queue, "mine");
        QueueException refused = Assert.ThrowsAny<QueueException>(() => MappedQueue<Parcel>.Open(Path.Combine(_site.Queue, "below")));
        Assert.Contains(_site.Queue, refused.Message, StringComparison.Ordinal);
    }

    [Fact]
    public void A_directory_with_foreign_files_is_refused_and_left_alone()
    {
        Directory.CreateDirectory(_site.Queue);
        File.WriteAllText(_site.File("photo.jpg"), "mine");
        Refused<QueueException>(_site.Queue, "photo.jpg", "Give the path");
        Assert.Equal(["photo.jpg"], _site.Files());
    }

    // The system would end the process.
    [Fact]
    public void A_segment_that_is_longer_than_the_process_may_make_files_is_a_full_disk_and_leaves_nothing()
    {
        if (!OperatingSystem.IsLinux())
        {
            return;
        }
        using var peer = Peer.StartLimited(_site, bytes: 60_000_000, "produce", "segment=67108864", "count=1");
        peer.WaitForExit();
        Assert.StartsWith("QueueFullException: ", peer.Said, StringComparison.Ordinal);
        Assert.Contains("ulimit -f", peer.Said, StringComparison.Ordinal);
        Assert.False(Directory.Exists(_site.Queue));
    }

    [Fact]
    public void A_directory_without_rights_is_refused_to_another_user()
    {
        if (!OperatingSystem.IsLinux() || Environment.UserName != "root")
        {
            return;
        }
        MakeQueue();
        Open(_site.Root);
        string said = Peer.RunAsNobody(_site, "produce");
        Assert.StartsWith("QueueException: ", said, StringComparison.Ordinal);
        Assert.Contains(_site.Queue, said, StringComparison.Ordinal);
        Assert.Contains("no right", said, StringComparison.Ordinal);
        Assert.Contains("Give the user rights", said, StringComparison.Ordinal);
    }

    [Fact]
    public void A_directory_that_lets_nobody_make_a_queue_is_refused_to_another_user()
    {
        if (!OperatingSystem.IsLinux() || Environment.UserName != "root")
        {
            return;
        }
        Open(_site.Root);
        string said = Peer.RunAsNobody(_site, "produce");
        Assert.StartsWith("QueueException: ", said, StringComparison.Ordinal);
        Assert.Contains(_site.Queue, said, StringComparison.Ordinal);
        Assert.Contains("Give the user rights", said, StringComparison.Ordinal);
        Assert.False(Directory.Exists(_site.Queue));
    }

    [Fact]
    public void Another_segment_size_is_refused_with_both_sizes()
    {
        MakeQueue();
        ArgumentException refused = Assert.Throws<ArgumentException>(
            () => MappedQueue<Parcel>.Open(_site.Queue, new QueueOptions { SegmentSize = 1 << 20 }));
        Assert.Contains(_site.Queue, refused.Message, StringComparison.Ordinal);
        Assert.Contains("65536", refused.Message, StringComparison.Ordinal);
        Assert.Contains("1048576", refused.Message, StringComparison.Ordinal);
    }

    [Fact]
    public void A_newer_format_version_is_refused()
    {
        MakeQueue();
        string meta = _site.File(StoreFormat.MetaName);
        File.WriteAllText(meta, File.ReadAllText(meta).Replace("BlitQueue 1\n", "BlitQueue 7\n", StringComparison.Ordinal));
        Refused<QueueException>(meta, "version 7", "Update BlitQueue");
    }

    [Fact]
    public void Another_message_type_is_refused_member_by_member()
    {
        MakeQueue();
        SchemaMismatchException refused = Assert.Throws<SchemaMismatchException>(() => MappedQueue<Letter>.Open(_site.Queue));
        Assert.Contains(_site.Queue, refused.Message, StringComparison.Ordinal);
        foreach (string member in (string[])["Producer", "Number", "Body", "Text"])
        {
            Assert.Contains(member, refused.Message, StringComparison.Ordinal);
        }
    }

    [Theory]
    [InlineData(StoreFormat.MetaName)]
    [InlineData(StoreFormat.ControlName)]
    [InlineData("subscription-default")]
    [InlineData("segment-0000000000000000")]
    public void A_truncated_file_is_named(string name)
    {
        MakeQueue();
        using (FileStream file = File.Open(_site.File(name), FileMode.Open))
        {
            file.SetLength(file.Length / 2);
        }
        Corrupt(name);
    }

    [Theory]
    [InlineData(StoreFormat.MetaName, 70)]
    [InlineData(StoreFormat.ControlName, ControlFormat.MagicOffset)]
    [InlineData(StoreFormat.ControlName, ControlFormat.IdOffset)]
    [InlineData(StoreFormat.ControlName, ControlFormat.TailOffset)]
    [InlineData(StoreFormat.ControlName, ControlFormat.TailOffset + 5)]
    [InlineData(StoreFormat.ControlName, ControlFormat.AllocatedEndOffset + 7)]
    [InlineData(StoreFormat.ControlName, ControlFormat.FirstRetainedOffset + 2)]
    [InlineData("subscription-default", SubscriptionFormat.MagicOffset)]
    [InlineData("subscription-default", SubscriptionFormat.IdOffset + 3)]
    [InlineData("segment-0000000000000000", SegmentFormat.MagicOffset)]
    [InlineData("segment-0000000000000000", SegmentFormat.IdOffset)]
    [InlineData("segment-0000000000000000", SegmentFormat.BaseOffset)]
    [InlineData("segment-0000000000000000", SegmentFormat.SizeOffset)]
    public void A_damaged_file_is_named(string name, int offset)
    {
        MakeQueue();
        Flip(name, offset);
        Corrupt(name);
    }

    [Fact]
    public void A_missing_segment_is_named()
    {
        MakeQueue();
        File.Delete(_site.File("segment-0000000000000000"));
        Corrupt("segment-0000000000000000");
    }

    [Fact]
    public void A_flipped_byte_of_a_message_is_found_and_can_be_stepped_over()
    {
        MakeQueue();
        Flip("segment-0000000000000000", SegmentFormat.PageSize + 60);
        using var queue = MappedQueue<Parcel>.Open(_site.Queue);
        Parcel? parcel = null;
        for (int i = 0; i < 2; i++)
        {
            QueueCorruptException corrupt = Assert.Throws<QueueCorruptException>(() => queue.TryDequeue(ref parcel));
            Assert.Equal(_site.File("segment-0000000000000000"), corrupt.Path);
            Assert.Equal(SegmentFormat.PageSize, corrupt.Offset);
            Assert.Contains("SkipCorrupt", corrupt.Message, StringComparison.Ordinal);
        }
        Assert.True(queue.SkipCorrupt());
        Assert.False(queue.SkipCorrupt());
        Assert.True(queue.TryDequeue(ref parcel));
        Assert.True(parcel!.Number == 1 && parcel.IsIntact());
    }

    // Whatever a byte of the log is: the messages that come out are those that went in, and nothing but the one exception is thrown.
    [Fact]
    public void No_damage_of_the_log_gets_a_wrong_message_out()
    {
        MakeQueue();
        string path = _site.File("segment-0000000000000000");
        string subscription = _site.File("subscription-default");
        byte[] log = Site.Read(path), position = Site.Read(subscription);
        var random = new Random(7);
        for (int round = 0; round < 200; round++)
        {
            byte[] damaged = [.. log];
            // Headers are what leads astray: every second round hits one of the first records' heads or the words behind.
            int offset = SegmentFormat.PageSize + (round % 2 == 0 ? random.Next(24) : random.Next(6000));
            damaged[offset] = (byte)random.Next(256);
            File.WriteAllBytes(path, damaged);
            File.WriteAllBytes(subscription, position);
            ReadAll(log[offset] == damaged[offset]);
        }
    }

    // Lengths and kinds that fit a position are the dangerous ones, so they are tried at the segment's very end too.
    [Fact]
    public void No_header_at_a_segments_end_leads_out_of_it()
    {
        MakeQueue();
        string path = _site.File("segment-0000000000000000");
        string subscription = _site.File("subscription-default");
        byte[] log = Site.Read(path), position = Site.Read(subscription);
        for (int kind = 0; kind < 16; kind++)
        {
            foreach (int length in (int[])[0, 1, 8, 9, 64, 0xFFF_FFFF])
            {
                foreach (int fromEnd in (int[])[8, 16, 24])
                {
                    File.WriteAllBytes(path, log);
                    File.WriteAllBytes(subscription, position);
                    using var queue = MappedQueue<Parcel>.Open(_site.Queue);
                    // While it is open, or the opening would mend it.
                    int offset = log.Length - fromEnd;
                    _site.Overwrite(
                        Path.GetFileName(path), offset, BitConverter.GetBytes(RecordFormat.Header((RecordKind)kind, length, 0x1234_5678)));
                    _site.Overwrite(
                        Path.GetFileName(subscription), SubscriptionFormat.NextOffset,
                        BitConverter.GetBytes(SubscriptionFormat.NextWord(offset, 0)));
                    Parcel? parcel = null;
                    if (kind == 0 && length == 0)
                    {
                        continue;
                    }
                    Assert.Throws<QueueCorruptException>(() => queue.TryDequeue(ref parcel));
                    try
                    {
                        queue.SkipCorrupt();
                    }
                    catch (QueueCorruptException)
                    {
                        // The damage hides where the next message starts.
                    }
                }
            }
        }
    }

    private void ReadAll(bool undamaged)
    {
        using var queue = MappedQueue<Parcel>.Open(_site.Queue);
        Parcel? parcel = null;
        long last = -1;
        try
        {
            for (; ; )
            {
                try
                {
                    if (!queue.TryDequeue(ref parcel))
                    {
                        break;
                    }
                    Assert.True(parcel!.IsIntact() && parcel.Number > last, $"{parcel.Number} after {last}");
                    last = parcel.Number;
                }
                catch (QueueCorruptException) when (!undamaged)
                {
                    queue.SkipCorrupt();
                }
            }
        }
        catch (QueueCorruptException) when (!undamaged)
        {
            // The damage hides where the next message starts.
        }
    }

    private void MakeQueue()
    {
        using var queue = MappedQueue<Parcel>.Open(_site.Queue, new QueueOptions { SegmentSize = 1 << 16, UseChecksums = true });
        for (int number = 0; number < 20; number++)
        {
            queue.Enqueue(new Parcel().Fill(1, number, 200));
        }
    }

    private void Refused<TException>(params string[] parts) where TException : Exception
    {
        TException refused = Assert.Throws<TException>(() => MappedQueue<Parcel>.Open(_site.Queue));
        Assert.All(parts, part => Assert.Contains(part, refused.Message, StringComparison.Ordinal));
    }

    // At Open or at the first use of the file.
    private void Corrupt(string name)
    {
        QueueCorruptException corrupt = Assert.Throws<QueueCorruptException>(() =>
        {
            using var queue = MappedQueue<Parcel>.Open(_site.Queue);
            Parcel? parcel = null;
            while (queue.TryDequeue(ref parcel))
            {
            }
            queue.Enqueue(new Parcel().Fill(1, 100, 100));
        });
        Assert.StartsWith(_site.File(name), corrupt.Path, StringComparison.Ordinal);
        Assert.Contains($"{corrupt.Path} at offset {corrupt.Offset}: ", corrupt.Message, StringComparison.Ordinal);
        Assert.True(
            corrupt.Message.Contains("Repair", StringComparison.Ordinal) || corrupt.Message.Contains("elete", StringComparison.Ordinal),
            $"It does not say what to do: {corrupt.Message}");
    }

    private void Flip(string name, int offset)
    {
        using FileStream file = File.Open(_site.File(name), FileMode.Open);
        file.Position = offset;
        int value = file.ReadByte();
        file.Position = offset;
        file.WriteByte((byte)(value ^ 0x15));
    }

    // Other users may pass through, and do nothing else.
    private static void Open(string directory)
    {
        if (!OperatingSystem.IsWindows())
        {
            File.SetUnixFileMode(directory, File.GetUnixFileMode(directory) | UnixFileMode.GroupExecute | UnixFileMode.OtherExecute);
        }
    }

    public void Dispose() => _site.Dispose();
}
