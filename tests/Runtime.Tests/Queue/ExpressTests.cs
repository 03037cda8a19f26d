using BlitQueue.Log;
using BlitQueue.Platform;
using Xunit;

namespace BlitQueue.Tests.Queue;

[Collection(Processes.ProcessCollection.Name)]
[System.Runtime.Versioning.UnsupportedOSPlatform("windows")]
public sealed class ExpressTests : IDisposable
{
    private readonly string _name = $"test-{Guid.NewGuid():N}";

    [Fact]
    public void A_name_is_a_queue_in_shared_memory_that_stays_until_it_is_deleted()
    {
        string path;
        using (MappedQueue<Note> queue = MappedQueue<Note>.OpenExpress(_name), other = MappedQueue<Note>.OpenExpress(_name))
        {
            path = queue.Path;
            Assert.True(!OperatingSystem.IsLinux() || path.StartsWith($"/dev/shm/blitqueue-{CurrentPlatform.Instance.UserId}/"), path);
            queue.Enqueue(QueueFixture.Of(1));
            Note? note = null;
            Assert.True(other.TryDequeue(ref note));
            queue.Enqueue(QueueFixture.Of(2));
            Assert.Contains("is open", Assert.Throws<QueueException>(() => MappedQueue<Note>.DeleteExpress(_name)).Message);
            Assert.Equal(4 << 20, new FileInfo(Directory.GetFiles(path, "segment-*")[0]).Length);
            Assert.Contains("checksum off", File.ReadAllText(Path.Combine(path, "queue.meta")));
            Assert.Equal(16 << 20, queue.GetStatus().Capacity);
        }
        using (var queue = MappedQueue<Note>.OpenExpress(_name))
        {
            Assert.Equal([2], QueueFixture.Drain(queue));
        }
        Assert.True(MappedQueue<Note>.DeleteExpress(_name));
        Assert.False(Directory.Exists(path));
        Assert.False(MappedQueue<Note>.DeleteExpress(_name));
    }

    [Fact]
    public void What_is_asked_for_counts_and_what_is_there_is_joined()
    {
        using (var queue = MappedQueue<Note>.OpenExpress(
            _name, new QueueOptions { SegmentSize = 1 << 16, UseChecksums = true, Capacity = 5000 }))
        {
            Assert.Equal(5000, queue.GetStatus().Capacity);
            Assert.Contains("checksum on", File.ReadAllText(Path.Combine(queue.Path, "queue.meta")));
        }
        using var joined = MappedQueue<Note>.OpenExpress(_name);
        Assert.Equal(1 << 16, new FileInfo(Directory.GetFiles(joined.Path, "segment-*")[0]).Length);
        Assert.Throws<ArgumentException>(() => MappedQueue<Note>.OpenExpress(_name, new QueueOptions { SegmentSize = 1 << 20 }));
    }

    [Fact]
    public void A_ring_goes_round_in_few_segments()
    {
        using var queue = MappedQueue<Note>.OpenExpress(_name, new QueueOptions { FullMode = FullMode.DropOldest, Capacity = 2 << 20 });
        for (int id = 0; id < 20_000; id++)
        {
            queue.Enqueue(QueueFixture.Of(id, 1000));
        }
        Assert.InRange(Directory.GetFiles(queue.Path, "segment-*").Length, 2, 6);
        Assert.Equal(19_999, QueueFixture.Drain(queue)[^1]);
    }

    [Theory]
    [InlineData("")]
    [InlineData(".")]
    [InlineData("..")]
    [InlineData("../x")]
    [InlineData("a/b")]
    [InlineData("/etc/x")]
    [InlineData("a\\b")]
    [InlineData("a\0b")]
    [InlineData(".anonymous")]
    [InlineData("\u00e4")]
    [InlineData("a b")]
    [InlineData("x.new")]
    public void Names_that_could_lead_elsewhere_are_refused(string name)
    {
        Assert.Throws<ArgumentException>(() => MappedQueue<Note>.OpenExpress(name));
        Assert.Throws<ArgumentException>(() => MappedQueue<Note>.DeleteExpress(name));
    }

    [Fact]
    public void Options_that_do_not_fit_are_refused()
    {
        UnixFileMode shared = UnixFileMode.UserRead | UnixFileMode.UserWrite | UnixFileMode.GroupRead | UnixFileMode.GroupWrite;
        Assert.Contains(
            "FileMode",
            Assert.Throws<ArgumentException>(() => MappedQueue<Note>.OpenExpress(_name, new QueueOptions { FileMode = shared })).Message);
        string message = Assert.Throws<ArgumentException>(
            () => MappedQueue<Note>.OpenExpress(_name, new QueueOptions { SoftLimit = 17 << 20 })).Message;
        Assert.True(message.Contains("SoftLimit") && message.Contains("Capacity"), message);
    }

