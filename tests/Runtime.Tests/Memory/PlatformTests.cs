using System.Security.AccessControl;
using System.Security.Principal;
using BlitQueue.Log;
using BlitQueue.Memory;
using BlitQueue.Platform;
using BlitQueue.Tests.Processes;
using Microsoft.Win32.SafeHandles;

namespace BlitQueue.Tests.Memory;

/// <summary>What every system's platform promises, on the system that the tests run on.</summary>
public sealed partial class PlatformTests : IDisposable
{
    private const UnixFileMode Rights = FileRights.OwnerAlone;

    private readonly Site _site = new();

    public PlatformTests() => Directory.CreateDirectory(_site.Queue);

    private static IPlatform Platform => CurrentPlatform.Instance;

    [Fact]
    public void A_locked_byte_can_be_read_and_written_through_another_handle()
    {
        using SafeFileHandle one = Make("locks", 64), other = Open("locks");
        Assert.True(Platform.TryLockByte(one, 0));
        RandomAccess.Write(other, [7], 0);
        byte[] read = new byte[1];
        Assert.Equal(1, RandomAccess.Read(other, read, 0));
        Assert.Equal(7, read[0]);
    }

    [Fact]
    public void A_lock_is_seen_until_it_is_released_or_its_handle_is_closed()
    {
        using SafeFileHandle other = Make("locks", 64);
        using (SafeFileHandle one = Open("locks"))
        {
            Assert.True(Platform.TryLockByte(one, 5) && Platform.TryLockByte(one, 6));
            Assert.False(Platform.TryLockByte(other, 5));
            Assert.True(Platform.IsByteLocked(other, 5) && Platform.IsAnyByteLocked(other, 0, 64));
            Assert.False(Platform.IsByteLocked(other, 4));
            Assert.True(Platform.UnlockByte(one, 5));
            Assert.False(Platform.IsByteLocked(other, 5));
        }
        Assert.False(Platform.IsAnyByteLocked(other, 0, 64));
    }

    // Each asks all the time: if one took the other's question for a lock, it would soon say so.
    [Fact]
    public void Two_that_ask_at_once_do_not_take_each_other_for_a_holder()
    {
        using SafeFileHandle one = Make("locks", 64), other = Open("locks");
        bool[] wrong = new bool[2];
        Parallel.For(0, 2, i =>
        {
            for (int time = 0; time < 2000; time++)
            {
                wrong[i] |= Platform.IsByteLocked(i == 0 ? one : other, 9);
            }
        });
        Assert.Equal([false, false], wrong);
    }

    [Fact]
    public void The_name_of_a_mapped_file_is_free_after_its_deletion()
    {
        using SafeFileHandle file = Make("mapped", 65536);
        using var region = new MappedRegion(file, 65536);
        region.Word(0) = 42;
        Platform.Delete(_site.File("mapped"), _site.File("aside"));
        Assert.False(Platform.IsThere(_site.File("mapped")));
        using SafeFileHandle again = Make("mapped", 1);
        Assert.Equal(42, region.Word(0));
    }

    [Fact]
    public void A_file_set_aside_can_be_deleted_when_it_is_mapped_no_more()
    {
        using (SafeFileHandle file = Make("mapped", 65536))
        using (new MappedRegion(file, 65536))
        {
            Platform.Delete(_site.File("mapped"), _site.File("aside"));
        }
        Assert.True(Platform.Delete(_site.File("aside"), _site.File("aside again")));
        Assert.Empty(_site.Files());
    }

    // Another process deletes a subscription between its opening and its mapping.
    [Fact]
    public void A_file_that_was_deleted_since_it_was_opened_is_mapped_or_is_not_there()
    {
        using SafeFileHandle file = Make("deleted", 65536);
        Platform.Delete(_site.File("deleted"), _site.File("aside"));
        try
        {
            using var region = new MappedRegion(file, 65536);
            region.Word(0) = 42;
        }
        catch (FileNotFoundException)
        {
            Assert.True(OperatingSystem.IsWindows());
        }
    }

