using BlitQueue.Log;
using BlitQueue.Platform;
using BlitQueue.Tests.Queue;
using Xunit;

namespace BlitQueue.Tests.Processes;

/// <summary>Deletions that meet others, or end before their time.</summary>
[Collection(ProcessCollection.Name)]
public sealed class DeletionTests : QueueFixture
{
    private string Letters => Site.File(StoreFormat.DeadLettersName("default"));

    [Theory]
    [InlineData(nameof(ProtocolStep.DeletionBegun), false, false)]
    [InlineData(nameof(ProtocolStep.DeletionBegun), false, true)]
    [InlineData(nameof(ProtocolStep.DeletionBegun), true, false)]
    [InlineData(nameof(ProtocolStep.DeletionBegun), true, true)]
    [InlineData(nameof(ProtocolStep.DeletionMetaGone), false, false)]
    [InlineData(nameof(ProtocolStep.DeletionMetaGone), false, true)]
    [InlineData(nameof(ProtocolStep.DeletionMetaGone), true, false)]
    [InlineData(nameof(ProtocolStep.DeletionMetaGone), true, true)]
    public void After_a_deletion_that_was_killed_there_is_no_queue_and_nothing_is_left_after_the_next(
        string step, bool isStrict, bool isOpened)
    {
        MakeWithLetter();
        using (Peer dying = isStrict
            ? Peer.StartStrictToDie(Site, "1", Enum.Parse<ProtocolStep>(step), "delete")
            : Peer.StartToDie(Site, Enum.Parse<ProtocolStep>(step), 1, "delete"))
        {
            dying.WaitForDeath();
        }
        Assert.False(MappedQueue.Exists(Site.Queue));
        Assert.Empty(MappedQueue.List(Site.Root));
        if (isOpened)
        {
            MappedQueue<Note> queue = Open();
            Assert.Empty(Drain(queue));
            Assert.False(Directory.Exists(Letters));
            queue.Dispose();
            Assert.True(MappedQueue.Delete(Site.Queue));
        }
        else if (MappedQueue.Delete(Site.Queue))
        {
            Assert.Fail("It was deleted before.");
        }
        // What is no queue and has no mark, as an empty directory with a lock file, is left to who makes a queue there.
        MappedQueue<Note>.Open(Site.Queue).Dispose();
        Assert.True(MappedQueue.Delete(Site.Queue));
        Assert.Empty(Directory.EnumerateDirectories(Site.Root));
    }

    // Another call takes its directory for one that a killed call has left.
    [Fact]
    public void A_deletion_that_was_stopped_says_that_it_deleted_whoever_did_the_rest()
    {
        MakeWithLetter();
        using Peer deleting = Peer.StartToStop(Site, ProtocolStep.DeletionBegun, 1, "delete").WaitForStop();
        if (CurrentPlatform.Instance.RenamesDirectoriesInUse)
        {
            Assert.False(MappedQueue.Delete(Site.Queue));
        }
        deleting.Continue();
        Assert.Equal(0, deleting.WaitForExit());
        Assert.Equal("deleted True", deleting.Output.Trim());
        Assert.Empty(Directory.EnumerateDirectories(Site.Root));
    }

    [Fact]
    public void A_file_that_is_not_the_queue_s_keeps_it_from_being_deleted_while_that_waits_for_the_lock()
    {
        MakeWithLetter();
        string notes = Site.File("notes.txt");
        QueueException said = Assert.Throws<QueueException>(
            () => BeforeLock(() => File.WriteAllText(notes, "mine"), () => MappedQueue.Delete(Site.Queue)));
        Assert.Equal(QueueError.NotAQueue, said.Reason);
        Assert.True(File.Exists(notes));
        Assert.Equal([1], Drain(Open()));
    }

    [Fact]
    public void What_stands_where_a_queue_was_is_not_deleted()
    {
        MakeWithLetter();
        string notes = Site.File("notes.txt");
        Assert.False(BeforeLock(
            () =>
            {
                Directory.Delete(Site.Queue, recursive: true);
                Directory.CreateDirectory(Site.Queue);
                File.WriteAllText(notes, "mine");
            },
            () => MappedQueue.Delete(Site.Queue)));
        Assert.True(File.Exists(notes));
    }

