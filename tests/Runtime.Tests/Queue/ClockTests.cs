using Xunit;

namespace BlitQueue.Tests.Queue;

/// <summary>A handle with a clock of its own: what is stamped, expires, is delayed or runs out goes by it.</summary>
public sealed class ClockTests : QueueFixture
{
    private readonly SetClock _clock = new();

    [Fact]
    public void Stamps_and_dead_letters_have_the_clocks_time()
    {
        using MappedQueue<Note> queue = OpenWithClock(MessageStamps.Time);
        using Subscription<Note> subscription = queue.Subscribe("default");
        queue.Enqueue(Of(1));
        queue.EnqueueBatch([Of(2), Of(3)]);
        _clock.Advance(TimeSpan.FromDays(1));
        queue.Enqueue(Of(4), new MessageProperties { TimeToLive = TimeSpan.FromHours(1) });
        DateTime[] times = [.. Enumerable.Range(1, 4).Select(id => Receive(subscription, id, 1).ReadProperties()!.EnqueuedAt!.Value)];
        Assert.Equal([SetClock.Start, SetClock.Start, SetClock.Start, SetClock.Start.AddDays(1)], times);
        queue.Enqueue(Of(5));
        _clock.Advance(TimeSpan.FromDays(1));
        Receive(subscription, 5, 1).DeadLetter("no");
        DeadLetter<Note>? letter = null;
        Assert.True(subscription.DeadLetters.TryPeek(ref letter));
        Assert.Equal(SetClock.Start.AddDays(2), letter!.DeadLetteredAt);
        subscription.DeadLetters.RequeueAll();
        Assert.Equal(SetClock.Start.AddDays(2), Receive(subscription, 5, 1).ReadProperties()!.EnqueuedAt);
    }

    [Fact]
    public void A_message_expires_when_the_clock_says_so()
    {
        using MappedQueue<Note> queue = OpenWithClock();
        queue.Enqueue(Of(1), new MessageProperties { TimeToLive = TimeSpan.FromMinutes(5) });
        queue.Enqueue(Of(2), new MessageProperties { TimeToLive = TimeSpan.FromMinutes(7) });
        queue.Enqueue(Of(3));
        Note? note = null;
        _clock.Advance(TimeSpan.FromMinutes(4));
        Assert.True(queue.TryPeek(ref note));
        Assert.Equal(1, note.Id);
        _clock.Advance(TimeSpan.FromMinutes(2));
        Assert.Equal([2, 3], Drain(queue));
        Assert.Equal(1, queue.GetStatus().Subscriptions[0].Expired);
    }

    [Fact]
    public async Task A_delay_is_over_when_the_clock_says_so()
    {
        using MappedQueue<Note> queue = OpenWithClock();
        using Subscription<Note> subscription = queue.Subscribe("default");
        queue.Enqueue(Of(1));
        Receive(subscription, 1, 1).Abandon(TimeSpan.FromHours(1));
        Assert.False(subscription.TryReceive(out _));
        _clock.Advance(TimeSpan.FromMinutes(59));
        Assert.False(subscription.TryReceive(out _));
        Task<Lease<Note>> waiting = subscription.ReceiveAsync().AsTask();
        Task<Lease<Note>?> thread = Task.Run(() => subscription.Receive(TimeSpan.FromMilliseconds(50)));
        Assert.Null(await thread);
        _clock.Advance(TimeSpan.FromMinutes(2));
        Assert.Equal(2, (await waiting.WaitAsync(TimeSpan.FromSeconds(30))).Attempt);
    }

    [Fact]
    public void A_lease_runs_out_when_the_clock_says_so_and_is_renewed_by_it()
    {
        using MappedQueue<Note> queue = OpenWithClock(), other = OpenWithClock();
        using Subscription<Note> holder = queue.Subscribe("default"), hasty = other.Subscribe(
            "default", new SubscriptionOptions { VisibilityTimeout = TimeSpan.FromMinutes(1) });
        queue.Enqueue(Of(1));
        Lease<Note> held = Receive(holder, 1, 1);
        _clock.Advance(TimeSpan.FromSeconds(50));
        held.Renew();
        _clock.Advance(TimeSpan.FromSeconds(50));
        AwaitClock();
        Assert.False(hasty.TryReceive(out _));
        _clock.Advance(TimeSpan.FromSeconds(20));
        AwaitClock();
        Lease<Note> taken = Receive(hasty, 1, 2);
        Assert.Throws<LeaseLostException>(held.Renew);
        taken.Commit();
    }

    [Fact]
    public async Task A_failed_handlers_message_comes_again_when_the_clock_says_so()
    {
        using MappedQueue<Note> queue = OpenWithClock();
        using var stop = new CancellationTokenSource();
        queue.Enqueue(Of(1));
        int calls = 0;
        Task processing = queue.ProcessAsync(
            (_, _) =>
            {
                if (++calls == 1)
                {
                    throw new FormatException();
                }
                stop.Cancel();
                return default;
            },
            new ProcessOptions { RetryDelay = TimeSpan.FromHours(1) }, stop.Token);
        Assert.True(SpinWait.SpinUntil(() => Volatile.Read(ref calls) > 0, TimeSpan.FromSeconds(30)));
        await Task.Delay(300);
        Assert.Equal(1, calls);
        // The message may be given back only after the first of these: by then it is an hour later.
        for (int attempt = 0; attempt < 100 && !processing.IsCompleted; attempt++)
        {
            _clock.Advance(TimeSpan.FromHours(2));
            await Task.WhenAny(processing, Task.Delay(300));
        }
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => processing.WaitAsync(TimeSpan.FromSeconds(30)));
        Assert.Equal(2, calls);
    }

    // By more than the system has run.
    [Fact]
    public void A_clock_that_goes_back_ends_no_lease()
    {
        using MappedQueue<Note> queue = OpenWithClock(), other = OpenWithClock();
        using Subscription<Note> holder = queue.Subscribe("default"), hasty = other.Subscribe(
            "default", new SubscriptionOptions { VisibilityTimeout = TimeSpan.FromMinutes(1) });
        queue.Enqueue(Of(1));
        _clock.Advance(-TimeSpan.FromMilliseconds(Environment.TickCount64) - TimeSpan.FromDays(1));
        Lease<Note> held = Receive(holder, 1, 1);
        AwaitClock();
        Assert.False(hasty.TryReceive(out _));
        held.Renew();
        AwaitClock();
        Assert.False(hasty.TryReceive(out _));
        held.Abandon(TimeSpan.FromMinutes(1));
        Assert.False(holder.TryReceive(out _));
        _clock.Advance(TimeSpan.FromMilliseconds(Environment.TickCount64) + TimeSpan.FromDays(2));
        Receive(holder, 1, 2).Commit();
    }

    [Fact]
    public void A_clock_is_needed()
    {
        string message = Assert.Throws<ArgumentException>(() => Open(new QueueOptions { TimeProvider = null! })).Message;
        Assert.Contains("QueueOptions.TimeProvider", message, StringComparison.Ordinal);
    }

    private MappedQueue<Note> OpenWithClock(MessageStamps stamps = MessageStamps.None) =>
        Open(new QueueOptions { SegmentSize = 1 << 16, Stamps = stamps, TimeProvider = _clock });
}
