using BlitQueue.Log;
using BlitQueue.Tests.Queue;
using Xunit;

namespace BlitQueue.Tests.Processes;

/// <summary>
/// Copies of a queue's files, opened on the same system without a restart: files of different moments, which the one recovery makes fit
/// each other. Nothing that is enqueued into a copy is passed over.
/// </summary>
[Collection(ProcessCollection.Name)]
public sealed class CopyTests : QueueFixture
{
    private const int Fresh = 1000;

    private string Copy => Path.Combine(Site.Root, "copy");

    [Theory]
    [InlineData(1)]
    [InlineData(300)]
    public void A_copy_whose_subscription_is_in_front_of_its_log_skips_nothing(int later)
    {
        using (MappedQueue<Note> queue = Filled(10))
        {
            CopyFiles(StoreFormat.MetaName, StoreFormat.LockName, StoreFormat.ControlName, StoreFormat.SegmentName(0));
            for (int id = 10; id < 10 + later; id++)
            {
                queue.Enqueue(Of(id, 900));
            }
            Assert.Equal(10 + later, Drain(queue).Length);
            CopyFiles(StoreFormat.SubscriptionName("default"));
        }
        AssertGoesOn(Copy, []);
    }

    // It is not filled like a file with holes: it might be of any length, or lead anywhere.
    [Fact]
    public void A_copy_with_a_link_for_a_subscription_is_repaired_as_an_original_is()
    {
        Filled(10).Dispose();
        Site.Copy(Site.Queue, Copy);
        string subscription = Path.Combine(Copy, StoreFormat.SubscriptionName("other")), elsewhere = Path.Combine(Site.Root, "elsewhere");
        File.WriteAllText(elsewhere, "no subscription");
        File.CreateSymbolicLink(subscription, elsewhere);
        MappedQueue.Repair(Copy);
        using (var copy = MappedQueue<Note>.Open(Copy))
        {
            Assert.Equal(10, Drain(copy).Length);
        }
        Assert.Equal("no subscription", File.ReadAllText(elsewhere));
    }

    [Fact]
    public void A_copy_whose_log_is_older_than_its_words_says_what_is_missing()
    {
        using (MappedQueue<Note> queue = Filled(10))
        {
            CopyFiles(StoreFormat.MetaName, StoreFormat.LockName, StoreFormat.SegmentName(0));
            queue.EnqueueBatch([.. Enumerable.Range(10, 20).Select(static id => Of(id))]);
            queue.Flush();
            CopyFiles(StoreFormat.ControlName, StoreFormat.SubscriptionName("default"));
        }
        using (var copy = MappedQueue<Note>.Open(Copy))
        {
            Assert.Contains(
                copy.Recovered!.Findings, static finding => finding.What.Contains("the log had reached", StringComparison.Ordinal));
            Note? note = null;
            for (int id = 0; id < 10; id++)
            {
                Assert.True(copy.TryDequeue(ref note) && note!.Id == id);
            }
            Assert.Throws<QueueCorruptException>(() => copy.TryDequeue(ref note));
            copy.SkipCorrupt();
        }
        AssertGoesOn(Copy, []);
    }

    [Fact]
    public void In_a_copy_a_lease_whose_page_is_older_than_the_position_is_delivered_again()
    {
        using (MappedQueue<Note> queue = Filled(5))
        using (Subscription<Note> subscription = queue.Subscribe("default"))
        {
            byte[] image = Site.Read(Site.File(StoreFormat.SubscriptionName("default")));
            using Lease<Note> lease = Receive(subscription, 0, 1);
            CopyFiles(StoreFormat.MetaName, StoreFormat.LockName, StoreFormat.ControlName, StoreFormat.SegmentName(0));
            // An image of a disk that is written to: the page with the position is newer than the one with the lease.
            Site.Read(Site.File(StoreFormat.SubscriptionName("default"))).AsSpan(0, SubscriptionFormat.CellsOffset).CopyTo(image);
            File.WriteAllBytes(Path.Combine(Copy, StoreFormat.SubscriptionName("default")), image);
        }
        AssertGoesOn(Copy, [0, 1, 2, 3, 4]);
    }

