using BlitQueue.Log;
using BlitQueue.Sharing;

namespace BlitQueue.Tests.Processes;

/// <summary>Making, joining and deleting: whole or not at all, and nothing left behind.</summary>
[Collection(ProcessCollection.Name)]
public sealed class SharedOpeningTests : IDisposable
{
    private readonly Site _site = new(inMemory: true);

    private string File => _site.Queue;

    [Fact]
    public void A_named_object_is_listed_and_deleted_when_no_process_has_it_open()
    {
        string name = $"test-{Guid.NewGuid():N}";
        Assert.False(SharedObject.Exists(name));
        Assert.False(SharedObject.Delete(name));
        using (var array = SharedArray<int>.Open(name, 3))
        {
            array[0] = 1;
            Assert.Equal(name, Path.GetFileName(array.Path));
            Assert.Contains(name, SharedObject.List());
            using var same = SharedArray<int>.Open(name);
            Assert.Equal(1, same[0]);
            QueueException used = Assert.Throws<QueueException>(() => SharedObject.Delete(name));
            Assert.Equal((QueueError.InUse, Environment.ProcessId), (used.Reason, used.ProcessId));
        }
        Assert.True(SharedObject.Exists(name));
        using (var array = SharedArray<int>.Open(name, 3))
        {
            Assert.Equal(1, array[0]);
        }
        Assert.True(SharedObject.Delete(name));
        Assert.DoesNotContain(name, SharedObject.List());
        Assert.Throws<ArgumentException>(() => SharedMutex.Open(".hidden"));
        Assert.Throws<ArgumentException>(() => SharedMutex.Open("a/b"));
        Assert.Throws<ArgumentNullException>(() => SharedMutex.Open(null!));
    }

    [Fact]
    public void A_thousand_handles_in_turn_and_a_hundred_at_once_leave_nothing_behind()
    {
        SharedArray<long>.OpenFile(File, 100).Dispose();
        int before = _site.OpenFiles().Count;
        for (int i = 0; i < 1000; i++)
        {
            using var array = SharedArray<long>.OpenFile(File, 100);
            array[i % 100]++;
        }
        Assert.Equal(before, _site.OpenFiles().Count);
        SharedArray<long>[] all = [.. Enumerable.Range(0, 100).Select(_ => SharedArray<long>.OpenFile(File))];
        Assert.All(all, static array => Assert.Equal(10, array[50]));
        Array.ForEach(all, static array => array.Dispose());
        Assert.Equal([Path.GetFileName(File)], Directory.EnumerateFiles(_site.Root).Select(Path.GetFileName));
        Assert.True(SharedObject.DeleteFile(File));
        Assert.Empty(Directory.EnumerateFiles(_site.Root));
    }

    [Fact]
    public void A_star_in_a_name_is_a_star_and_files_of_other_objects_stay()
    {
        string own = UnfinishedSharedFile.NameOf(Path.Combine(_site.Root, "c*"), "1");
        string another = UnfinishedSharedFile.NameOf(Path.Combine(_site.Root, "counter"), "1");
        System.IO.File.WriteAllBytes(own, [0]);
        System.IO.File.WriteAllBytes(another, [0]);
        Assert.True(UnfinishedSharedFile.DeleteDead(Path.Combine(_site.Root, "c*")));
        Assert.False(System.IO.File.Exists(own));
        Assert.True(System.IO.File.Exists(another));
    }

    [Fact]
    public void Threads_that_open_and_delete_at_once_share_one_object_at_a_time()
    {
        long opened = 0, deleted = 0;
        Exception? fault = null;
        Thread[] threads = [.. Enumerable.Range(0, 4).Select(number => new Thread(() =>
        {
            try
            {
                for (int i = 0; i < 50; i++)
                {
                    if (number == 0 && TryDelete())
                    {
                        deleted++;
                    }
                    using var one = SharedArray<long>.OpenFile(File, 10);
                    using var other = SharedArray<long>.OpenFile(File, 10);
                    // While one handle is open, no process can delete it: both are the same object.
                    Interlocked.Increment(ref one[number]);
                    if (other[number] != one[number])
                    {
                        throw new InvalidOperationException("Two handles have two objects.");
                    }
                    Interlocked.Increment(ref opened);
                }
            }
            catch (Exception exception)
            {
                fault = exception;
            }
        }))];
        Array.ForEach(threads, static thread => thread.Start());
        Array.ForEach(threads, static thread => thread.Join());
        Assert.Null(fault);
        Assert.Equal(200, opened);
        Assert.Equal([Path.GetFileName(File)], Directory.EnumerateFiles(_site.Root).Select(Path.GetFileName));
    }

