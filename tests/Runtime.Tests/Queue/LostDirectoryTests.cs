using BlitQueue.Log;
using BlitQueue.Peer;
using BlitQueue.Platform;
using BlitQueue.Tests.Processes;
using Microsoft.Win32.SafeHandles;
using Xunit;

namespace BlitQueue.Tests.Queue;

/// <summary>The directory of an open queue is taken away, or holds another queue by now.</summary>
public sealed class LostDirectoryTests : IDisposable
{
    private const int Length = 6000, Count = 60;

    private static readonly QueueOptions Small = new() { SegmentSize = 1 << 16, UseChecksums = true };

    private readonly Site _disk = new(), _memory = new(inMemory: true);
    private Site _site;

    public LostDirectoryTests() => _site = _disk;

    // It knows its segments by their positions alone, and the other queue has files of the same names.
    [Fact]
    public void Who_has_a_deleted_queue_open_uses_up_no_segment_of_the_one_that_was_made_instead()
    {
        using MappedQueue<Parcel> old = Open();
        Fill(old, 0, 25);
        Drain(old, 0, 15);
        // Not while it makes a segment: it has looked by then whose directory that is.
        Assert.True(SpinWait.SpinUntil(() => old.Store.Allocator.IsReady(3), TimeSpan.FromSeconds(30)));
        Directory.Delete(_site.Queue, recursive: true);
        using MappedQueue<Parcel> anew = Open();
        Fill(anew, 1000, Count);

        // Which of the two it finds out first, that the directory is another or that a segment is, depends on what was made ahead.
        QueueException said = Assert.ThrowsAny<QueueException>(() => Fill(old, 25, 100));

        Assert.Contains(_site.Queue, said.Message, StringComparison.Ordinal);
        Assert.Throws<QueueException>(() => old.DeleteSubscription("default"));
        Assert.Throws<QueueException>(old.Purge);
        Fill(anew, 1000 + Count, Count);
        Drain(anew, 1000, 2 * Count);
    }

    [Fact]
    public void A_directory_that_is_put_back_is_gone_on_with()
    {
        string elsewhere = _site.Queue + "-elsewhere";
        using MappedQueue<Parcel> queue = Open();
        Fill(queue, 0, 1);
        Directory.Move(_site.Queue, elsewhere);
        Assert.Throws<QueueException>(() => queue.Subscribe("other"));
        Directory.Move(elsewhere, _site.Queue);
        Fill(queue, 1, Count);
        Drain(queue, 0, 1 + Count);
    }

    [Theory]
    [InlineData(false, false)]
    [InlineData(true, false)]
    [InlineData(false, true)]
    [InlineData(true, true)]
    public void Enqueues_are_denied_soon_after_the_directory_went_until_it_is_back(bool isMadeAnew, bool isInMemory)
    {
        _site = isInMemory ? _memory : _disk;
        string elsewhere = _site.Queue + "-elsewhere";
        using MappedQueue<Parcel> queue = Open();
        Fill(queue, 0, 1);
        Directory.Move(_site.Queue, elsewhere);
        if (isMadeAnew)
        {
            Open().Dispose();
        }
        int number = 1;
        QueueException said = Assert.Throws<QueueException>(() =>
        {
            for (; number < 1_000_000; number++)
            {
                queue.Enqueue(new Parcel().Fill(1, number, 10));
                Thread.Sleep(10);
            }
        });
        Assert.Equal(QueueError.DirectoryReplaced, said.Reason);
        Assert.Contains(_site.Queue, said.Message, StringComparison.Ordinal);
        Assert.Throws<QueueException>(() => queue.EnqueueBatch([new Parcel().Fill(1, number, 10)]));
        if (isMadeAnew)
        {
            Directory.Delete(_site.Queue, recursive: true);
        }
        Directory.Move(elsewhere, _site.Queue);
        Assert.True(SpinWait.SpinUntil(() => Goes(queue, number), TimeSpan.FromSeconds(30)));
        Drain(queue, 0, number + 1);
    }

