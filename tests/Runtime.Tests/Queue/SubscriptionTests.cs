using System.Runtime.CompilerServices;
using BlitQueue.Log;
using BlitQueue.Memory;
using BlitQueue.Tests.Processes;
using BlitQueue.Tests.Segments;
using Xunit;

namespace BlitQueue.Tests.Queue;

public sealed class SubscriptionTests : QueueFixture
{
    private static readonly SubscriptionOptions AtEnd = new() { Start = SubscriptionStart.Newest };

    // A thread of the pool that brings subscriptions to the disk before segments go is inside of no call.
    [Fact]
    public void What_looks_into_subscriptions_outside_of_a_call_has_them_mapped_until_it_ends()
    {
        using MappedQueue<Note> queue = Open();
        queue.Subscribe("brief").Dispose();
        SubscriptionFile brief = queue.Store.Subscriptions.Find("brief")!;
        queue.Store.Subscriptions.WhileMapped(() =>
        {
            ref long word = ref brief.Returned;
            queue.DeleteSubscription("brief");
            queue.Subscribe("another").Dispose();
            queue.DeleteSubscription("another");
            // Only Linux tells what is mapped. Where a mapped file cannot be deleted, it has another name by now.
            Assert.True(!OperatingSystem.IsLinux() || OpenFiles().Exists(static file =>
                file.Contains("subscription-brief", StringComparison.Ordinal) || file.Contains("-aside-", StringComparison.Ordinal)));
            Assert.Equal(0, word);
        });
        queue.Subscribe("last").Dispose();
        Assert.DoesNotContain(OpenFiles(), static file => file.Contains("subscription-brief", StringComparison.Ordinal));
    }

    [Fact]
    public void Each_subscription_sees_every_message()
    {
        using MappedQueue<Note> queue = Open();
        using Subscription<Note> audit = queue.Subscribe("audit"), report = queue.Subscribe("report");
        Enqueue(queue, 0, 10);
        Assert.Equal(Ids(0, 10), Drain(audit));
        Assert.Equal(Ids(0, 10), Drain(queue));
        Enqueue(queue, 10, 5);
        Assert.Equal(Ids(0, 15), Drain(report));
        Assert.Equal(Ids(10, 5), Drain(audit));
    }

    [Fact]
    public void Consumers_of_one_subscription_compete()
    {
        using MappedQueue<Note> queue = Open(), other = Open();
        using Subscription<Note> here = queue.Subscribe("audit"), there = other.Subscribe("audit");
        Enqueue(queue, 0, 2);
        Note? first = null, second = null, third = null;
        Assert.True(here.TryDequeue(ref first) && there.TryDequeue(ref second));
        Assert.Equal([0L, 1L], [first!.Id, second!.Id]);
        Assert.False(here.TryDequeue(ref third) || there.TryDequeue(ref third));
    }

    [Fact]
    public void A_purge_skips_a_subscription_that_is_deleted_meanwhile()
    {
        using MappedQueue<Note> queue = Open(), other = Open();
        int accesses = Purge(int.MaxValue);
        for (int access = 1; access <= accesses; access++)
        {
            Purge(access);
        }

        int Purge(int interruptedBefore)
        {
            using Subscription<Note> gone = queue.Subscribe("gone");
            Enqueue(queue, 1, 1);
            SubscriptionFile file = queue.Store.Subscriptions.Find("gone")!;
            int passed;
            using (queue.Store.Gate.Enter())
            {
                using Cursor<InterruptedMemory> cursor = queue.Store.CursorOf<InterruptedMemory>(file);
                InterruptedMemory.Before(interruptedBefore, () => Assert.True(other.DeleteSubscription("gone")));
                cursor.MoveTo(MachineMemory.Load(ref queue.Store.Control.Tail), onlyForward: true);
                passed = InterruptedMemory.End();
            }
            queue.DeleteSubscription("gone");
            return passed;
        }
    }