    private bool TryDelete()
    {
        try
        {
            return SharedObject.DeleteFile(File);
        }
        catch (QueueException exception) when (exception.Reason == QueueError.InUse)
        {
            return false;
        }
    }

    [Theory]
    [InlineData(nameof(ProtocolStep.SharedFileMade))]
    [InlineData(nameof(ProtocolStep.SharedFileWritten))]
    [InlineData(nameof(ProtocolStep.SharedFileNamed))]
    public void A_maker_killed_at_a_step_leaves_nothing_that_another_cannot_use(string step)
    {
        using var dead = Peer.StartToDie(_site, Enum.Parse<ProtocolStep>(step), 1, "shared-open", "length=1000");
        dead.WaitForDeath();
        using var array = SharedArray<long>.OpenFile(File, 1000);
        Assert.Equal(1000, array.Length);
        Assert.DoesNotContain(Directory.EnumerateFiles(_site.Root), static path => path.EndsWith(".new", StringComparison.Ordinal));
    }

    [Theory]
    [InlineData(nameof(ProtocolStep.SharedFileMade))]
    [InlineData(nameof(ProtocolStep.SharedFileWritten))]
    public void A_maker_that_is_stopped_half_way_keeps_no_other_waiting_and_joins_when_it_goes_on(string step)
    {
        using var stopped = Peer.StartToStop(_site, Enum.Parse<ProtocolStep>(step), 1, "shared-open", "length=1000", "stays=1");
        stopped.WaitForStop();
        using var array = SharedArray<long>.OpenFile(File, 1000);
        array[1] = 5;
        stopped.Continue();
        stopped.WaitFor("opened").Finish();
        Assert.Equal(5, array[1]);
        Assert.DoesNotContain(Directory.EnumerateFiles(_site.Root), static path => path.EndsWith(".new", StringComparison.Ordinal));
    }

    [Fact]
    public void Processes_that_make_the_same_object_at_once_share_it_and_one_with_another_type_is_told()
    {
        Peer[] peers = [.. Enumerable.Range(0, 6).Select(_ => Peer.Start(_site, "shared-open", "length=70000"))];
        foreach (Peer peer in peers)
        {
            Assert.Equal(0, peer.WaitForExit());
            peer.Dispose();
        }
        using var other = Peer.Start(_site, "shared-open", "length=70000", "type=double");
        Assert.Equal(3, other.WaitForExit());
        Assert.Contains("SchemaMismatchException", other.Output, StringComparison.Ordinal);
        Assert.Contains("Int64", other.Output, StringComparison.Ordinal);
        using var length = Peer.Start(_site, "shared-open", "length=70001");
        Assert.Equal(3, length.WaitForExit());
        Assert.Contains("ArgumentException", length.Output, StringComparison.Ordinal);
        Assert.Equal([Path.GetFileName(File)], Directory.EnumerateFiles(_site.Root, "queue*").Select(Path.GetFileName));
    }

    [Fact]
    public void A_file_that_is_no_shared_object_is_refused_and_left_as_it_is()
    {
        System.IO.File.WriteAllText(File, "notes");
        Assert.Equal(QueueError.NotAQueue, Assert.Throws<QueueException>(() => SharedMutex.OpenFile(File)).Reason);
        Assert.Equal(QueueError.NotAQueue, Assert.Throws<QueueException>(() => SharedObject.DeleteFile(File)).Reason);
        Assert.Equal("notes", System.IO.File.ReadAllText(File));
        Directory.CreateDirectory(File + "-directory");
        Assert.Equal(QueueError.NotAQueue, Assert.Throws<QueueException>(() => SharedMutex.OpenFile(File + "-directory")).Reason);
        System.IO.File.CreateSymbolicLink(File + "-link", File);
        Assert.Equal(QueueError.NotAQueue, Assert.Throws<QueueException>(() => SharedMutex.OpenFile(File + "-link")).Reason);
        Assert.Equal(
            QueueError.NotFound, Assert.Throws<QueueException>(() => SharedMutex.OpenFile(Path.Combine(File + "-none", "x"))).Reason);
        Assert.False(SharedObject.DeleteFile(Path.Combine(File + "-none", "x")));
    }

