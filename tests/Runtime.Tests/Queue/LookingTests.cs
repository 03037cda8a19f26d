using System.Text.RegularExpressions;
using BlitQueue.Log;
using BlitQueue.Memory;
using Xunit;

namespace BlitQueue.Tests.Queue;

/// <summary>What there is and how it stands, without a message type; and what people read of it.</summary>
public sealed class LookingTests : QueueFixture
{
    [Fact]
    public void A_queue_is_there_from_its_making_to_its_deletion()
    {
        Assert.False(MappedQueue.Exists(Site.Queue));
        Assert.False(MappedQueue.Delete(Site.Queue));
        Assert.False(Directory.Exists(Site.Queue));
        using (MappedQueue<Note> queue = Filled(3))
        {
            using Subscription<Note> subscription = queue.Subscribe("default");
            subscription.Receive().DeadLetter("bad");
            Assert.True(MappedQueue.Exists(Site.Queue));
            QueueException open = Assert.Throws<QueueException>(() => MappedQueue.Delete(Site.Queue));
            Assert.Equal((QueueError.InUse, Site.Queue), (open.Reason, open.Path));
            Assert.Equal([1, 2], Drain(queue));
        }
        Assert.True(MappedQueue.Delete(Site.Queue));
        Assert.False(MappedQueue.Exists(Site.Queue));
        Assert.Empty(Directory.EnumerateFileSystemEntries(Site.Root, "queue*"));
        Assert.False(MappedQueue.Delete(Site.Queue));
    }