    // The log's end at which a purge began may lie behind the consumer when it comes to its subscription.
    [Fact]
    public async Task A_purge_beside_a_consumer_brings_nothing_back()
    {
        using MappedQueue<Note> queue = Open();
        using var ended = new CancellationTokenSource();
        var purging = Task.Run(() =>
        {
            using MappedQueue<Note> other = Open();
            while (!ended.IsCancellationRequested)
            {
                other.Purge();
            }
        });
        Note? note = null;
        long last = -1;
        for (int id = 0; id < 200_000; id++)
        {
            Enqueue(queue, id, 1);
            if (queue.TryDequeue(ref note))
            {
                Assert.True(note!.Id > last, $"{note.Id} came after {last}");
                last = note.Id;
            }
        }
        await ended.CancelAsync();
        await purging;
    }

    [Fact]
    public void A_new_one_starts_at_the_oldest_message_that_another_needs_or_at_the_end()
    {
        using MappedQueue<Note> queue = Open();
        Enqueue(queue, 0, 10);
        Note? note = null;
        Assert.True(queue.TryDequeue(ref note) && queue.TryDequeue(ref note));
        using Subscription<Note> all = queue.Subscribe("all"), fresh = queue.Subscribe("fresh", AtEnd);
        Enqueue(queue, 10, 3);
        Assert.Equal(Ids(2, 11), Drain(all));
        Assert.Equal(Ids(10, 3), Drain(fresh));
        // Seeking still reaches what happens to be on disk.
        all.Seek(QueuePosition.Oldest);
        Assert.Equal(Ids(0, 13), Drain(all));
    }

    [Fact]
    public void Its_position_outlives_every_handle()
    {
        using (MappedQueue<Note> queue = Open())
        {
            using Subscription<Note> audit = queue.Subscribe("audit");
            Enqueue(queue, 0, 10);
            Note? note = null;
            Assert.True(audit.TryDequeue(ref note) && audit.TryDequeue(ref note));
        }
        using MappedQueue<Note> again = Open();
        using Subscription<Note> later = again.Subscribe("audit", AtEnd);
        Assert.Equal(Ids(2, 8), Drain(later));
    }

    [Fact]
    public void A_slow_one_keeps_the_segments_that_it_needs()
    {
        using MappedQueue<Note> queue = Open();
        using Subscription<Note> slow = queue.Subscribe("slow");
        for (int id = 0; id < 300; id++)
        {
            queue.Enqueue(Of(id, 1000));
            Drain(queue);
        }
        Assert.Equal(Ids(0, 300), Drain(slow));
    }

    [Fact]
    public void One_made_by_another_handle_retains_this_ones_segments_too()
    {
        using MappedQueue<Note> queue = Open(), other = Open();
        Enqueue(queue, 0, 1);
        using Subscription<Note> slow = other.Subscribe("slow");
        for (int id = 1; id < 300; id++)
        {
            queue.Enqueue(Of(id, 1000));
            Drain(queue);
        }
        Assert.Equal(Ids(0, 300), Drain(slow));
    }

    [Fact]
    public void A_deleted_one_says_so_to_who_still_uses_it_and_can_be_made_anew()
    {
        using MappedQueue<Note> queue = Open(), other = Open();
        Subscription<Note> audit = queue.Subscribe("audit");
        Enqueue(queue, 0, 5);
        Assert.True(audit.TryReceive(out Lease<Note> lease));
        Assert.True(other.DeleteSubscription("audit"));
        Assert.False(other.DeleteSubscription("audit"));
        Note? note = null;
        Assert.Contains(
            "'audit' was deleted", Assert.Throws<QueueException>(() => audit.TryDequeue(ref note)).Message, StringComparison.Ordinal);
        Assert.Throws<QueueException>(() => audit.TryReceive(out _));
        Assert.Throws<QueueException>(() => lease.Commit());
        Assert.Throws<QueueException>(() => audit.Seek(QueuePosition.Oldest));
        Assert.DoesNotContain("subscription-audit", Site.Files());
        using Subscription<Note> anew = queue.Subscribe("audit");
        Assert.Equal(Ids(0, 5), Drain(anew));
        audit.Dispose();
    }

    // To look through the directory allocates for each name that it finds there.
    [Fact]
    public void Deleting_one_of_many_looks_at_no_other()
    {
        const int Many = 150;
        using MappedQueue<Note> queue = Open();
        for (int number = 0; number < Many; number++)
        {
            queue.Subscribe($"one-{number}").Dispose();
        }
        Assert.True(queue.DeleteSubscription("one-0"));
        long before = GC.GetAllocatedBytesForCurrentThread();
        Assert.True(queue.DeleteSubscription("one-1"));
        Assert.InRange(GC.GetAllocatedBytesForCurrentThread() - before, 0, 10_000);
        Assert.Equal(Many - 1, queue.GetStatus().Subscriptions.Count);
    }

