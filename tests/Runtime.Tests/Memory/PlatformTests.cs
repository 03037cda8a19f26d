using BlitQueue.Log;
using BlitQueue.Memory;
using BlitQueue.Platform;
using BlitQueue.Tests.Processes;
using Microsoft.Win32.SafeHandles;

namespace BlitQueue.Tests.Memory;

/// <summary>What every system's platform promises, on the system that the tests run on.</summary>
public sealed class PlatformTests : IDisposable
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

    // As a process under Wine, or of Linux where this is Wine, would have the queue open.
    [Fact]
    public void A_queue_that_another_system_has_open_is_refused()
    {
        string path = _site.File("elsewhere");
        MappedQueue<Parcel>.Open(path).Dispose();
        using SafeFileHandle locks = Open(Path.Combine("elsewhere", StoreFormat.LockName));
        long elsewhere = OperatingSystem.IsWindows() ? -WindowsPlatform.FirstLock : WindowsPlatform.FirstLock;
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

    private SafeFileHandle Make(string name, long length)
    {
        SafeFileHandle file = Platform.OpenFile(_site.File(name), FileMode.CreateNew, FileAccess.ReadWrite, Rights);
        RandomAccess.SetLength(file, length);
        return file;
    }

    private SafeFileHandle Open(string name) => Platform.OpenFile(_site.File(name), FileMode.Open, FileAccess.ReadWrite, Rights);

    public void Dispose() => _site.Dispose();
}