    [Theory]
    [InlineData(8, 2)]
    [InlineData(24, 2_000_000)]
    [InlineData(24, -1)]
    [InlineData(16, 4)]
    [InlineData(16, -8)]
    public void A_header_that_contradicts_itself_is_an_exception(long offset, long value)
    {
        SharedArray<long>.OpenFile(File, 100).Dispose();
        // On Windows an array that is disposed stays mapped, which counts as open for writing.
        using (var file = new FileStream(File, FileMode.Open, FileAccess.Write, FileShare.ReadWrite | FileShare.Delete))
        {
            file.Position = offset;
            file.Write(offset == 8 ? BitConverter.GetBytes((int)value) : BitConverter.GetBytes(value));
        }
        Assert.ThrowsAny<QueueException>(() => SharedArray<long>.OpenFile(File));
    }

    [Fact]
    public void A_file_that_was_cut_off_is_an_exception_and_does_not_end_the_process()
    {
        SharedArray<long>.OpenFile(File, 100_000).Dispose();
        foreach (long length in (long[])[200_000, 70_000, 1024, 1023, 10, 0])
        {
            using (FileStream file = System.IO.File.OpenWrite(File))
            {
                file.SetLength(length);
            }
            Assert.ThrowsAny<QueueException>(() => SharedArray<long>.OpenFile(File, 100_000));
        }
    }

    [Fact]
    public void Rights_are_the_makers_and_another_user_is_refused()
    {
        if (OperatingSystem.IsWindows())
        {
            return;
        }
        SharedArray<long>.OpenFile(File, 10).Dispose();
        Assert.Equal(UnixFileMode.UserRead | UnixFileMode.UserWrite, System.IO.File.GetUnixFileMode(File));
        const UnixFileMode group = UnixFileMode.UserRead | UnixFileMode.UserWrite | UnixFileMode.GroupRead | UnixFileMode.GroupWrite;
        Assert.Throws<ArgumentException>(() => SharedArray<long>.OpenFile(File, 10, group));
        SharedMutex.OpenFile(File + "2", group).Dispose();
        Assert.Equal(group, System.IO.File.GetUnixFileMode(File + "2"));
        SharedMutex.OpenFile(File + "2", group).Dispose();
        if (Environment.IsPrivilegedProcess)
        {
            System.IO.File.SetUnixFileMode(
                _site.Root, (UnixFileMode)Convert.ToInt32("755", 8));
            string said = Peer.RunAsNobody(_site, "shared-open");
            Assert.Contains("no right to read and write it", said, StringComparison.Ordinal);
        }
    }

    // In a directory in which everybody may make files, and delete only his own.
    [Fact]
    public void What_another_users_killed_maker_left_stops_no_maker()
    {
        if (!OperatingSystem.IsLinux() || !Environment.IsPrivilegedProcess)
        {
            return;
        }
        System.IO.File.SetUnixFileMode(_site.Root, (UnixFileMode)Convert.ToInt32("1777", 8));
        using (var dead = Peer.StartToDie(_site, ProtocolStep.SharedFileWritten, 1, "shared-open", "length=1000"))
        {
            dead.WaitForDeath();
        }
        Assert.Single(Directory.EnumerateFiles(_site.Root, ".*.new"));
        string said = Peer.RunAsNobody(_site, "shared-open");
        Assert.DoesNotContain("Exception", said, StringComparison.Ordinal);
        Assert.True(System.IO.File.Exists(File));
    }

    [Fact]
    public void A_deletion_waits_for_a_handle_of_its_process_that_is_being_closed()
    {
        var mutex = SharedMutex.OpenFile(File);
        var closer = new Thread(() =>
        {
            Thread.Sleep(30);
            mutex.Dispose();
        });
        closer.Start();
        Assert.True(SharedObject.DeleteFile(File));
        closer.Join();
    }