    /// <summary>A worker whose directory somebody deleted, and made anew by the next sender: it would wait for ever.</summary>
    [Theory]
    [InlineData(false, false)]
    [InlineData(true, false)]
    [InlineData(false, true)]
    [InlineData(true, true)]
    public async Task Who_waits_is_told_soon_after_the_directory_went(bool isMadeAnew, bool isInMemory)
    {
        _site = isInMemory ? _memory : _disk;
        using MappedQueue<Parcel> queue = Open();
        using Subscription<Parcel> subscription = queue.Subscribe("default");
        using QueueCursor<Parcel> cursor = queue.OpenCursor(QueuePosition.Newest);
        Task[] waits =
        [
            Task.Run(() => queue.Dequeue()), Task.Run(() => subscription.Receive(TimeSpan.FromMinutes(5))),
            Task.Run(() => subscription.DeadLetters.Receive()), queue.DequeueAsync().AsTask(), subscription.ReceiveAsync().AsTask(),
            cursor.ReadAsync().AsTask(), subscription.DeadLetters.ReceiveAsync(TimeSpan.FromMinutes(5)).AsTask(),
            subscription.ProcessAsync(static (_, _) => default),
        ];
        await Task.Delay(100);
        Assert.DoesNotContain(waits, static wait => wait.IsCompleted);
        Directory.Delete(_site.Queue, recursive: true);
        if (isMadeAnew)
        {
            using MappedQueue<Parcel> anew = Open();
            Fill(anew, 0, 1);
        }
        foreach (Task wait in waits)
        {
            QueueException said = await Assert.ThrowsAsync<QueueException>(() => wait.WaitAsync(TimeSpan.FromSeconds(60)));
            Assert.Equal(QueueError.DirectoryReplaced, said.Reason);
        }
        Assert.Throws<QueueException>(() => queue.Dequeue());
        Assert.Equal(QueueError.DirectoryReplaced, (await Assert.ThrowsAsync<QueueException>(() => queue.DequeueAsync().AsTask())).Reason);
    }