    // As segments are, of which many pass in the time of one look.
    [Fact]
    public async Task A_file_that_is_deleted_between_its_name_and_its_length_is_not_counted()
    {
        using MappedQueue<Note> queue = Filled(1);
        using var look = QueueLook.Open(Site.Queue);
        string passing = Path.Combine(Site.Queue, "passing");
        using var stop = new CancellationTokenSource();
        var other = Task.Run(() =>
        {
            while (!stop.IsCancellationRequested)
            {
                File.WriteAllText(passing, "");
                File.Delete(passing);
            }
        });
        long least = look.GetDetails().FileBytes;
        for (int round = 0; round < 2000; round++)
        {
            Assert.True(look.GetDetails().FileBytes >= least);
        }
        await stop.CancelAsync();
        await other;
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public void A_handle_that_is_being_disposed_is_waited_for(bool isDeleted)
    {
        MappedQueue<Note> queue = Filled(3);
        using var isInside = new ManualResetEventSlim();
        // As a thread of the library that gets no processor: it is inside of the handle longer than a handle of another process may be.
        var inside = new Thread(() =>
        {
            using CallGate.Call call = queue.Store.Gate.Enter();
            isInside.Set();
            Thread.Sleep(3 * Participant.LongestClosing);
        });
        inside.Start();
        isInside.Wait();
        queue.Dispose();
        if (isDeleted)
        {
            Assert.True(MappedQueue.Delete(Site.Queue));
        }
        else
        {
            MappedQueue.Repair(Site.Queue);
        }
        inside.Join();
    }

    [Fact]
    public void Directories_that_the_user_may_not_read_are_passed_over()
    {
        if (!OperatingSystem.IsLinux() || !Environment.IsPrivilegedProcess)
        {
            return;
        }
        const UnixFileMode open = (UnixFileMode)0b111_101_101;
        string root = Directory.CreateDirectory(Site.Queue, open).FullName;
        Directory.CreateDirectory(root + "/closed", UnixFileMode.UserRead | UnixFileMode.UserWrite | UnixFileMode.UserExecute);
        File.SetUnixFileMode(Site.Root, open);
        MappedQueue<Note>.Open(root + "/orders").Dispose();
        File.SetUnixFileMode(root + "/orders", open);
        MappedQueue<Note>.Open(root + "/closed/orders").Dispose();
        Assert.Equal($"listed {root}/orders\n", Processes.Peer.RunAsNobody(Site, "list"));
        File.SetUnixFileMode(root, UnixFileMode.UserRead | UnixFileMode.UserWrite | UnixFileMode.UserExecute);
        Assert.Contains("no right", Processes.Peer.RunAsNobody(Site, "list"), StringComparison.Ordinal);
    }

    // What a deletion leaves that is killed before, or after, it has removed the file that makes it a queue.
    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public void What_a_killed_deletion_leaves_is_no_queue_and_goes_with_the_next(bool isMetaThere)
    {
        string root = Site.Root + "/store", path = OrdersIn(root), left = $"{path}.deleted-{Guid.NewGuid():N}";
        Directory.Move(path, left);
        if (!isMetaThere)
        {
            File.Delete(Path.Combine(left, "queue.meta"));
        }
        AssertNoQueueIn(root);
        Assert.False(MappedQueue.Delete(path));
        Assert.False(Directory.Exists(left));
    }

    // As above, on Windows, which renames no directory in use.
    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public void What_a_killed_deletion_leaves_where_the_queue_stood_is_no_queue_and_goes_with_the_next_call(bool isOpened)
    {
        string root = Site.Root + "/store", path = OrdersIn(root);
        File.Move(Path.Combine(path, "queue.meta"), Path.Combine(path, "queue.deleted"));
        AssertNoQueueIn(root);
        Assert.Throws<QueueException>(() => MappedQueue.Repair(path));
        if (!isOpened)
        {
            Assert.False(MappedQueue.Delete(path));
            Assert.False(Directory.Exists(path));
            return;
        }
        using var queue = MappedQueue<Note>.Open(path);
        Assert.Empty(Drain(queue));
        Assert.Empty(Directory.GetDirectories(path));
        Assert.False(File.Exists(Path.Combine(path, "queue.deleted")));
    }

    [Fact]
    public void Beside_a_queue_the_mark_of_a_deletion_deletes_nothing()
    {
        Filled(3).Dispose();
        File.WriteAllText(Path.Combine(Site.Queue, "queue.deleted"), "of a queue that stood here before");
        using (var queue = MappedQueue<Note>.Open(Site.Queue))
        {
            Assert.Equal([0, 1, 2], Drain(queue));
            queue.Enqueue(Of(3));
        }
        // Nor later, when the file is lost that made it mean nothing.
        File.Delete(Path.Combine(Site.Queue, "queue.meta"));
        Assert.Throws<QueueCorruptException>(() => MappedQueue<Note>.Open(Site.Queue));
        Assert.NotEmpty(Directory.GetFiles(Site.Queue, "segment-*"));
    }

    // Windows deletes no file that the reader has mapped: such a file gets another name.
    [Fact]
    public void A_reader_keeps_no_queue_from_being_deleted_and_made_anew()
    {
        Filled(3).Dispose();
        using var reader = QueueReader<Note>.Open(Site.Queue);
        Note? note = null;
        Assert.True(reader.TryRead(ref note));
        Assert.True(MappedQueue.Delete(Site.Queue));
        Assert.False(MappedQueue.Exists(Site.Queue));
        Assert.False(MappedQueue.Delete(Site.Queue));
        using var queue = MappedQueue<Note>.Open(Site.Queue);
        Assert.Empty(Drain(queue));
    }

    // Without the lock an opening may have looked at several queues that others made and deleted there.
    [Fact]
    public void A_queue_is_called_damaged_under_its_lock_alone()
    {
        Filled(3).Dispose();
        File.Delete(Path.Combine(Site.Queue, "queue.meta"));
        File.Delete(Path.Combine(Site.Queue, "queue.lock"));
        Assert.False(QueueDirectory.Prepare(Site.Queue, fileMode: null).Made);
        Assert.Throws<QueueCorruptException>(() => MappedQueue<Note>.Open(Site.Queue));
    }

    private static string OrdersIn(string root)
    {
        using var store = MappedStore.Open(root);
        using MappedQueue<Note> queue = store.OpenQueue<Note>("orders");
        queue.Enqueue(Of(1));
        using Subscription<Note> subscription = queue.Subscribe("default");
        subscription.Receive().DeadLetter("bad");
        queue.Enqueue(Of(2));
        return Path.Combine(root, "orders");
    }

    private void AssertNoQueueIn(string root)
    {
        Assert.Empty(MappedQueue.List(root));
        Assert.True(MappedQueue.Verify(root).IsSound);
        MappedQueue.Backup(root, Site.Root + "/copy");
        Assert.Empty(Directory.EnumerateDirectories(Site.Root + "/copy", "orders*"));
    }

    [Fact]
    public void What_is_not_the_queue_s_is_not_deleted()
    {
        Filled(1).Dispose();
        string note = Path.Combine(Site.Queue, "notes.txt");
        File.WriteAllText(note, "mine");
        Assert.Contains("notes.txt", Assert.Throws<QueueException>(() => MappedQueue.Delete(Site.Queue)).Message, StringComparison.Ordinal);
        File.Delete(note);
        string link = Path.Combine(Site.Root, "link");
        Directory.CreateSymbolicLink(link, Site.Queue);
        Assert.Contains(Site.Queue, Assert.Throws<QueueException>(() => MappedQueue.Delete(link)).Message, StringComparison.Ordinal);
        Assert.Equal([0], Drain(Open()));
    }

    [Fact]
    public void The_status_is_that_of_a_handle_with_the_type()
    {
        using MappedQueue<Note> queue = Filled(5);
        using Subscription<Note> billing = queue.Subscribe("billing");
        billing.Receive().DeadLetter("bad");
        using Lease<Note> leased = billing.Receive();
        QueueStatus typed = queue.GetStatus(), status = MappedQueue.GetStatus(Site.Queue);
        Assert.Equal(
            (typed.Path, typed.MessageCount, typed.Bytes, typed.Next),
            (status.Path, status.MessageCount, status.Bytes, status.Next));
        Assert.Equal(
            typed.Subscriptions.Select(static one => one with { OldestAge = null }),
            status.Subscriptions.Select(static one => one with { OldestAge = null }));
        Assert.Equal((3, 1, 1), (status.Subscriptions[0].Lag, status.Subscriptions[0].InFlight, status.Subscriptions[0].DeadLetters));
        Assert.Equal(["billing", "default"], MappedQueue.ListSubscriptions(Site.Queue));
        queue.DeleteSubscription("default");
        Assert.Equal(["billing"], MappedQueue.ListSubscriptions(Site.Queue));
    }

    [Fact]
    public void What_is_no_queue_is_told_and_not_made()
    {
        foreach (Action<string> call in (Action<string>[])
            [path => MappedQueue.GetStatus(path), path => MappedQueue.ListSubscriptions(path), path => MappedQueue.List(path)])
        {
            QueueException said = Assert.Throws<QueueException>(() => call(Site.Queue));
            Assert.Equal((QueueError.NotFound, Site.Queue), (said.Reason, said.Path));
        }
        Assert.False(Directory.Exists(Site.Queue));
        MappedLanes<Note>.Open(Site.Queue, 2, new QueueOptions { SegmentSize = 1 << 16 }).Dispose();
        Assert.False(MappedQueue.Exists(Site.Queue));
    }

    [Fact]
    public void All_queues_below_a_directory_are_listed_and_dead_letters_are_none()
    {
        using (MappedQueue<Note> queue = Filled(1))
        {
            using Subscription<Note> subscription = queue.Subscribe("default");
            subscription.Receive().DeadLetter("bad");
        }
        string lanes = Path.Combine(Site.Root, "deep", "lanes"), store = Path.Combine(Site.Root, "store");
        MappedLanes<Note>.Open(lanes, 2, new QueueOptions { SegmentSize = 1 << 16 }).Dispose();
        using (var opened = MappedStore.Open(store, new QueueOptions { SegmentSize = 1 << 16 }))
        {
            opened.OpenQueue<Note>("from").Dispose();
        }
        Directory.CreateDirectory(Path.Combine(Site.Root, "empty"));
        Directory.CreateSymbolicLink(Path.Combine(Site.Root, "empty", "link"), Site.Root);
        string[] all = [Path.Combine(lanes, "lane-0"), Path.Combine(lanes, "lane-1"), Site.Queue, Path.Combine(store, "from")];
        Assert.Equal(all.Order(StringComparer.Ordinal), MappedQueue.List(Site.Root));
        Assert.Equal([Site.Queue], MappedQueue.List(Site.Queue));
        Assert.Empty(MappedQueue.List(Path.Combine(Site.Root, "empty")));
    }

    [Fact]
    public void A_status_reads_as_a_table()
    {
        using MappedQueue<Note> queue = Filled(1234);
        using Subscription<Note> billing = queue.Subscribe("billing");
        Assert.True(billing.TryDequeue(out _));
        string[] lines = queue.GetStatus().ToString().Split('\n');
        Assert.Matches($@"^{Regex.Escape(Site.Queue)}: 1,234 messages wait, [\d,]+ bytes, from position \d+ to \d+$", lines[0]);
        Assert.Matches("^subscription +lag +leased +dead letters +dropped +expired +oldest +consumers +bytes$", lines[1]);
        Assert.Matches(@"^billing +1,233 +0 +0 +0 +0 +00:00:\d\d +1 +[\d,]+$", lines[2]);
        Assert.Matches(@"^default +1,234 ", lines[3]);
        Assert.StartsWith("Subscription 'default' has ", lines[4], StringComparison.Ordinal);
        Assert.Equal(lines[2].Length, lines[3].Length);
    }

    [Fact]
    public void Reports_read_as_tables()
    {
        Filled(100).Dispose();
        Assert.Matches(
            $@"^{Regex.Escape(Site.Queue)}: sound; \d+ files, [\d,]+ bytes, \d segments, [\d,]+ records, 100 messages\n"
                + @"queue +subscription +next +waiting +held\n"
                + @"queue +default +[\d,]+ +100 +0$",
            MappedQueue.Verify(Site.Queue).ToString());
        Site.Overwrite(Path.GetFileName(SegmentFiles()[0]), 4096 + 100, new byte[16]);
        RecoveryReport report = MappedQueue.Repair(Site.Queue);
        string[] lines = report.ToString().Split('\n');
        Assert.Matches($@"^{Regex.Escape(Site.Queue)}: \d findings, [\d,]+ messages are there, in \d+\.\d\d\d s$", lines[0]);
        Assert.Matches("^files as they were: .*damaged-", lines[1]);
        Assert.Matches("^file +offset +bytes +position +messages +what$", lines[2]);
        Assert.StartsWith("segment-0000000000000000  ", lines[3], StringComparison.Ordinal);
        Assert.Contains("segment-", report.Findings[0].ToString(), StringComparison.Ordinal);
        string copy = Path.Combine(Site.Root, "copy");
        string backup = MappedQueue.Backup(Site.Queue, copy).ToString();
        Assert.StartsWith($"{Site.Queue} was copied to {copy}\n", backup, StringComparison.Ordinal);
    }
}