    [TmpfsFact]
    public void Makers_at_once_need_room_for_one_of_them()
    {
        string disk = Directory.CreateDirectory(Path.Combine(_site.Root, "disk")).FullName, path = Path.Combine(disk, "array");
        TmpfsFactAttribute.Mount(disk, "size=20m");
        try
        {
            for (int round = 0; round < 5; round++)
            {
                Exception? fault = null;
                Thread[] makers = [.. Enumerable.Range(0, 8).Select(_ => new Thread(() =>
                {
                    try
                    {
                        using var array = SharedArray<long>.OpenFile(path, 2_000_000);
                        Interlocked.Increment(ref array[0]);
                    }
                    catch (QueueException exception)
                    {
                        fault = exception;
                    }
                }))];
                Array.ForEach(makers, static maker => maker.Start());
                Array.ForEach(makers, static maker => maker.Join());
                Assert.Null(fault);
                using (var array = SharedArray<long>.OpenFile(path))
                {
                    Assert.Equal(8, array[0]);
                }
                Assert.True(SharedObject.DeleteFile(path));
                Assert.Empty(Directory.EnumerateFileSystemEntries(disk));
            }
        }
        finally
        {
            TmpfsFactAttribute.Unmount(disk);
        }
    }

    // A crowd of makers, none of which finds room, must not wait for each other's blocks.
    [TmpfsFact]
    public void Makers_at_once_that_have_no_room_are_all_told()
    {
        string disk = Directory.CreateDirectory(Path.Combine(_site.Root, "disk")).FullName, path = Path.Combine(disk, "array");
        TmpfsFactAttribute.Mount(disk, "size=1m");
        try
        {
            int told = 0;
            Thread[] makers = [.. Enumerable.Range(0, 8).Select(_ => new Thread(() =>
            {
                Assert.Throws<QueueFullException>(() => SharedArray<long>.OpenFile(path, 2_000_000));
                Interlocked.Increment(ref told);
            }))];
            Array.ForEach(makers, static maker => maker.Start());
            Array.ForEach(makers, static maker => maker.Join());
            Assert.Equal(8, told);
            Assert.Empty(Directory.EnumerateFileSystemEntries(disk));
        }
        finally
        {
            TmpfsFactAttribute.Unmount(disk);
        }
    }

    // A maker that was killed has blocks until another one deletes its file; a maker that is stopped keeps them.
    [TmpfsFact]
    public void A_dead_makers_blocks_are_given_back_where_they_are_needed_and_a_stopped_ones_are_not()
    {
        string disk = Directory.CreateDirectory(Path.Combine(_site.Root, "disk")).FullName, path = Path.Combine(disk, "array");
        TmpfsFactAttribute.Mount(disk, "size=20m");
        try
        {
            using (Peer stopped = StartMaker().WaitForStop())
            {
                Assert.Throws<QueueFullException>(() => SharedArray<long>.OpenFile(path, 2_000_000));
                stopped.Kill();
            }
            using var array = SharedArray<long>.OpenFile(path, 2_000_000);
            Assert.Equal([path], Directory.EnumerateFileSystemEntries(disk));
        }
        finally
        {
            TmpfsFactAttribute.Unmount(disk);
        }

        Peer StartMaker() => Peer.StartToStop(_site, ProtocolStep.SharedFileWritten, 1, "shared-open", "length=2000000", $"path={path}");
    }

    [TmpfsFact]
    public void On_a_full_file_system_making_is_an_exception_and_leaves_nothing()
    {
        string disk = Directory.CreateDirectory(Path.Combine(_site.Root, "disk")).FullName, path = Path.Combine(disk, "array");
        TmpfsFactAttribute.Mount(disk, "size=1m");
        try
        {
            Assert.Throws<QueueFullException>(() => SharedArray<long>.OpenFile(path, 1_000_000));
            Assert.Empty(Directory.EnumerateFileSystemEntries(disk));
            using (var array = SharedArray<long>.OpenFile(path, 10_000))
            {
                Site.FillDisk(disk, leave: 0);
                // Every block is there already: this ends no process.
                array.Span.Fill(1);
                using var joined = SharedArray<long>.OpenFile(path);
                joined.AcquireWrite().Dispose();
                Assert.Throws<QueueFullException>(() => SharedMutex.OpenFile(path + "2"));
            }
            Assert.Equal(["array", "filler"], Directory.EnumerateFileSystemEntries(disk).Select(Path.GetFileName).Order());
        }
        finally
        {
            TmpfsFactAttribute.Unmount(disk);
        }
    }

    public void Dispose() => _site.Dispose();
}