    [Fact]
    public void A_deletion_of_nothing_does_nothing() => Assert.True(Platform.Delete(_site.File("nothing"), _site.File("aside")));

    [Fact]
    public void A_file_replaces_one_that_is_open()
    {
        using SafeFileHandle old = Make("old", 1), replacing = Make("replacing", 2);
        Platform.Replace(_site.File("replacing"), _site.File("old"));
        Assert.Equal(2, new FileInfo(_site.File("old")).Length);
        Assert.False(Platform.IsThere(_site.File("replacing")));
        Assert.Throws<FileNotFoundException>(() => Platform.Replace(_site.File("replacing"), _site.File("old")));
    }

    [Fact]
    public void A_name_is_given_to_one_file_alone()
    {
        Make("first", 1).Dispose();
        using SafeFileHandle second = Make("second", 2);
        Assert.True(Platform.TryName(_site.File("first"), _site.File("name")));
        Assert.False(Platform.TryName(_site.File("second"), _site.File("name")));
        Assert.Throws<FileNotFoundException>(() => Platform.TryName(_site.File("first"), _site.File("other")));
        Assert.Equal(1, new FileInfo(_site.File("name")).Length);
    }

    [Fact]
    public void A_path_leads_to_an_open_file_and_not_to_its_copy()
    {
        using SafeFileHandle file = Make("file", 3);
        Assert.True(Platform.LeadsTo(_site.File("file"), file));
        File.Copy(_site.File("file"), _site.File("copy"));
        Assert.False(Platform.LeadsTo(_site.File("copy"), file));
        Assert.False(Platform.LeadsTo(_site.File("nothing"), file));
        Assert.False(Platform.LeadsTo(_site.File(Path.Combine("nothing", "file")), file));
        Assert.True(Platform.TryName(_site.File("file"), _site.File("other")));
        Assert.True(Platform.LeadsTo(_site.File("other"), file));
        Make("file", 3).Dispose();
        Assert.False(Platform.LeadsTo(_site.File("file"), file));
    }

    [Fact]
    public void What_is_no_file_is_not_opened()
    {
        Directory.CreateDirectory(_site.File("directory"));
        Assert.Equal("a directory", Assert.Throws<IrregularFileException>(() => Open("directory")).Kind);
        Assert.Throws<FileNotFoundException>(() => Open("nothing"));
        Assert.Throws<DirectoryNotFoundException>(() => Open(Path.Combine("nothing", "file")));
    }

    [Fact]
    public void Every_mode_of_opening_is_known()
    {
        Make("file", 3).Dispose();
        Assert.ThrowsAny<IOException>(() => Platform.OpenFile(_site.File("file"), FileMode.CreateNew, FileAccess.ReadWrite, Rights));
        using SafeFileHandle there = Platform.OpenFile(_site.File("file"), FileMode.OpenOrCreate, FileAccess.ReadWrite, Rights);
        using SafeFileHandle made = Platform.OpenFile(_site.File("new"), FileMode.OpenOrCreate, FileAccess.ReadWrite, Rights);
        Assert.Equal((3, 0), (RandomAccess.GetLength(there), RandomAccess.GetLength(made)));
        using SafeFileHandle read = Platform.OpenFile(_site.File("file"), FileMode.Open, FileAccess.Read, Rights);
        Assert.ThrowsAny<Exception>(() => RandomAccess.Write(read, [1], 0));
    }

    [Fact]
    public void A_mapping_is_synced_after_its_handle_is_closed()
    {
        using SafeFileHandle other = Make("mapped", 65536);
        SafeFileHandle file = Open("mapped");
        Assert.True(Platform.TryLockByte(file, 3));
        using var region = new MappedRegion(file, 65536);
        file.Dispose();
        region.Word(0) = 42;
        region.Sync(0, 65536);
        // On Linux a mapping has the open file, and so its locks.
        Assert.Equal(OperatingSystem.IsLinux(), Platform.IsByteLocked(other, 3));
        Platform.SyncDirectory(_site.Queue);
    }