    [Fact]
    public void A_queue_whose_dead_letters_somebody_has_open_is_not_deleted()
    {
        MakeWithLetter();
        using (QueueStore.Open(Letters, new StoreOptions { Patience = new(Peer.Patience, default), Schema = null }))
        {
            QueueException open = Assert.Throws<QueueException>(() => MappedQueue.Delete(Site.Queue));
            Assert.Equal((QueueError.InUse, Letters), (open.Reason, open.Path));
            Assert.Equal([1], Drain(Open()));
        }
    }

    // Windows deletes no file that the reader has mapped.
    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void A_reader_keeps_no_queue_from_being_deleted_and_nothing_is_left_when_it_has_ended(bool ofLetters)
    {
        MakeWithLetter();
        string read = ofLetters ? Letters : Site.Queue;
        string segment = Path.GetFileName(Directory.GetFiles(read, StoreFormat.SegmentPrefix + "*")[0]);
        using (new QueueFiles(read, default, FileAccess.Read).Map(segment, new FileInfo(Path.Combine(read, segment)).Length))
        {
            Assert.True(MappedQueue.Delete(Site.Queue));
            Assert.Equal(!CurrentPlatform.Instance.ReplacesMapped, Directory.Exists(Site.Queue));
            Assert.False(Directory.Exists(Letters));
            Assert.Empty(MappedQueue.List(Site.Root));
        }
        Assert.False(MappedQueue.Delete(Site.Queue));
        Assert.False(Directory.Exists(Site.Queue));
    }

    [Fact]
    public void Beside_a_queue_the_mark_of_a_deletion_deletes_nothing_after_a_repair_either()
    {
        MakeWithLetter();
        File.WriteAllText(Site.File(StoreFormat.DeletedName), "of a queue that stood here before");
        MappedQueue.Repair(Site.Queue);
        File.Delete(Site.File(StoreFormat.MetaName));
        Assert.Throws<QueueCorruptException>(() => Open());
        Assert.NotEmpty(SegmentFiles());
    }

    [Fact]
    public void A_repair_that_waited_for_a_deletion_brings_no_message_back()
    {
        MakeWithLetter();
        RecoveryReport report = BeforeLock(
            () => File.Move(Site.File(StoreFormat.MetaName), Site.File(StoreFormat.DeletedName)), () => MappedQueue.Repair(Site.Queue));
        Assert.Equal(0, report.MessageCount);
        Assert.Empty(Drain(Open()));
    }

    [Fact]
    public void A_queue_that_goes_while_its_repair_waits_is_said_to_be_gone()
    {
        MakeWithLetter();
        QueueException said = Assert.Throws<QueueException>(() => BeforeLock(
            () => Directory.Delete(Site.Queue, recursive: true), () => MappedQueue.Repair(Site.Queue)));
        Assert.Equal((QueueError.NotFound, Site.Queue), (said.Reason, said.Path));
    }

    [Fact]
    public void A_queue_that_is_deleted_while_it_is_verified_is_not_called_damaged()
    {
        MakeWithLetter();
        Assert.Empty(MappedQueue.Verify(Site.Queue, new Reporting(() => MappedQueue.Delete(Site.Queue))).Findings);
        Assert.False(MappedQueue.Exists(Site.Queue));
    }

    [Fact]
    public void A_queue_whose_deletion_goes_on_is_not_called_damaged_either()
    {
        MakeWithLetter();
        var beginning = new Reporting(() =>
        {
            File.Move(Site.File(StoreFormat.MetaName), Site.File(StoreFormat.DeletedName));
            Array.ForEach(SegmentFiles(), File.Delete);
        });
        Assert.Empty(MappedQueue.Verify(Site.Queue, beginning).Findings);
        Assert.False(MappedQueue.Exists(Site.Queue));
    }

    [Fact]
    public void To_a_reader_whose_queue_was_deleted_the_queue_is_gone()
    {
        MakeWithLetter();
        using var reader = QueueReader<Note>.Open(Site.Queue);
        Assert.True(MappedQueue.Delete(Site.Queue));
        Assert.Equal(QueueError.NotFound, Assert.Throws<QueueException>(() => reader.Seek(QueuePosition.Oldest)).Reason);
    }

    // Deleted by another call.
    [Fact]
    public void Dead_letters_that_go_during_a_look_at_them_are_no_stranger_s()
    {
        MakeWithLetter();
        using (Watched.Use(onLook: path =>
        {
            if (path == Letters && Directory.Exists(Letters))
            {
                Directory.Delete(Letters, recursive: true);
            }
        }))
        {
            Assert.True(MappedQueue.Delete(Site.Queue));
        }
        Assert.False(Directory.Exists(Site.Queue));
    }

