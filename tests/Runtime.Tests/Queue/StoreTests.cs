using BlitQueue.Log;
using BlitQueue.Tests.Processes;
using Xunit;

namespace BlitQueue.Tests.Queue;

/// <summary>A directory of queues.</summary>
public sealed class StoreTests : IDisposable
{
    private static readonly QueueOptions Small = new() { SegmentSize = 1 << 16 };

    private readonly Site _site = new();

    [Fact]
    public void A_store_is_made_where_there_is_none_and_its_queues_are_queues_like_any_other()
    {
        string path = Path.Combine(_site.Root, "new", "store");
        Directory.CreateDirectory(Path.GetDirectoryName(path)!);
        using (var store = MappedStore.Open(path, Small))
        {
            Assert.Equal(path, store.Path);
            store.OpenQueue<Note>("notes").Enqueue(QueueFixture.Of(1));
        }
        using (var alone = MappedQueue<Note>.Open(Path.Combine(path, "notes")))
        {
            alone.Enqueue(QueueFixture.Of(2));
        }
        using var again = MappedStore.Open(path + "/");
        Assert.Equal([1, 2], QueueFixture.Drain(again.OpenQueue<Note>("notes")));
    }

    [Fact]
    public void A_directory_that_contains_queues_already_becomes_a_store()
    {
        using var before = MappedQueue<Note>.Open(Path.Combine(_site.Root, "notes"), Small);
        before.Enqueue(QueueFixture.Of(1));
        using var store = MappedStore.Open(_site.Root, Small);
        using QueueTransaction transaction = store.Begin();
        Note? note = null;
        Assert.True(transaction.TryReceive(store.OpenQueue<Note>("notes"), ref note));
        transaction.Commit();
        Assert.Empty(QueueFixture.Drain(before));
    }

    [Theory]
    [InlineData("")]
    [InlineData(".")]
    [InlineData("..")]
    [InlineData("../other")]
    [InlineData("a/b")]
    [InlineData("a b")]
    [InlineData("store.lock")]
    [InlineData("store.transactions")]
    public void Names_that_cannot_be_a_queues_are_refused(string name)
    {
        using var store = MappedStore.Open(_site.Root, Small);
        Assert.Throws<ArgumentException>(() => store.OpenQueue<Note>(name));
        Assert.Throws<ArgumentException>(() => store.OpenQueue<Note>(new string('a', 101)));
    }

    [Fact]
    public void A_queue_is_no_store_and_a_store_no_queue()
    {
        using (MappedQueue<Note>.Open(_site.Queue, Small))
        {
        }
        Assert.Contains("is a queue", Assert.Throws<QueueException>(() => MappedStore.Open(_site.Queue)).Message, StringComparison.Ordinal);
        using (MappedStore.Open(_site.Root))
        {
        }
        Assert.Throws<QueueException>(() => MappedQueue<Note>.Open(_site.Root));
        string file = Path.Combine(_site.Root, "file");
        File.WriteAllText(file, "");
        Assert.Throws<QueueException>(() => MappedStore.Open(file));
        Assert.Throws<ArgumentException>(() => MappedStore.Open(_site.Root, new QueueOptions { StallTimeout = TimeSpan.Zero }));
    }

    [Fact]
    public void A_link_to_a_queue_elsewhere_is_refused()
    {
        using (MappedQueue<Note>.Open(_site.Queue, Small))
        {
        }
        using var store = MappedStore.Open(Path.Combine(_site.Root, "store"), Small);
        Directory.CreateSymbolicLink(Path.Combine(store.Path, "linked"), _site.Queue);
        Assert.Contains(
            _site.Queue, Assert.Throws<QueueException>(() => store.OpenQueue<Note>("linked")).Message, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void A_store_file_that_is_damaged_or_missing_is_told(bool missing)
    {
        string file = Path.Combine(_site.Root, TransactionFormat.FileName);
        using (var store = MappedStore.Open(_site.Root))
        {
            if (missing)
            {
                File.Delete(file);
                Assert.Contains(
                    "missing", Assert.Throws<QueueCorruptException>(() => MappedStore.Open(_site.Root)).Message, StringComparison.Ordinal);
                return;
            }
        }
        File.WriteAllBytes(file, new byte[TransactionFormat.Size]);
        Assert.Throws<QueueCorruptException>(() => MappedStore.Open(_site.Root));
        File.WriteAllBytes(file, new byte[100]);
        Assert.Throws<QueueCorruptException>(() => MappedStore.Open(_site.Root));
    }

    [Fact]
    public void A_repaired_store_has_nothing_left_to_repair()
    {
        using (var store = MappedStore.Open(_site.Root))
        {
            store.OpenQueue<Note>("a").Enqueue(QueueFixture.Of(1));
        }
        string file = Path.Combine(_site.Root, TransactionFormat.FileName);
        File.WriteAllBytes(file, new byte[100]);
        Assert.Equal(file, Assert.Single(MappedQueue.Repair(_site.Root).Findings).File);
        Assert.Empty(MappedQueue.Repair(_site.Root).Findings);
        using var opened = MappedStore.Open(_site.Root);
        Assert.Equal([1], QueueFixture.Drain(opened.OpenQueue<Note>("a")));
    }

    [Fact]
    public void Opening_and_closing_leaves_nothing_open()
    {
        for (int i = 0; i < 100; i++)
        {
            using var store = MappedStore.Open(Path.Combine(_site.Root, "store"), Small);
            using QueueTransaction transaction = store.Begin();
            transaction.EnqueueToAll(QueueFixture.Of(i), store.OpenQueue<Note>("a"), store.OpenQueue<Note>("b"));
            transaction.Commit();
        }
        Assert.True(SpinWait.SpinUntil(() => _site.OpenFiles().Count == 0, TimeSpan.FromSeconds(5)));
    }

    public void Dispose() => _site.Dispose();
}