    // As the header of a passed segment's file is, that becomes another segment.
    [Fact]
    public void The_first_bytes_of_a_longer_file_can_be_mapped()
    {
        using SafeFileHandle file = Make("longer", 1 << 20);
        using var region = new MappedRegion(file, 4096);
        region.Word(0) = 42;
        region.Sync(0, 4096);
        Assert.Equal(4096, region.Length);
    }

    [Fact]
    public void A_preallocated_file_has_its_blocks()
    {
        using SafeFileHandle file = Make("blocks", 0);
        Platform.Preallocate(file, 1 << 20);
        Assert.Equal(1 << 20, RandomAccess.GetLength(file));
        Assert.False(Platform.HasHoles(file, 1 << 20));
    }

    [Fact]
    public void A_disk_that_is_full_is_told_from_other_failures_by_this_systems_codes()
    {
        int[] full = OperatingSystem.IsWindows() ? [112, 39, 1295] : [LibC.ENOSPC, LibC.EDQUOT];
        int[] other = OperatingSystem.IsWindows() ? [28, 122, 5, 32, 1392] : [39, 112, 1295, 5];
        Assert.All(full, static code => Assert.True(DiskFullException.Is(new IOException("", code))));
        Assert.All(other, static code => Assert.False(DiskFullException.Is(new IOException("", code))));
    }

    [Fact]
    public void A_boot_has_one_name() => Assert.Matches("^[-0-9a-z]{20,}$", Platform.BootId);

    [Theory]
    [InlineData(@"\\server\share\queue", true)]
    [InlineData(@"\\?\UNC\server\share\queue", true)]
    [InlineData(@"\\?\C:\queue", false)]
    [InlineData(@"\\.\C:\queue", false)]
    [InlineData(@"C:\queue", false)]
    public void A_share_is_told_by_the_systems_own_path(string path, bool isShare) => Assert.Equal(isShare, WindowsPath.IsShare(path));