    [Fact]
    public void Lanes_stand_where_a_deletion_was_killed_and_a_store_is_refused_there()
    {
        MakeWithLetter();
        File.Move(Site.File(StoreFormat.MetaName), Site.File(StoreFormat.DeletedName));
        Assert.Equal(QueueError.NotAQueue, Assert.Throws<QueueException>(() => MappedStore.Open(Site.Queue)).Reason);
        MappedLanes<Note>.Open(Site.Queue, 1).Dispose();
        Assert.Equal([Site.File("lane-0")], MappedQueue.List(Site.Root));
        Assert.False(Directory.Exists(Letters));
    }

    // The next deletion of the other queue would delete it too.
    [Fact]
    public void A_queue_cannot_have_the_name_of_a_deleted_one()
    {
        QueueException said = Assert.Throws<QueueException>(() => MappedQueue<Note>.Open(QueueDeletion.NameFor(Site.Queue)));
        Assert.Equal(QueueError.NotAQueue, said.Reason);
        Assert.Empty(Directory.EnumerateDirectories(Site.Root));
    }

    [Fact]
    public void A_queue_with_the_longest_name_is_deleted()
    {
        string path = Path.Combine(Site.Root, new string('q', 255));
        MappedQueue<Note>.Open(path).Dispose();
        Assert.True(MappedQueue.Delete(path));
        Assert.False(Directory.Exists(path));
    }

    // After a power loss there is the whole queue or none, though the disk may have only what was synced.
    [Fact]
    public void The_disk_has_the_deletion_before_what_makes_the_queue_is_deleted()
    {
        MakeWithLetter();
        string directory = CurrentPlatform.Instance.RenamesDirectoriesInUse ? Site.Root : Site.Queue;
        bool isSynced = false;
        using (Watched.Use(onSync: path => isSynced |= path == directory && !MappedQueue.Exists(Site.Queue)
            && Directory.EnumerateFiles(Site.Root, "queue.*", SearchOption.AllDirectories)
                .Any(static path => Path.GetFileName(path) is StoreFormat.MetaName or StoreFormat.DeletedName)))
        {
            Assert.True(MappedQueue.Delete(Site.Queue));
        }
        Assert.True(isSynced);
    }

    private void MakeWithLetter()
    {
        using MappedQueue<Note> queue = Filled(2);
        using Subscription<Note> subscription = queue.Subscribe("default");
        subscription.Receive().DeadLetter("bad");
    }

    // As if another process had the lock for a while and did this meanwhile.
    private static T BeforeLock<T>(Action other, Func<T> call)
    {
        using (Watched.Use(onLock: other))
        {
            return call();
        }
    }

    // At the first report; the other process is this one here.
    private sealed class Reporting(Action other) : IProgress<QueueProgress>
    {
        private Action? _other = other;

        public void Report(QueueProgress value)
        {
            _other?.Invoke();
            _other = null;
        }
    }

    // What this thread asks of the system.
    private sealed class Watched(IPlatform inner, Action? onLock, Action<string>? onSync, Action<string>? onLook)
        : PlatformAround(inner), IDisposable
    {
        private readonly IPlatform _inner = inner;
        private readonly int _thread = Environment.CurrentManagedThreadId;
        private bool _isLocked;

        public static Watched Use(Action? onLock = null, Action<string>? onSync = null, Action<string>? onLook = null)
        {
            var platform = new Watched(CurrentPlatform.Instance, onLock, onSync, onLook);
            CurrentPlatform.Instance = platform;
            return platform;
        }

        public override bool TryLockByte(Microsoft.Win32.SafeHandles.SafeFileHandle file, long offset)
        {
            if (onLock is not null && !_isLocked && offset == StoreFormat.OpeningLockByte && _thread == Environment.CurrentManagedThreadId)
            {
                _isLocked = true;
                onLock();
            }
            return base.TryLockByte(file, offset);
        }

        public override PathKind KindOf(string path)
        {
            if (_thread == Environment.CurrentManagedThreadId)
            {
                onLook?.Invoke(path);
            }
            return base.KindOf(path);
        }

        public override void SyncDirectory(string path)
        {
            if (_thread == Environment.CurrentManagedThreadId)
            {
                onSync?.Invoke(path);
            }
            base.SyncDirectory(path);
        }

        public void Dispose() => CurrentPlatform.Instance = _inner;
    }
}