    [Fact]
    public void A_consumer_that_waits_hears_of_the_deletion()
    {
        using MappedQueue<Note> queue = Open();
        using Subscription<Note> audit = queue.Subscribe("audit");
        Exception? heard = null;
        var waiter = new Thread(() => heard = Record.Exception(() => audit.Receive()));
        waiter.Start();
        Thread.Sleep(50);
        queue.DeleteSubscription("audit");
        Assert.True(waiter.Join(TimeSpan.FromSeconds(30)));
        Assert.IsType<QueueException>(heard);
    }

    [Fact]
    public void A_queue_without_the_default_subscription_says_so()
    {
        using MappedQueue<Note> queue = Open(new QueueOptions { SegmentSize = 1 << 16, CreateDefaultSubscription = false });
        using MappedQueue<Note> other = Open();
        Enqueue(queue, 0, 3);
        Note? note = null;
        Assert.Contains(
            "DefaultSubscription", Assert.Throws<QueueException>(() => queue.TryDequeue(ref note)).Message, StringComparison.Ordinal);
        Assert.Empty(queue.GetStatus().Subscriptions);
        using Subscription<Note> made = other.Subscribe("default");
        Assert.Equal(Ids(0, 3), Drain(queue));
    }

    [Theory]
    [InlineData("")]
    [InlineData("a/b")]
    [InlineData("..\\b")]
    [InlineData("a b")]
    [InlineData("audit.new")]
    public void A_name_that_is_no_file_name_everywhere_is_refused(string name)
    {
        using MappedQueue<Note> queue = Open();
        string[] before = Site.Files();
        Assert.Contains($"'{name}'", Assert.Throws<ArgumentException>(() => queue.Subscribe(name)).Message, StringComparison.Ordinal);
        Assert.Equal(before, Site.Files());
    }

    internal static void Enqueue(MappedQueue<Note> queue, int first, int count)
    {
        for (int id = first; id < first + count; id++)
        {
            queue.Enqueue(Of(id));
        }
    }

    internal static long[] Ids(int first, int count) => [.. Enumerable.Range(first, count).Select(static id => (long)id)];

    // The soak campaign found them in every process that had the queue open, one for each that was ever made.
    [Fact]
    public void Deleted_subscriptions_do_not_stay_mapped()
    {
        using MappedQueue<Note> queue = Open(), other = Open();
        Enqueue(queue, 0, 1);
        for (int i = 0; i < 40; i++)
        {
            MakeUseAndDelete(queue);
            Assert.True(other.GetStatus().MessageCount > 0);
            GC.Collect();
        }
        int mapped = OwnProcess.Mappings(queue.Path).Count(static line => line.Contains("brief", StringComparison.Ordinal));
        Assert.InRange(mapped, 0, 12);
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static void MakeUseAndDelete(MappedQueue<Note> queue)
    {
        using (Subscription<Note> brief = queue.Subscribe("brief"))
        {
            Assert.True(brief.TryReceive(out Lease<Note> lease));
        }
        Assert.True(queue.DeleteSubscription("brief"));
    }

    // What the program still holds is answered, and not a fault of memory.
    [Fact]
    public void A_lease_of_a_deleted_subscription_is_refused_however_late()
    {
        using MappedQueue<Note> queue = Open();
        Enqueue(queue, 0, 1);
        Subscription<Note> gone = queue.Subscribe("gone");
        Assert.True(gone.TryReceive(out Lease<Note> lease));
        gone.Dispose();
        queue.DeleteSubscription("gone");
        for (int i = 0; i < 5; i++)
        {
            MakeUseAndDelete(queue);
            GC.Collect();
        }
        Assert.Contains("deleted", Assert.Throws<QueueException>(() => lease.Commit()).Message, StringComparison.Ordinal);
    }

    internal static long[] Drain(Subscription<Note> subscription)
    {
        List<long> ids = [];
        Note? note = null;
        while (subscription.TryDequeue(ref note))
        {
            ids.Add(note!.Id);
        }
        return [.. ids];
    }
}