    [Theory]
    [InlineData(@"\\?\C:\queues\one", @"\\?\C:\Queues", true)]
    [InlineData(@"\\?\C:\queues", @"\\?\C:\queues", true)]
    [InlineData(@"\\?\C:\queues", @"\\?\C:\", true)]
    [InlineData(@"\\?\C:\", @"\\?\C:\", true)]
    [InlineData(@"\\?\C:\queues-other", @"\\?\C:\queues", false)]
    [InlineData(@"\\?\C:\queues", @"\\?\C:\queues\one", false)]
    [InlineData(@"\\?\D:\queues", @"\\?\C:\", false)]
    public void A_directory_is_inside_of_another_by_the_systems_own_paths(string path, string directory, bool isWithin) =>
        Assert.Equal(isWithin, WindowsPath.IsWithin(path, directory));

    // As a process under Wine, or of Linux where this is Wine, would have the queue open.
    [Fact]
    public void A_queue_that_another_system_has_open_is_refused()
    {
        string path = _site.File("elsewhere");
        MappedQueue<Parcel>.Open(path).Dispose();
        using SafeFileHandle locks = Open(Path.Combine("elsewhere", StoreFormat.LockName));
        long elsewhere = OperatingSystem.IsWindows() || Platform is StrictPlatform
            ? -WindowsPlatform.FirstLock
            : WindowsPlatform.FirstLock;
        Assert.True(Platform.TryLockByte(locks, elsewhere + StoreFormat.FirstParticipantLock + 3));
        // Within one boot of one system it is not asked.
        MappedQueue<Parcel>.Open(path).Dispose();
        using (SafeFileHandle control = Open(Path.Combine("elsewhere", StoreFormat.ControlName)))
        {
            RandomAccess.Write(control, "another boot"u8, ControlFormat.BootOffset);
        }
        QueueException refused = Assert.Throws<QueueException>(() => MappedQueue<Parcel>.Open(path));
        Assert.Equal(QueueError.InUse, refused.Reason);
        locks.Dispose();
        MappedQueue<Parcel>.Open(path).Dispose();
    }

    [Fact]
    public void Subscriptions_whose_names_differ_in_case_alone_share_no_file()
    {
        using var queue = MappedQueue<Parcel>.Open(_site.File("of names"));
        using Subscription<Parcel> one = queue.Subscribe("Audit");
        if (Platform.IgnoresCase)
        {
            Assert.Contains("'Audit'", Assert.Throws<ArgumentException>(() => queue.Subscribe("audit")).Message);
        }
        else
        {
            using Subscription<Parcel> other = queue.Subscribe("audit");
            Assert.Equal(3, queue.GetStatus().Subscriptions.Count);
        }
    }

    [Fact]
    public void A_user_is_told_from_others_by_what_the_system_calls_it() =>
        Assert.Matches(OperatingSystem.IsWindows() ? "^S-1-[0-9-]+$" : "^[0-9]+$", Platform.UserId);

    [Fact]
    public void A_directory_that_is_made_private_is_private_until_others_get_a_right()
    {
        if (!OperatingSystem.IsWindows())
        {
            return;
        }
        string path = _site.File(Path.Combine("parent", "private"));
        Platform.MakePrivateDirectory(path);
        Assert.True(Platform.IsPrivateDirectory(path));
        using (Platform.OpenFile(Path.Combine(path, "file"), FileMode.CreateNew, FileAccess.ReadWrite, Rights, isTemporary: true))
        {
            Assert.True(Platform.IsPrivateDirectory(path));
        }
        Assert.False(Platform.IsPrivateDirectory(Path.Combine(path, "file")));
        Assert.False(Platform.IsPrivateDirectory(_site.File("nothing")));
        var directory = new DirectoryInfo(path);
        DirectorySecurity rights = directory.GetAccessControl();
        rights.AddAccessRule(new FileSystemAccessRule(
            new SecurityIdentifier(WellKnownSidType.WorldSid, null), FileSystemRights.Read, AccessControlType.Allow));
        directory.SetAccessControl(rights);
        Assert.False(Platform.IsPrivateDirectory(path));
    }

    // The two views of one file stand for two processes: neither knows the other's addresses.
    [Theory]
    [InlineData(1)]
    [InlineData(20)]
    public void All_that_sleep_on_a_word_are_woken_by_another_view_of_the_file(int sleepers)
    {
        using var words = new TwoViews(this);
        Thread[] threads = [.. Enumerable.Range(0, sleepers).Select(_ => Begin(() => SleepWhile(words.One, 64, 0)))];
        Thread.Sleep(20);
        Platform.WakeAll(words.Other.AddressOf(64), Increment(words.Other, 64));
        Assert.All(threads, static thread => Assert.True(thread.Join(Processes.Peer.Patience)));
    }

    [Fact]
    public void Another_value_ends_the_sleep_at_once()
    {
        using var words = new TwoViews(this);
        Increment(words.Other, 64);
        Assert.True(Begin(() => Platform.Wait(words.One.AddressOf(64), 0, TimeSpan.FromHours(1))).Join(Processes.Peer.Patience));
        Assert.True(Begin(() => Platform.WaitAny(
            [new(words.One.AddressOf(0), 0), new(words.One.AddressOf(64), 0)], TimeSpan.FromHours(1))).Join(Processes.Peer.Patience));
    }

    [Theory]
    [InlineData(0)]
    [InlineData(1)]
    [InlineData(63)]
    public void A_sleep_on_many_words_ends_with_any_of_them(int woken)
    {
        using var words = new TwoViews(this);
        var own = new PinnedInt32();
        Thread thread = Begin(() =>
        {
            while (own.Value == 0 && Enumerable.Range(1, 63).All(i => words.One.Word32(64 * i) == 0))
            {
                Platform.WaitAny(
                    [
                        new(own.Address, 0, IsOwn: true),
                        .. Enumerable.Range(1, 63).Select(i => new ExpectedWord(words.One.AddressOf(64 * i), 0)),
                    ],
                    TimeSpan.FromHours(1));
            }
        });
        Thread.Sleep(20);
        if (woken == 0)
        {
            Platform.WakeAll(own.Address, own.Increment());
        }
        else
        {
            Platform.WakeAll(words.Other.AddressOf(64 * woken), Increment(words.Other, 64 * woken));
        }
        Assert.True(thread.Join(Processes.Peer.Patience));
    }

    [Fact]
    public void A_sleep_on_words_of_which_one_is_mapped_no_more_ends()
    {
        var words = new TwoViews(this);
        nint gone = words.One.AddressOf(64);
        words.Dispose();
        using var others = new TwoViews(this, "others");
        Assert.True(Begin(() => Platform.WaitAny([new(gone, 0), new(others.One.AddressOf(64), 0)], TimeSpan.FromSeconds(1)))
            .Join(Processes.Peer.Patience));
    }

    // Each sleeps without an end, so that a wake-up that is lost is a hang.
    [Fact]
    public void No_wake_up_is_lost()
    {
        const int rounds = 20_000, sleepers = 3, wakers = 2;
        using var words = new TwoViews(this);
        Thread[] asleep = [.. Enumerable.Range(0, sleepers).Select(i => Begin(() =>
        {
            for (int seen = 0; seen < rounds * wakers;)
            {
                Platform.Wait((i % 2 == 0 ? words.One : words.Other).AddressOf(64), seen, TimeSpan.FromHours(1));
                seen = Volatile.Read(ref words.One.Word32(64));
            }
        }))];
        Thread[] awake = [.. Enumerable.Range(0, wakers).Select(i => Begin(() =>
        {
            for (int round = 0; round < rounds; round++)
            {
                MappedRegion region = i % 2 == 0 ? words.One : words.Other;
                Platform.WakeAll(region.AddressOf(64), Increment(region, 64));
                Thread.SpinWait(round % 97);
            }
        }))];
        Assert.All(awake, static thread => Assert.True(thread.Join(Processes.Peer.Patience)));
        Assert.All(asleep, static thread => Assert.True(thread.Join(Processes.Peer.Patience)));
    }

    private static int Increment(MappedRegion region, long offset) => Interlocked.Increment(ref region.Word32(offset)) - 1;

    private static void SleepWhile(MappedRegion region, long offset, int value)
    {
        while (Volatile.Read(ref region.Word32(offset)) == value)
        {
            Platform.Wait(region.AddressOf(offset), value, TimeSpan.FromHours(1));
        }
    }

    private static Thread Begin(ThreadStart action)
    {
        var thread = new Thread(action) { IsBackground = true };
        thread.Start();
        return thread;
    }

    private sealed class TwoViews : IDisposable
    {
        private readonly SafeFileHandle _file;

        public TwoViews(PlatformTests tests, string name = "words")
        {
            _file = tests.Make(name, 65536);
            (One, Other) = (new MappedRegion(_file, 65536), new MappedRegion(_file, 65536));
        }

        public MappedRegion One { get; }

        public MappedRegion Other { get; }

        public void Dispose()
        {
            One.Dispose();
            Other.Dispose();
            _file.Dispose();
        }
    }

    private SafeFileHandle Make(string name, long length)
    {
        SafeFileHandle file = Platform.OpenFile(_site.File(name), FileMode.CreateNew, FileAccess.ReadWrite, Rights);
        RandomAccess.SetLength(file, length);
        return file;
    }

    private SafeFileHandle Open(string name) => Platform.OpenFile(_site.File(name), FileMode.Open, FileAccess.ReadWrite, Rights);

    public void Dispose() => _site.Dispose();
}