    [Fact]
    public void Opening_a_copy_that_is_killed_is_repeated()
    {
        using (var queue = MappedQueue<Parcel>.Open(Site.Queue, new QueueOptions { SegmentSize = 1 << 16 }))
        {
            queue.Enqueue(new Parcel().Fill(1, 0, 10));
            CopyFiles(StoreFormat.MetaName, StoreFormat.LockName, StoreFormat.ControlName, StoreFormat.SegmentName(0));
            queue.Enqueue(new Parcel().Fill(1, 1, 10));
            Parcel? parcel = null;
            Assert.True(queue.TryDequeue(ref parcel) && queue.TryDequeue(ref parcel));
            CopyFiles(StoreFormat.SubscriptionName("default"));
        }
        Directory.Delete(Site.Queue, recursive: true);
        Directory.Move(Copy, Site.Queue);
        using (var opener = Peer.StartToDie(Site, ProtocolStep.CopyDistrusted, 1, "produce", "count=1"))
        {
            opener.WaitForDeath();
        }
        using var copy = MappedQueue<Parcel>.Open(Site.Queue);
        copy.Enqueue(new Parcel().Fill(2, 7, 10));
        Parcel? next = null;
        Assert.True(copy.TryDequeue(ref next) && next!.Producer == 2 && next.IsIntact());
    }

    [Fact]
    public void A_queue_that_was_moved_is_as_it_was_left_and_one_that_was_copied_after_its_end_misses_nothing()
    {
        using (MappedQueue<Note> queue = Filled(10))
        using (Subscription<Note> subscription = queue.Subscribe("default"))
        {
            using (Lease<Note> lease = Receive(subscription, 0, 1))
            {
                lease.Commit();
            }
            Receive(subscription, 1, 1).Dispose();
        }
        string moved = Path.Combine(Site.Root, "moved");
        CopyFiles([.. Directory.GetFiles(Site.Queue).Select(static path => Path.GetFileName(path)!)]);
        Directory.Move(Site.Queue, moved);
        long tail = TailOf(moved);
        using (var queue = MappedQueue<Note>.Open(moved))
        {
            Assert.Null(queue.Recovered);
        }
        // A recovery has the log go on elsewhere.
        Assert.Equal(tail, TailOf(moved));
        AssertGoesOn(moved, [.. Enumerable.Range(1, 9)]);
        AssertGoesOn(Copy, [.. Enumerable.Range(1, 9)]);
    }

    /// <summary>In memory no position needs the disk; a copy needs to know all the same up to where the leases are right.</summary>
    [Fact]
    public void A_copy_of_a_queue_in_memory_whose_segments_went_with_their_leases_has_no_hole()
    {
        using var memory = new Site(inMemory: true);
        using var queue = MappedQueue<Note>.Open(memory.Queue, new QueueOptions { SegmentSize = 1 << 16, Capacity = 1 << 18 });
        using Subscription<Note> subscription = queue.Subscribe("default");
        for (int id = 0; id < 1000; id++)
        {
            queue.Enqueue(Of(id, 900));
            using Lease<Note> lease = Receive(subscription, id, 1);
            lease.Commit();
        }
        queue.Enqueue(Of(1000, 900));
        Directory.CreateDirectory(Copy);
        foreach (string file in Directory.GetFiles(memory.Queue))
        {
            CopyUnlessGone(file, Path.Combine(Copy, Path.GetFileName(file)));
        }
        using var copy = MappedQueue<Note>.Open(Copy);
        Assert.Null(copy.Recovered?.Findings.FirstOrDefault());
        long[] ids = Drain(copy);
        Assert.Equal(Enumerable.Range((int)ids[0], ids.Length).Select(static id => (long)id), ids);
        Assert.Equal(1000, ids[^1]);
    }

    // The queue deletes segments that are read while their files are copied.
    private static void CopyUnlessGone(string file, string copy)
    {
        try
        {
            File.Copy(file, copy);
        }
        catch (FileNotFoundException)
        {
        }
    }

    // It has the inodes of the original, and as a rule the number that the device of the original had.
    [BtrfsFact]
    public void A_snapshot_that_is_mounted_over_the_original_is_a_copy()
    {
        using var disk = new BtrfsDisk(Site.Root);
        string path = Path.Combine(disk.MountPoint, "queue");
        using (var queue = MappedQueue<Note>.Open(path, new QueueOptions { SegmentSize = 1 << 16 }))
        {
            queue.Enqueue(Of(1));
        }
        long tail = TailOf(path);
        MappedQueue<Note>.Open(path).Dispose();
        Assert.Equal(tail, TailOf(path));
        disk.GoOnInSnapshot();
        MappedQueue<Note>.Open(path).Dispose();
        Assert.NotEqual(tail, TailOf(path));
        AssertGoesOn(path, [1]);
    }

