using BlitQueue.Tests.Processes;
using Xunit;

namespace BlitQueue.Tests.Queue;

/// <summary>
/// Links: what stands behind one is copied, verified and repaired as what stands in the directory, and nothing is ever deleted through one.
/// </summary>
public sealed class BackupLinkTests : QueueFixture
{
    private string Target => At("backup");

    private string Unfinished => Target + ".unfinished";

    private string At(string name) => Path.Combine(Site.Root, name);

    [Fact]
    public void A_queue_that_is_given_by_a_link_is_copied_verified_and_repaired()
    {
        using (MappedQueue<Note> queue = Filled(5))
        {
            BackupReport report = MappedQueue.Backup(Link("link", Site.Queue), Target);
            Assert.Equal((At("link"), 5L, true), (report.Path, report.Verified.MessageCount, report.Verified.IsSound));
        }
        VerifyReport verified = MappedQueue.Verify(At("link"));
        Assert.Equal((5L, true), (verified.MessageCount, verified.IsSound));
        Assert.Equal(5, MappedQueue.Repair(At("link")).MessageCount);
        Assert.Equal(5, MappedQueue.Verify(At("link") + "/").MessageCount);
    }

    [Theory]
    [InlineData("queue", "inside/copy")]
    [InlineData("link", "queue/copy")]
    [InlineData("link", "inside/damaged/copy")]
    [InlineData("queue", "bent/copy")]
    public void A_target_in_the_source_is_noticed_by_whatever_way(string source, string target)
    {
        Filled(5).Dispose();
        Directory.CreateDirectory(Site.File("damaged"));
        Link("link", Site.Queue);
        Link("inside", Site.Queue);
        Link("bent", "link/damaged/.");
        Assert.Contains("in the directory that is to be copied", Refused(At(source), At(target)), StringComparison.Ordinal);
        Assert.Empty(Directory.GetFileSystemEntries(Site.File("damaged")));
    }

    [Fact]
    public void A_target_in_what_a_link_of_the_source_leads_to_is_noticed()
    {
        string moved = MoveLetters();
        Assert.Contains(
            "in the directory that is to be copied", Refused(Site.Queue, Path.Combine(moved, "copy")), StringComparison.Ordinal);
    }

    [Fact]
    public void Reasons_that_are_a_link_are_refused_and_too_long_ones_are_cut()
    {
        Filled(5).Dispose();
        File.WriteAllText(At("precious"), "kept");
        string reasons = Site.File("reasons-default");
        File.CreateSymbolicLink(reasons, At("precious"));
        using (var queue = MappedQueue<Note>.Open(Site.Queue))
        {
            string message = Assert.Throws<QueueCorruptException>(() => MappedQueue.Backup(Site.Queue, Target)).Message;
            Assert.Contains("reasons-default at offset 0: it is a link", message, StringComparison.Ordinal);
            File.Delete(reasons);
            using (FileStream file = File.Create(reasons))
            {
                file.SetLength(1L << 42);
            }
            Assert.True(MappedQueue.Backup(Site.Queue, Target).Verified.IsSound);
            Assert.InRange(new FileInfo(Path.Combine(Target, "reasons-default")).Length, 0, 1 << 21);
        }
    }

    [Fact]
    public void A_link_of_the_unfinished_name_is_not_followed()
    {
        Filled(5).Dispose();
        Directory.CreateDirectory(At("precious"));
        File.WriteAllText(At("precious/letter"), "kept");
        Link("backup.unfinished", At("precious"));
        foreach (bool hasLock in new[] { false, true })
        {
            if (hasLock)
            {
                File.WriteAllText(At("precious/backup.lock"), "");
            }
            Assert.Contains("link", Refused(Site.Queue, Target), StringComparison.Ordinal);
            Assert.Equal("kept", File.ReadAllText(At("precious/letter")));
            Assert.Equal(hasLock, File.Exists(At("precious/backup.lock")));
        }
        File.Delete(Unfinished);
        Link("backup.unfinished", At("nowhere"));
        Assert.Contains("link", Refused(Site.Queue, Target), StringComparison.Ordinal);
        Assert.False(Directory.Exists(At("nowhere")));
    }

    [Fact]
    public void Links_in_what_a_killed_backup_left_go_and_not_what_they_lead_to()
    {
        Filled(5).Dispose();
        Directory.CreateDirectory(At("precious/deeper"));
        File.WriteAllText(At("precious/letter"), "kept");
        File.WriteAllText(At("precious/deeper/letter"), "kept");
        Directory.CreateDirectory(Path.Combine(Unfinished, "from"));
        File.WriteAllText(Path.Combine(Unfinished, "backup.lock"), "");
        Link("backup.unfinished/directory", At("precious"));
        Link("backup.unfinished/file", At("precious/letter"));
        Link("backup.unfinished/nowhere", At("nowhere"));
        Link("backup.unfinished/from/directory", At("precious"));
        MappedQueue.Backup(Site.Queue, Target);
        Assert.Equal(["kept", "kept"], [File.ReadAllText(At("precious/letter")), File.ReadAllText(At("precious/deeper/letter"))]);
        Assert.DoesNotContain(Directory.GetFileSystemEntries(Target), static path => new FileInfo(path).LinkTarget is not null);
    }

