using BlitQueue.Log;
using BlitQueue.Platform;
using Xunit;

namespace BlitQueue.Tests.Processes;

/// <summary>Where a queue may stand, and what can be promised there.</summary>
[Collection(ProcessCollection.Name)]
public sealed class FileSystemTests : IDisposable
{
    private readonly Site _site = new();

    [Theory]
    [InlineData(Durability.Commit)]
    [InlineData(Durability.Interval)]
    public void What_is_to_be_durable_is_refused_in_shared_memory(Durability durability)
    {
        using var memory = new Site(inMemory: true);
        QueueException refused = Assert.Throws<QueueException>(
            () => MappedQueue<Parcel>.Open(memory.Queue, new QueueOptions { Durability = durability }));
        Assert.Contains(memory.Queue, refused.Message, StringComparison.Ordinal);
        Assert.Contains("tmpfs", refused.Message, StringComparison.Ordinal);
        Assert.Contains($"QueueOptions.Durability {durability}", refused.Message, StringComparison.Ordinal);
        Assert.Contains("Durability.PageCache", refused.Message, StringComparison.Ordinal);
        Assert.False(Directory.Exists(memory.Queue));
    }

    [Fact]
    public async Task In_shared_memory_nothing_is_flushed_and_no_message_is_called_durable()
    {
        using var memory = new Site(inMemory: true);
        using var queue = MappedQueue<Parcel>.Open(memory.Queue);
        Parcel parcel = new Parcel().Fill(1, 0, 10);
        Assert.Contains("Flush", Assert.Throws<QueueException>(() => queue.Flush()).Message, StringComparison.Ordinal);
        await Assert.ThrowsAsync<QueueException>(() => queue.FlushAsync().AsTask());
        Assert.Contains(
            "Durability.Commit", Assert.Throws<QueueException>(() => queue.Enqueue(in parcel, Durability.Commit)).Message,
            StringComparison.Ordinal);
        await Assert.ThrowsAsync<QueueException>(() => queue.EnqueueAsync(parcel, Durability.Interval).AsTask());
        var options = new SubscriptionOptions { DurableOnly = true };
        Assert.Contains(
            "DurableOnly", Assert.Throws<QueueException>(() => queue.Subscribe("default", options)).Message, StringComparison.Ordinal);
        queue.Enqueue(in parcel, Durability.PageCache);
        Assert.Equal(1, queue.GetStatus().MessageCount);
        Assert.Equal(SegmentFormat.PageSize, queue.DurablePosition.Value);
    }

    [MountFact]
    public void A_network_file_system_is_refused()
    {
        using var mount = new FuseMount(_site.Root, "fuse.sshfs");
        QueueException refused = Assert.Throws<QueueException>(() => MappedQueue<Parcel>.Open(_site.Queue));
        Assert.Contains(_site.Queue, refused.Message, StringComparison.Ordinal);
        Assert.Contains("network file system (fuse.sshfs)", refused.Message, StringComparison.Ordinal);
    }

    // What is not known to be far away is not refused for it: the queue merely cannot be made in an empty directory that takes no files.
    [MountFact]
    public void A_file_system_outside_of_the_kernel_may_be_a_local_one()
    {
        using var mount = new FuseMount(_site.Root, "fuse.ntfs-3g");
        Exception refused = Assert.ThrowsAny<Exception>(() => MappedQueue<Parcel>.Open(_site.Queue));
        Assert.DoesNotContain("network", refused.Message, StringComparison.Ordinal);
    }

    // Neither can be mounted here.
    [Theory]
    [InlineData("zfs", true), InlineData("bcachefs", true)]
    [InlineData("ext4", false), InlineData("xfs", false), InlineData("btrfs", false), InlineData("tmpfs", false)]
    public void What_a_file_system_cannot_promise_is_told_by_its_name(string name, bool isTold)
    {
        string? caution = new StoreMedium(FileSystems.KindOf(name), name).CautionFor("/somewhere/queue");
        Assert.Equal(isTold, caution is not null);
        Assert.Equal(isTold, caution?.Contains($"/somewhere/queue is on {name}, ", StringComparison.Ordinal) == true);
        using var queue = MappedQueue<Parcel>.Open(_site.Queue);
        Assert.Equal(StoreMedium.Of(_site.Queue).CautionFor(queue.Path), queue.FileSystemCaution);
    }

    // Of those that cannot be mounted here the names must do.
    [Theory]
    [InlineData("nfs"), InlineData("nfs4"), InlineData("cifs"), InlineData("smb3"), InlineData("9p"), InlineData("ceph"), InlineData("afs")]
    [InlineData("fuse.sshfs"), InlineData("fuse.glusterfs"), InlineData("lustre")]
    public void A_network_file_system_is_known_by_its_name(string name) => Assert.Equal(FileSystemKind.Network, FileSystems.KindOf(name));

    [Theory]
    [InlineData("ext4", "Disk"), InlineData("xfs", "Disk"), InlineData("btrfs", "Disk"), InlineData("overlay", "Disk"),
        InlineData("apfs", "Disk")]
    [InlineData("NTFS", "Disk"), InlineData("fuseblk", "Disk"), InlineData("tmpfs", "Memory"), InlineData("ramfs", "Memory")]
    public void Others_are_not_taken_for_one(string name, string kind) => Assert.Equal(kind, FileSystems.KindOf(name).ToString());

    [Fact]
    public void Where_a_directory_would_be_made_is_looked_at_before_it_is()
    {
        Assert.True(StoreMedium.Of("/dev/shm/not/there/yet").IsMemory);
        Assert.False(StoreMedium.Of(Path.Combine(_site.Root, "not", "there")).IsMemory);
    }

    public void Dispose() => _site.Dispose();
}