    [Fact]
    public void A_directory_that_is_a_link_or_open_to_others_is_not_used()
    {
        DirectoryInfo root = Directory.CreateTempSubdirectory("blitqueue-");
        try
        {
            string link = Path.Combine(root.FullName, "link"), open = Path.Combine(root.FullName, "open"),
                own = Path.Combine(root.FullName, "own");
            Directory.CreateDirectory(own, UnixFileMode.UserRead | UnixFileMode.UserWrite | UnixFileMode.UserExecute);
            Directory.CreateSymbolicLink(link, own);
            Directory.CreateDirectory(open);
            File.SetUnixFileMode(open, UnixFileMode.UserRead | UnixFileMode.UserWrite | UnixFileMode.UserExecute | UnixFileMode.OtherWrite);
            Assert.True(CurrentPlatform.Instance.IsPrivateDirectory(own));
            Assert.False(CurrentPlatform.Instance.IsPrivateDirectory(link));
            Assert.False(CurrentPlatform.Instance.IsPrivateDirectory(open));
            if (Environment.UserName != "root")
            {
                Assert.False(CurrentPlatform.Instance.IsPrivateDirectory("/proc/1"));
            }
        }
        finally
        {
            root.Delete(recursive: true);
        }
    }

    [Fact]
    public void Nothing_is_left_of_an_anonymous_queue()
    {
        string path;
        using (MappedQueue<Note> queue = MappedQueue<Note>.CreateAnonymous(), other = MappedQueue<Note>.CreateAnonymous())
        {
            Assert.NotEqual(queue.Path, other.Path);
            path = queue.Path;
            queue.Enqueue(QueueFixture.Of(1));
            using (Subscription<Note> subscription = queue.Subscribe("default"))
            {
                subscription.Receive().DeadLetter("no");
            }
            Assert.Empty(QueueFixture.Drain(other));
            Assert.True(Directory.Exists(path));
        }
        Assert.False(Directory.Exists(path));
    }

    [Fact]
    public void What_a_killed_process_left_of_an_anonymous_queue_the_next_one_removes()
    {
        using var site = new Processes.Site();
        string path;
        using var alive = MappedQueue<Note>.CreateAnonymous();
        using (Processes.Peer peer = Processes.Peer.Start(site, "anonymous").WaitFor("made"))
        {
            path = peer.Output.Split('\n').Single(static line => line.StartsWith("made ", StringComparison.Ordinal))[5..].Trim();
            Assert.True(Directory.Exists(path));
            MappedQueue<Note>.CreateAnonymous().Dispose();
            Assert.True(Directory.Exists(path), "A live process's queue was removed.");
            peer.Kill();
            peer.WaitForDeath();
        }
        Assert.True(Directory.Exists(path));
        using var next = MappedQueue<Note>.CreateAnonymous();
        Assert.False(Directory.Exists(path));
        alive.Enqueue(QueueFixture.Of(1));
        Assert.Equal([1], QueueFixture.Drain(alive));
    }

    [Fact]
    public void Processes_that_open_and_delete_a_queue_and_are_killed_leave_the_others_a_whole_one()
    {
        const int processes = 3, kills = 16, turns = 20;
        using var site = new Processes.Site(inMemory: true);
        string[] options = [$"name={_name}"];
        Processes.Peer[] peers = [.. Enumerable.Range(0, processes).Select(_ => Processes.Peer.Start(site, "express", options))];
        // They work until all others were started and killed.
        Array.ForEach(peers, static peer => peer.LetLive());
        for (int kill = 0; kill < kills; kill++)
        {
            using Processes.Peer dying = Processes.Peer.Start(site, "express", options).WaitFor("turn");
            Thread.Sleep(kill * 7 % 10);
            dying.Kill();
            dying.WaitForDeath();
        }
        foreach (Processes.Peer peer in peers)
        {
            peer.EndInput();
            Assert.True(peer.WaitForExit() == 0, peer.Said);
            Assert.InRange(peer.Output.Split("turn").Length, turns, int.MaxValue);
            peer.Dispose();
        }
        MappedQueue<BlitQueue.Peer.Parcel>.OpenExpress(_name).Dispose();
    }

    [Fact]
    public void What_a_killed_process_left_of_a_deleted_queue_the_next_deletion_removes()
    {
        string path;
        using (MappedQueue<Note> queue = MappedQueue<Note>.OpenExpress(_name), anonymous = MappedQueue<Note>.CreateAnonymous())
        {
            path = Path.Combine(Path.GetDirectoryName(anonymous.Path)!, "deleted-of-the-dead");
            Directory.CreateDirectory(path);
            File.Copy(Directory.GetFiles(queue.Path, "segment-*")[0], Path.Combine(path, "segment-0000000000000000"));
        }
        Assert.True(MappedQueue<Note>.DeleteExpress(_name));
        Assert.False(Directory.Exists(path));
    }

    [Fact]
    public void What_a_killed_process_left_of_a_deleted_queue_goes_where_there_is_none_to_delete_too()
    {
        string path;
        using (var anonymous = MappedQueue<Note>.CreateAnonymous())
        {
            path = Path.Combine(Path.GetDirectoryName(anonymous.Path)!, "deleted-of-the-dead");
            Directory.CreateDirectory(path);
        }
        Assert.False(MappedQueue<Note>.DeleteExpress(_name));
        Assert.False(Directory.Exists(path));
    }

    public void Dispose() => MappedQueue<Note>.DeleteExpress(_name);
}
