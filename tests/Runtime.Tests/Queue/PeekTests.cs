using Xunit;

namespace BlitQueue.Tests.Queue;

public sealed class PeekTests : QueueFixture
{
    [Fact]
    public void The_next_message_is_read_and_stays()
    {
        using MappedQueue<Note> queue = Open();
        Note? note = null;
        Assert.False(queue.TryPeek(ref note));
        queue.Enqueue(Of(0));
        queue.Enqueue(Of(1, 200_000));
        Assert.True(queue.TryPeek(ref note) && queue.TryPeek(ref note));
        Assert.Equal(0, note!.Id);
        Assert.True(queue.TryDequeue(ref note) && queue.TryPeek(ref note));
        Assert.Equal((1, 200_000), (note!.Id, note.Text!.Length));
        Assert.Equal([1], Drain(queue));
        Assert.False(queue.TryPeek(ref note));
    }

    [Fact]
    public void What_was_given_back_is_next_and_what_is_leased_is_not()
    {
        using MappedQueue<Note> queue = Open();
        using Subscription<Note> subscription = queue.Subscribe("default");
        for (int id = 0; id < 4; id++)
        {
            queue.Enqueue(Of(id));
        }
        Lease<Note> first = subscription.Receive(), second = subscription.Receive();
        Note? note = null;
        Assert.True(subscription.TryPeek(ref note));
        Assert.Equal(2, note!.Id);
        second.Abandon();
        Assert.True(subscription.TryPeek(ref note));
        Assert.Equal(1, note!.Id);
        Lease<Note> again = subscription.Receive();
        Assert.Equal((second.Position, 2), (again.Position, again.Attempt));
        first.Dispose();
        again.Dispose();
        Assert.Equal([0, 1, 2, 3], Drain(queue));
    }

    [Fact]
    public void What_a_consumer_held_that_is_gone_is_next()
    {
        using MappedQueue<Note> queue = Open(), other = Open();
        queue.Enqueue(Of(0));
        other.Subscribe("default").Receive();
        Note? note = null;
        Assert.False(queue.TryPeek(ref note));
        other.Dispose();
        Assert.True(queue.TryPeek(ref note));
        Assert.Equal([0], Drain(queue));
    }

    // The consumer that takes it sets it aside and goes on with what is behind it.
    [Theory]
    [InlineData(false, false)]
    [InlineData(false, true)]
    [InlineData(true, false)]
    [InlineData(true, true)]
    public void What_has_used_up_its_attempts_is_not_next(bool isExclusive, bool isHeldByTheDead)
    {
        using MappedQueue<Note> queue = Open(), other = Open();
        queue.Enqueue(Of(0));
        Subscription<Note> before = other.Subscribe("default");
        for (int attempt = 1; attempt <= 2; attempt++)
        {
            Receive(before, 0, attempt).Abandon();
        }
        Lease<Note> last = Receive(before, 0, attempt: 3);
        if (!isHeldByTheDead)
        {
            last.Abandon();
        }
        other.Dispose();
        using Subscription<Note> subscription = queue.Subscribe(
            "default", new SubscriptionOptions { MaxAttempts = 3, Exclusive = isExclusive });
        Note? note = null;
        Assert.False(subscription.TryPeek(ref note));
        queue.Enqueue(Of(1));
        Assert.True(subscription.TryPeek(ref note));
        Assert.Equal(1, note!.Id);
        using (Subscription<Note> patient = isExclusive
            ? subscription
            : queue.Subscribe("default", new SubscriptionOptions { MaxAttempts = 4 }))
        {
            Assert.True(patient.TryPeek(ref note));
            Assert.Equal(isExclusive ? 1 : isHeldByTheDead ? 1 : 0, note!.Id);
        }
        if (!isExclusive)
        {
            Receive(subscription, 1, attempt: 1).Commit();
            Assert.False(subscription.TryPeek(ref note));
            Assert.Equal(1, subscription.DeadLetters.Count);
        }
    }

    // Consumers take what is peeked at, and segments are used anew all the time: a peek shows a whole message or none.
    [Fact]
    public void A_peek_beside_consumers_shows_whole_messages()
    {
        using MappedQueue<Note> queue = Open(new QueueOptions { SegmentSize = 1 << 16, UseChecksums = false });
        using var done = new CancellationTokenSource();
        var consumer = new Thread(() => UntilDisposed(() => ProduceAndConsume(queue, done)));
        consumer.Start();
        Note? note = null;
        int seen = 0;
        long last = -1;
        while (!done.IsCancellationRequested)
        {
            if (queue.TryPeek(ref note))
            {
                seen++;
                Assert.True(note!.Id >= last && note.Text == Of(note.Id, 500).Text, $"{note.Id} after {last}: {note.Text}");
                last = note.Id;
            }
        }
        consumer.Join();
        Assert.True(seen > 0);
    }

    private static void ProduceAndConsume(MappedQueue<Note> queue, CancellationTokenSource done)
    {
        Note? note = null;
        for (int id = 0; id < 20_000; id++)
        {
            queue.Enqueue(Of(id, 500));
            if (id % 3 == 0)
            {
                while (queue.TryDequeue(ref note))
                {
                }
            }
        }
        done.Cancel();
    }

    // A test that fails disposes the queue under the thread.
    private static void UntilDisposed(Action work)
    {
        try
        {
            work();
        }
        catch (ObjectDisposedException)
        {
        }
    }
}