    [Fact]
    public void Original_and_copy_are_two_queues()
    {
        using MappedQueue<Note> queue = Filled(10);
        CopyFiles([.. Directory.GetFiles(Site.Queue).Select(static path => Path.GetFileName(path)!)]);
        AssertGoesOn(Copy, [.. Enumerable.Range(0, 10)]);
        queue.Enqueue(Of(10));
        Assert.Equal(Enumerable.Range(0, 11).Select(static id => (long)id), Drain(queue));
    }

    [Fact]
    public void A_queue_in_use_over_whose_files_others_were_copied_is_not_joined()
    {
        using MappedQueue<Note> queue = Filled(10);
        string subscription = Site.File(StoreFormat.SubscriptionName("default")), control = Site.File(StoreFormat.ControlName);
        byte[] before = Site.Read(subscription);
        Site.Overwrite(
            Path.GetFileName(subscription), SubscriptionFormat.NextOffset, BitConverter.GetBytes(SubscriptionFormat.NextWord(1 << 15, 0)));
        QueueCorruptException wrong = Assert.Throws<QueueCorruptException>(() => Open());
        Assert.Contains(subscription, wrong.Message, StringComparison.Ordinal);
        Assert.Contains("in front of the log's end", wrong.Message, StringComparison.Ordinal);
        Site.Overwrite(Path.GetFileName(subscription), 0, before);
        Open().Dispose();
        File.Copy(control, control + ".other");
        File.Move(control + ".other", control, overwrite: true);
        Assert.Contains(control, Assert.Throws<QueueCorruptException>(() => Open()).Message, StringComparison.Ordinal);
        Assert.Equal(10, Drain(queue).Length);
    }

    [Fact]
    public void A_subscription_that_stands_where_it_cannot_is_told_where_nothing_else_was_changed()
    {
        Filled(10).Dispose();
        Site.Overwrite(
            StoreFormat.SubscriptionName("default"), SubscriptionFormat.NextOffset,
            BitConverter.GetBytes(SubscriptionFormat.NextWord(1 << 15, 0)));
        using (MappedQueue<Note> queue = Open())
        {
            Assert.Contains(
                queue.Recovered!.Findings, static finding => finding.What.Contains("in front of the log's end", StringComparison.Ordinal));
        }
        AssertGoesOn(Site.Queue, [.. Enumerable.Range(0, 10)]);
    }

    [Fact]
    public void A_queue_of_an_older_version_that_tells_no_identity_is_joined_and_recovered_once()
    {
        using (MappedQueue<Note> queue = Filled(10))
        {
            Site.Overwrite(StoreFormat.ControlName, ControlFormat.IdentityOffset, new byte[ControlFormat.IdentitySize]);
            Open().Dispose();
        }
        long tail = TailOf(Site.Queue);
        Open().Dispose();
        long recovered = TailOf(Site.Queue);
        Assert.NotEqual(tail, recovered);
        Open().Dispose();
        Assert.Equal(recovered, TailOf(Site.Queue));
        AssertGoesOn(Site.Queue, [.. Enumerable.Range(0, 10)]);
    }

    private static long TailOf(string queue)
        => BitConverter.ToInt64(Site.Read(Path.Combine(queue, StoreFormat.ControlName)), ControlFormat.TailOffset);

    // Everything that is expected, in order, and then everything that is enqueued now.
    private static void AssertGoesOn(string path, int[] expected)
    {
        using var queue = MappedQueue<Note>.Open(path);
        for (int id = Fresh; id < Fresh + 100; id++)
        {
            queue.Enqueue(Of(id));
        }
        Assert.Equal([.. expected, .. Enumerable.Range(Fresh, 100)], Drain(queue).Select(static id => (int)id));
    }

    private void CopyFiles(params string[] names)
    {
        Directory.CreateDirectory(Copy);
        foreach (string name in names)
        {
            File.Copy(Site.File(name), Path.Combine(Copy, name));
        }
    }
}