    // What a killed backup left is somebody's only copy, perhaps: to back it up to where it was going must not delete it.
    [Fact]
    public void A_source_in_the_unfinished_directory_of_the_target_is_not_deleted()
    {
        Filled(5).Dispose();
        Directory.Move(Site.Queue, Unfinished);
        File.WriteAllText(Path.Combine(Unfinished, "backup.lock"), "");
        Assert.Contains(Unfinished, Refused(Unfinished, Target), StringComparison.Ordinal);
        Assert.Contains(Unfinished, Refused(Link("link", Unfinished), Target), StringComparison.Ordinal);
        Assert.Equal(5, MappedQueue.Verify(Unfinished).MessageCount);
    }

    [TmpfsFact]
    public void A_read_only_file_system_is_told_as_what_it_is()
    {
        Filled(5).Dispose();
        string disk = Directory.CreateDirectory(At("disk")).FullName;
        TmpfsFactAttribute.Mount(disk);
        try
        {
            CopyDirectory(Site.Queue, Path.Combine(disk, "queue"));
            Directory.CreateDirectory(Path.Combine(disk, "backup.unfinished"));
            File.WriteAllText(Path.Combine(disk, "backup.unfinished", "backup.lock"), "");
            TmpfsFactAttribute.Mount(disk, "remount,ro");
            AssertReadOnly(Refused(Path.Combine(disk, "queue"), Target), disk);
            AssertReadOnly(Refused(Site.Queue, Path.Combine(disk, "backup")), disk);
            AssertReadOnly(Refused(Site.Queue, Path.Combine(disk, "another")), disk);
            AssertReadOnly(Assert.Throws<QueueException>(() => MappedQueue.Repair(Path.Combine(disk, "queue"))).Message, disk);
            AssertReadOnly(Assert.Throws<QueueException>(() => MappedQueue<Note>.Open(Path.Combine(disk, "queue"))).Message, disk);
            AssertReadOnly(Assert.Throws<QueueException>(() => MappedQueue<Note>.Open(Path.Combine(disk, "new"))).Message, disk);
            AssertReadOnly(Assert.Throws<QueueException>(() => MappedStore.Open(Path.Combine(disk, "store"))).Message, disk);
            Assert.Equal(5, MappedQueue.Verify(Path.Combine(disk, "queue")).MessageCount);
        }
        finally
        {
            TmpfsFactAttribute.Unmount(disk);
        }
    }

    [Fact]
    public void Dead_letters_behind_a_link_are_copied()
    {
        MoveLetters();
        BackupReport report = MappedQueue.Backup(Site.Queue, Target);
        Assert.Empty(report.Damaged);
        Assert.Null(new DirectoryInfo(Path.Combine(Target, "dead-audit")).LinkTarget);
        using var copy = MappedQueue<Note>.Open(Target);
        using Subscription<Note> audit = copy.Subscribe("audit");
        DeadLetter<Note>? letter = null;
        Assert.True(audit.DeadLetters.TryTake(ref letter) && letter!.Reason == "bad");
    }

    [Fact]
    public void Dead_letters_behind_a_link_are_verified_and_repaired()
    {
        string moved = MoveLetters();
        string segment = Directory.GetFiles(moved, "segment-*").Order(StringComparer.Ordinal).First();
        using (FileStream file = File.OpenWrite(segment))
        {
            file.Position = 4096 + 20;
            file.Write([1, 2, 3, 4]);
        }
        string named = Path.Combine(Site.File("dead-audit"), Path.GetFileName(segment));
        Assert.Contains(MappedQueue.Verify(Site.Queue).Findings, finding => finding.File == named);
        Assert.Contains(MappedQueue.Repair(Site.Queue).Findings, finding => finding.File == named);
        Assert.True(MappedQueue.Verify(Site.Queue).IsSound);
    }

    [Theory]
    [InlineData("queue", "dead-audit")]
    [InlineData("store", "orders")]
    [InlineData("lanes", "lane-1")]
    public void A_link_that_leads_nowhere_is_told_and_not_left_out(string kind, string name)
    {
        Fill(kind);
        string link = At(Path.Combine(kind, name));
        if (Directory.Exists(link))
        {
            Directory.Delete(link, recursive: true);
        }
        Link(link, At("not mounted"));
        Assert.Contains(link, Refused(At(kind), Target), StringComparison.Ordinal);
        Assert.Equal(link, Assert.Single(MappedQueue.Verify(At(kind)).Findings).File);
        Assert.Equal(link, Assert.Single(MappedQueue.Repair(At(kind)).Findings).File);
        Assert.False(Path.Exists(At("not mounted")));
    }