    // More queues than are looked at each time stay where they are, in front of those that do not.
    [Fact]
    public async Task Of_thousands_of_queues_each_wait_is_told()
    {
        const int count = 2100, stay = 1500;
        _site = _memory;
        MappedQueue<Parcel>[] queues =
            [.. Enumerable.Range(0, count).Select(number => MappedQueue<Parcel>.Open($"{_site.Queue}-{number}", Small))];
        try
        {
            Task<Parcel>[] waits = [.. queues.Select(static queue => queue.DequeueAsync().AsTask())];
            for (int number = stay; number < count; number++)
            {
                Directory.Delete($"{_site.Queue}-{number}", recursive: true);
            }
            foreach (Task<Parcel> wait in waits[stay..])
            {
                QueueException said = await Assert.ThrowsAsync<QueueException>(() => wait.WaitAsync(TimeSpan.FromSeconds(60)));
                Assert.Equal(QueueError.DirectoryReplaced, said.Reason);
            }
            Assert.DoesNotContain(waits[..stay], static wait => wait.IsCompleted);
            Fill(queues[0], 0, 1);
            Assert.Equal(0, (await waits[0].WaitAsync(TimeSpan.FromSeconds(60))).Number);
        }
        finally
        {
            Array.ForEach(queues, static queue => queue.Dispose());
        }
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task Who_waits_for_room_is_told_too_and_enqueues_when_the_directory_is_back(bool isInMemory)
    {
        _site = isInMemory ? _memory : _disk;
        using var queue = MappedQueue<Parcel>.Open(_site.Queue, Small with { Capacity = 1 << 16 });
        int fitted = 0;
        while (queue.TryEnqueue(new Parcel().Fill(1, fitted, Length)))
        {
            fitted++;
        }
        Parcel parcel = new Parcel().Fill(1, fitted, Length);
        Task[] waits = [Task.Run(() => queue.Enqueue(parcel)), queue.EnqueueAsync(parcel).AsTask()];
        await Task.Delay(700);
        Assert.DoesNotContain(waits, static wait => wait.IsCompleted);
        Directory.Move(_site.Queue, _site.Queue + "-elsewhere");
        foreach (Task wait in waits)
        {
            QueueException said = await Assert.ThrowsAsync<QueueException>(() => wait.WaitAsync(TimeSpan.FromSeconds(60)));
            Assert.Equal(QueueError.DirectoryReplaced, said.Reason);
        }
        Directory.Move(_site.Queue + "-elsewhere", _site.Queue);
        // What waits in the directory that was open is given all the time.
        Drain(queue, 0, fitted);
        Assert.True(SpinWait.SpinUntil(() => Goes(queue, fitted), TimeSpan.FromSeconds(30)));
        Task<Parcel> waiting = queue.DequeueAsync().AsTask();
        Assert.Equal(fitted, (await waiting.WaitAsync(TimeSpan.FromSeconds(60))).Number);
    }

    private static bool Goes(MappedQueue<Parcel> queue, int number)
    {
        try
        {
            queue.Enqueue(new Parcel().Fill(1, number, 10));
            return true;
        }
        catch (QueueException)
        {
            return false;
        }
    }

    // Windows does not; but there no directory is moved in which a file is open.
    private bool TellsFilesApart()
    {
        using SafeFileHandle locks = File.OpenHandle(
            _site.File(StoreFormat.LockName), share: FileShare.ReadWrite | FileShare.Delete);
        return CurrentPlatform.Instance.LeadsTo(_site.File(StoreFormat.LockName), locks) is not null;
    }

    // It has the same names, the same content, and the same mark in its lock file.
    [Fact]
    public void A_copy_that_was_put_under_the_path_of_the_directory_gets_nothing_of_those_who_have_the_old_one_open()
    {
        using MappedQueue<Parcel> old = Open();
        if (!TellsFilesApart())
        {
            return;
        }
        Fill(old, 0, 1);
        // Not while it makes a segment: it has looked by then whose directory that is.
        Assert.True(SpinWait.SpinUntil(() => old.Store.Allocator.IsReady(1), TimeSpan.FromSeconds(30)));
        PutCopyInPlace();
        string[] before = [.. Directory.GetFiles(_site.Queue).Order()];

        Assert.Throws<QueueException>(() => old.Subscribe("other"));
        Assert.Throws<QueueException>(() => Fill(old, 1, 100));

        Assert.Equal(before, Directory.GetFiles(_site.Queue).Order());
        using MappedQueue<Parcel> anew = Open();
        Drain(anew, 0, 1);
        Fill(anew, 1000, Count);
        Drain(anew, 1000, Count);
    }

    // The copy is older than the segment: it is the directory that is wrong, and no segment is damaged.
    [Fact]
    public void A_copy_that_lacks_the_segment_of_the_tail_is_told_as_another_directory()
    {
        using MappedQueue<Parcel> old = Open();
        if (!TellsFilesApart())
        {
            return;
        }
        using (MappedQueue<Parcel> other = Open())
        {
            Fill(other, 0, 35);
        }
        PutCopyInPlace();
        foreach (string segment in Directory.GetFiles(_site.Queue, "segment-*").Order().Skip(1))
        {
            File.Delete(segment);
        }

        QueueException said = Assert.Throws<QueueException>(() => Fill(old, 35, 1));

        Assert.Contains("replaced", said.Message, StringComparison.Ordinal);
    }

    // Where it has a segment not mapped yet, it looks for it by its name.
    [Fact]
    public void A_copy_that_was_put_under_the_path_of_the_directory_is_not_appended_to_though_its_segments_are_there()
    {
        using MappedQueue<Parcel> old = Open();
        if (!TellsFilesApart())
        {
            return;
        }
        using (MappedQueue<Parcel> other = Open())
        {
            Fill(other, 0, 35);
        }
        PutCopyInPlace();
        Assert.Throws<QueueException>(() => Fill(old, 35, 1));
        Parcel? parcel = null;
        Assert.Throws<QueueException>(() =>
        {
            while (old.TryDequeue(ref parcel))
            {
            }
        });
        using MappedQueue<Parcel> anew = Open();
        Drain(anew, 0, 35);
        Assert.False(anew.TryDequeue(ref parcel));
    }

    [Fact]
    public void An_opening_that_fails_at_its_end_leaves_nothing_mapped_and_nothing_locked()
    {
        Open().Dispose();
        string file = Path.Combine(_site.Queue, "subscription-default");
        byte[] bytes = Site.Read(file);
        File.WriteAllBytes(file, bytes[..4096]);
        Assert.Throws<QueueCorruptException>(() => Open().Dispose());
        Assert.Empty(OwnProcess.Mappings(_site.Queue));
        File.WriteAllBytes(file, bytes);
        using MappedQueue<Parcel> queue = Open();
        Fill(queue, 0, 1);
        Drain(queue, 0, 1);
    }

    private void PutCopyInPlace()
    {
        string copy = _site.Queue + "-copy";
        Directory.CreateDirectory(copy);
        foreach (string file in Directory.GetFiles(_site.Queue))
        {
            File.Copy(file, Path.Combine(copy, Path.GetFileName(file)));
        }
        Directory.Move(_site.Queue, _site.Queue + "-elsewhere");
        Directory.Move(copy, _site.Queue);
    }

    private MappedQueue<Parcel> Open() => MappedQueue<Parcel>.Open(_site.Queue, Small);

    private static void Fill(MappedQueue<Parcel> queue, long first, long count)
    {
        for (long number = first; number < first + count; number++)
        {
            queue.Enqueue(new Parcel().Fill(1, number, Length));
        }
    }

    private static void Drain(MappedQueue<Parcel> queue, long first, long count)
    {
        Parcel? parcel = null;
        for (long number = first; number < first + count; number++)
        {
            Assert.True(queue.TryDequeue(ref parcel), $"Message {number} is not there.");
            Assert.True(parcel!.Number == number && parcel.IsIntact());
        }
    }

    public void Dispose()
    {
        _disk.Dispose();
        _memory.Dispose();
    }
}
