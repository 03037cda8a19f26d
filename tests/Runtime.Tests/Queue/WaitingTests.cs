using Xunit;

namespace BlitQueue.Tests.Queue;

public sealed class WaitingTests : QueueFixture
{
    private static readonly TimeSpan Patience = TimeSpan.FromSeconds(30);

    [Fact]
    public void A_waiting_dequeue_gets_what_is_enqueued_later()
    {
        using MappedQueue<Note> queue = Open();
        Note? note = null;
        var consumer = new Thread(() => queue.Dequeue(ref note));
        consumer.Start();
        Thread.Sleep(100);
        queue.Enqueue(Of(3));
        Assert.True(consumer.Join(Patience));
        Assert.Equal(3, note!.Id);
    }

    [Fact]
    public void A_cancelled_dequeue_ends_and_takes_nothing()
    {
        using MappedQueue<Note> queue = Open();
        using var cancellation = new CancellationTokenSource();
        Exception? thrown = null;
        var consumer = new Thread(() =>
        {
            Note? note = null;
            thrown = Record.Exception(() => queue.Dequeue(ref note, cancellation.Token));
        });
        consumer.Start();
        Thread.Sleep(50);
        cancellation.Cancel();
        Assert.True(consumer.Join(Patience));
        Assert.IsAssignableFrom<OperationCanceledException>(thrown);
        queue.Enqueue(Of(1));
        Assert.Equal([1], Drain(queue));
        using Subscription<Note> subscription = queue.Subscribe("default");
        Assert.ThrowsAny<OperationCanceledException>(() => subscription.Receive(cancellation.Token));
    }

    [Fact]
    public void A_waiting_dequeue_ends_when_the_queue_is_disposed_and_everything_is_given_back()
    {
        MappedQueue<Note> queue = Open();
        Exception? thrown = null;
        var consumer = new Thread(() =>
        {
            Note? note = null;
            thrown = Record.Exception(() => queue.Dequeue(ref note));
        });
        consumer.Start();
        Thread.Sleep(50);
        queue.Dispose();
        Assert.True(consumer.Join(Patience));
        Assert.IsType<ObjectDisposedException>(thrown);
        AssertNothingOpen();
        Assert.Throws<ObjectDisposedException>(() => queue.Enqueue(Of(1)));
        Assert.Throws<ObjectDisposedException>(() => queue.Subscribe("default"));
        queue.Dispose();
    }

    [Fact]
    public void A_disposed_queue_under_load_gives_everything_back()
    {
        MappedQueue<Note> queue = Open();
        var thrown = new Exception?[4];
        Thread[] threads = [.. Enumerable.Range(0, 4).Select(index => new Thread(() => thrown[index] = Record.Exception(() =>
        {
            Note? note = null;
            for (int id = 0; id < int.MaxValue; id++)
            {
                if (index % 2 == 0)
                {
                    queue.Enqueue(Of(id, 500));
                }
                else
                {
                    queue.Dequeue(ref note);
                }
            }
        })))];
        Array.ForEach(threads, static thread => thread.Start());
        Thread.Sleep(200);
        queue.Dispose();
        Assert.All(threads, static thread => Assert.True(thread.Join(Patience)));
        Assert.All(thrown, static exception => Assert.IsType<ObjectDisposedException>(exception));
        Assert.True(SpinWait.SpinUntil(() => OpenFiles().Count == 0, Patience), string.Join("\n", OpenFiles()));
    }

    [Fact]
    public void Opening_and_closing_leaks_nothing()
    {
        for (int i = 0; i < 200; i++)
        {
            using MappedQueue<Note> queue = Open();
            queue.Enqueue(Of(i));
            Assert.Equal([i], Drain(queue));
        }
        AssertNothingOpen();
    }

    [Fact]
    public void A_refused_open_leaves_nothing_open()
    {
        Open().Dispose();
        for (int i = 0; i < 20; i++)
        {
            Assert.Throws<SchemaMismatchException>(() => MappedQueue<Stranger>.Open(Site.Queue));
            Assert.Throws<ArgumentException>(() => Open(new QueueOptions { SegmentSize = 1 << 18 }));
        }
        AssertNothingOpen();
    }
}