    [Theory]
    [InlineData("store", "orders")]
    [InlineData("lanes", "lane-1")]
    public void Queues_behind_links_are_copied_verified_and_repaired_with_their_dead_letters(string kind, string name)
    {
        Fill(kind);
        Directory.Move(At(Path.Combine(kind, name)), At("elsewhere"));
        Link(At(Path.Combine(kind, name)), At("elsewhere"));
        Directory.Move(At("elsewhere/dead-default"), At("letters"));
        Link(At("elsewhere/dead-default"), At("letters"));
        BackupReport report = MappedQueue.Backup(At(kind), Target);
        Assert.Equal((7L, true), (report.Verified.MessageCount, report.Verified.IsSound));
        Assert.Equal(3, report.Verified.Subscriptions.Count);
        using (var copy = MappedQueue<Note>.Open(Path.Combine(Target, name)))
        {
            Assert.Equal(1, copy.GetStatus().Subscriptions.Single().DeadLetters);
        }
        Assert.Equal((7L, 3), (MappedQueue.Verify(At(kind)).MessageCount, MappedQueue.Verify(At(kind)).Subscriptions.Count));
        Assert.Equal(7, MappedQueue.Repair(At(kind)).MessageCount);
    }

    [Fact]
    public void Dead_letters_that_cannot_be_opened_are_told_and_not_left_out()
    {
        string moved = MoveLetters();
        File.Delete(Path.Combine(moved, "queue.meta"));
        Assert.Contains(
            Site.File("dead-audit"), Assert.Throws<QueueCorruptException>(() => MappedQueue.Backup(Site.Queue, Target)).Message,
            StringComparison.Ordinal);
        Assert.False(Path.Exists(Target) || Path.Exists(Unfinished));
    }

    [Fact]
    public void A_store_without_its_file_is_a_damaged_store_and_its_queues_may_have_any_name()
    {
        using (var store = MappedStore.Open(At("store"), new QueueOptions { SegmentSize = 1 << 16 }))
        {
            Fill(store.OpenQueue<Note>("dead-letters"), 3);
        }
        Assert.Equal(3, MappedQueue.Repair(At("store")).MessageCount);
        Assert.Equal(3, MappedQueue.Verify(At("store")).MessageCount);
        File.Delete(At("store/store.transactions"));
        VerifyReport report = MappedQueue.Verify(At("store"));
        Assert.Equal((3L, At("store/store.transactions")), (report.MessageCount, Assert.Single(report.Findings).File));
        Assert.Contains(At("store"), Refused(At("store"), Target), StringComparison.Ordinal);
    }

    // Two queues, one with four messages, the first of which became a dead letter, the other with three.
    private void Fill(string kind)
    {
        var small = new QueueOptions { SegmentSize = 1 << 16 };
        switch (kind)
        {
            case "store":
                using (var store = MappedStore.Open(At(kind), small))
                {
                    FillWithLetter(store.OpenQueue<Note>("orders"));
                    Fill(store.OpenQueue<Note>("others"), 3);
                }
                break;
            case "lanes":
                using (var lanes = MappedLanes<Note>.Open(At(kind), 2, small))
                {
                    Fill(lanes[0], 3);
                    FillWithLetter(lanes[1]);
                }
                break;
            default:
                Filled(5).Dispose();
                break;
        }
    }

    private static void FillWithLetter(MappedQueue<Note> queue)
    {
        Fill(queue, 4);
        using Subscription<Note> subscription = queue.Subscribe("default");
        subscription.Receive().DeadLetter("bad");
    }

    private static void Fill(MappedQueue<Note> queue, int count)
    {
        for (int id = 0; id < count; id++)
        {
            queue.Enqueue(Of(id));
        }
    }

    // The dead letters of "audit" stand elsewhere, behind a link.
    private string MoveLetters()
    {
        using (MappedQueue<Note> queue = Filled(5))
        {
            using Subscription<Note> audit = queue.Subscribe("audit");
            audit.Receive().DeadLetter("bad");
        }
        Directory.Move(Site.File("dead-audit"), At("letters"));
        Link(Site.File("dead-audit"), At("letters"));
        return At("letters");
    }

    private string Link(string name, string target) => Directory.CreateSymbolicLink(At(name), target).FullName;

    private static string Refused(string source, string target)
        => Assert.Throws<QueueException>(() => MappedQueue.Backup(source, target)).Message;

    private static void AssertReadOnly(string message, string disk)
    {
        Assert.Contains("read-only file system", message, StringComparison.OrdinalIgnoreCase);
        Assert.Contains(disk, message, StringComparison.Ordinal);
        Assert.DoesNotContain("no right", message, StringComparison.Ordinal);
    }

    private static void CopyDirectory(string from, string to)
    {
        Directory.CreateDirectory(to);
        foreach (string file in Directory.GetFiles(from))
        {
            File.Copy(file, Path.Combine(to, Path.GetFileName(file)));
        }
    }
}
