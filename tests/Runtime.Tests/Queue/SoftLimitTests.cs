using System.Collections.Concurrent;
using Xunit;

namespace BlitQueue.Tests.Queue;

public sealed class SoftLimitTests : QueueFixture
{
    private const int Limit = 20_000;

    private static readonly QueueOptions Limited = new() { SegmentSize = 1 << 16, Capacity = 60_000, SoftLimit = Limit };

    [Fact]
    public void It_is_said_once_when_the_limit_is_exceeded_and_again_after_it_was_not()
    {
        using MappedQueue<Note> queue = Open(Limited);
        var said = new BlockingCollection<QueueFill>();
        queue.SoftLimitReached += (_, fill) => said.Add(fill);
        for (int round = 0; round < 3; round++)
        {
            Enqueue(queue, 18);
            Assert.False(said.TryTake(out _, 100));
            Enqueue(queue, 20);
            Assert.True(said.TryTake(out QueueFill fill, TimeSpan.FromSeconds(30)));
            Assert.Equal(Limit, fill.SoftLimit);
            Assert.InRange(fill.Bytes, Limit + 1, Limit + 5000);
            Assert.False(said.TryTake(out _, 100));
            Assert.Equal(38, Drain(queue).Length);
        }
    }

    [Fact]
    public void A_handler_may_use_the_queue_and_is_taken_off_again()
    {
        using MappedQueue<Note> queue = Open(Limited with { Capacity = null });
        using var handled = new ManualResetEventSlim();
        EventHandler<QueueFill> handler = (_, _) =>
        {
            queue.Enqueue(Of(1000));
            Drain(queue);
            handled.Set();
        };
        queue.SoftLimitReached += handler;
        Enqueue(queue, 25);
        Assert.True(handled.Wait(TimeSpan.FromSeconds(30)));
        handled.Reset();
        queue.SoftLimitReached -= handler;
        Drain(queue);
        Enqueue(queue, 60);
        Assert.False(handled.Wait(100));
    }

    [Fact]
    public async Task Batches_and_awaited_messages_count()
    {
        using MappedQueue<Note> queue = Open(Limited);
        var said = new BlockingCollection<QueueFill>();
        queue.SoftLimitReached += (_, fill) => said.Add(fill);
        queue.EnqueueBatch([.. Enumerable.Range(0, 30).Select(static id => Of(id, 1000))]);
        Assert.True(said.TryTake(out QueueFill fill, TimeSpan.FromSeconds(30)));
        Assert.True(fill.Bytes > 30_000);
        Drain(queue);
        for (int id = 0; id < 30; id++)
        {
            await queue.EnqueueAsync(Of(id, 1000));
        }
        Assert.True(said.TryTake(out _, TimeSpan.FromSeconds(30)));
    }

    [Fact]
    public void The_capacity_applies_beside_it_and_to_a_subscription_that_is_made_later()
    {
        using MappedQueue<Note> queue = Open(Limited with { CreateDefaultSubscription = false, FullMode = FullMode.Fail });
        Enqueue(queue, 200);
        using Subscription<Note> late = queue.Subscribe("late", new SubscriptionOptions { Start = SubscriptionStart.Newest });
        Assert.Throws<QueueFullException>(() => Enqueue(queue, 200));
        Assert.InRange(queue.GetStatus().Bytes, 1, 2 * 60_000);
    }

    [Theory]
    [InlineData(0L, null, "SoftLimit")]
    [InlineData(-1L, null, "SoftLimit")]
    [InlineData(2000L, 1999L, "SoftLimit", "Capacity")]
    public void Limits_that_cannot_be_are_refused(long soft, long? capacity, params string[] named)
    {
        string message = Assert.Throws<ArgumentException>(() => Open(new QueueOptions { SoftLimit = soft, Capacity = capacity })).Message;
        Assert.All(named, name => Assert.Contains(name, message));
    }

    [Fact]
    public void Options_that_contradict_each_other_are_refused_by_name()
    {
        AssertRefused(new QueueOptions { FullMode = FullMode.DropOldest }, "FullMode", "Capacity");
        AssertRefused(new QueueOptions { FileMode = UnixFileMode.UserRead }, "FileMode", "owner");
        AssertRefused(new QueueOptions { FileMode = UnixFileMode.None }, "FileMode", "owner");
        Assert.Empty(Site.Files());
    }

    private void AssertRefused(QueueOptions options, params string[] named)
    {
        string message = Assert.Throws<ArgumentException>(() => Open(options)).Message;
        Assert.All(named, name => Assert.Contains(name, message));
    }

    private static void Enqueue(MappedQueue<Note> queue, int count)
    {
        for (int id = 0; id < count; id++)
        {
            queue.Enqueue(Of(id, 1000));
        }
    }
}
