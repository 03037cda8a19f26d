using BlitQueue.Log;
using BlitQueue.Memory;
using Xunit;

namespace BlitQueue.Tests.Queue;

/// <summary>
/// Subscriptions that go when nobody has consumed them for some time. The time is set back in the file, so that no test waits for it.
/// </summary>
public sealed class IdleSubscriptionTests : QueueFixture
{
    private static readonly TimeSpan Hour = TimeSpan.FromHours(1);
    private static readonly SubscriptionOptions Hourly = new() { ExpiresAfter = Hour };
    private static readonly QueueOptions Bounded = new() { SegmentSize = 1 << 16, Capacity = 1 << 18, FullMode = FullMode.Fail };

    [Fact]
    public void It_expires_when_nobody_has_consumed_for_so_long()
    {
        using MappedQueue<Note> queue = Open();
        using (Subscription<Note> report = queue.Subscribe("report", Hourly))
        {
            Assert.Equal((Hour, null, 1), (Report(queue)!.ExpiresAfter, Report(queue)!.IdleSince, Report(queue)!.Consumers));
        }
        Assert.NotNull(Report(queue)!.IdleSince);
        GoBack(queue, Hour / 2);
        Assert.InRange(DateTime.UtcNow - Report(queue)!.IdleSince!.Value, Hour / 2, Hour);
        GoBack(queue, Hour / 2);
        Assert.Null(Report(queue));
        Assert.Equal(1, queue.GetStatus().ExpiredSubscriptions);
    }

    [Fact]
    public void A_consumer_that_waits_for_its_first_message_uses_it()
    {
        using MappedQueue<Note> queue = Open(), other = Open();
        using Subscription<Note> report = other.Subscribe("report", Hourly);
        GoBack(queue, 2 * Hour);
        Assert.Null(Report(queue)!.IdleSince);
    }

    [Fact]
    public void Who_comes_back_in_time_begins_the_time_anew()
    {
        using MappedQueue<Note> queue = Open();
        queue.Subscribe("report", Hourly).Dispose();
        queue.Enqueue(Of(1));
        GoBack(queue, Hour * 0.9);
        using (Subscription<Note> report = queue.Subscribe("report"))
        {
            Note? note = null;
            Assert.True(report.TryDequeue(ref note) && note!.Id == 1);
        }
        GoBack(queue, Hour * 0.9);
        Assert.Equal(Hour, Report(queue)!.ExpiresAfter);
    }

    [Fact]
    public void Who_comes_too_late_starts_by_the_rule_of_new_ones()
    {
        using MappedQueue<Note> queue = Open();
        queue.Subscribe("report", Hourly).Dispose();
        queue.Enqueue(Of(1));
        Note? note = null;
        Assert.True(queue.TryDequeue(ref note));
        GoBack(queue, 2 * Hour);
        using Subscription<Note> report = queue.Subscribe("report");
        Assert.False(report.TryDequeue(ref note));
        Assert.Null(Report(queue)!.ExpiresAfter);
        Assert.Equal(1, queue.GetStatus().ExpiredSubscriptions);
    }

    [Fact]
    public void A_producer_without_room_removes_what_has_expired_and_an_opener_too()
    {
        using MappedQueue<Note> queue = Open(Bounded);
        queue.Subscribe("report", Hourly).Dispose();
        while (queue.TryEnqueue(Of(1, 1000)))
        {
            Drain(queue);
        }
        GoBack(queue, 2 * Hour);
        Assert.True(queue.TryEnqueue(Of(2)));
        queue.Subscribe("report", Hourly).Dispose();
        GoBack(queue, 2 * Hour);
        Open().Dispose();
        Assert.False(File.Exists(Path.Combine(Site.Queue, "subscription-report")));
    }

    [Fact]
    public void The_clock_of_the_running_system_keeps_what_a_clock_that_was_set_forward_would_expire()
    {
        using MappedQueue<Note> queue = Open();
        queue.Subscribe("report", Hourly).Dispose();
        GoBack(queue, 2 * Hour, counted: TimeSpan.Zero);
        Assert.NotNull(Report(queue));
        // After a restart the clock alone tells.
        Write(queue, SubscriptionFormat.IdleBootOffset, static _ => 1);
        Assert.Null(Report(queue));
    }

    [Fact]
    public void Zero_ends_it_and_null_leaves_it()
    {
        using MappedQueue<Note> queue = Open();
        queue.Subscribe("report", Hourly).Dispose();
        queue.Subscribe("report", new SubscriptionOptions()).Dispose();
        Assert.Equal(Hour, Report(queue)!.ExpiresAfter);
        queue.Subscribe("report", Hourly with { ExpiresAfter = TimeSpan.Zero }).Dispose();
        GoBack(queue, 2 * Hour);
        Assert.Null(Report(queue)!.ExpiresAfter);
        Assert.Throws<ArgumentException>(() => queue.Subscribe("default", Hourly));
        Assert.Throws<ArgumentException>(() => queue.Subscribe("other", Hourly with { ExpiresAfter = -Hour }));
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void Who_has_subscribed_before_it_may_end_and_has_asked_for_nothing_yet_uses_it(bool isSameHandle)
    {
        using MappedQueue<Note> queue = Open(), second = Open();
        MappedQueue<Note> other = isSameHandle ? queue : second;
        using (Subscription<Note> report = other.Subscribe("report"))
        {
            queue.Subscribe("report", Hourly).Dispose();
            GoBack(queue, 2 * Hour);
            Assert.Null(Report(queue)!.IdleSince);
            GoBack(queue, 2 * Hour);
            queue.Enqueue(Of(1));
            Open().Dispose();
            Note? note = null;
            Assert.True(report.TryDequeue(ref note) && note!.Id == 1);
        }
        Assert.NotNull(Report(queue)!.IdleSince);
        GoBack(queue, 2 * Hour);
        Assert.Null(Report(queue));
    }

    [Fact]
    public void One_of_two_of_a_handle_retains_it_after_the_other_has_left()
    {
        using MappedQueue<Note> queue = Open(), other = Open();
        using Subscription<Note> silent = other.Subscribe("report");
        using (Subscription<Note> loud = other.Subscribe("report", Hourly))
        {
            Note? note = null;
            Assert.False(loud.TryDequeue(ref note));
        }
        GoBack(queue, 2 * Hour);
        Assert.Null(Report(queue)!.IdleSince);
        Assert.Equal(0, Report(queue)!.Consumers);
    }

    // Somebody sets a time that is over at once while others come without one: what they got stays theirs.
    [Fact]
    public async Task Nobodys_subscription_goes_while_another_has_it_end()
    {
        using MappedQueue<Note> queue = Open(), other = Open();
        var expiring = new SubscriptionOptions { ExpiresAfter = TimeSpan.FromTicks(1) };
        using var stop = new CancellationTokenSource();
        var ends = Task.Run(() =>
        {
            while (!stop.IsCancellationRequested)
            {
                other.Subscribe("report", expiring).Dispose();
                other.GetStatus();
            }
        });
        Note? note = null;
        for (int round = 0; round < 400; round++)
        {
            using Subscription<Note> report = queue.Subscribe("report");
            await Task.Yield();
            queue.Enqueue(Of(round));
            Assert.True(report.TryDequeue(ref note));
        }
        await stop.CancelAsync();
        await ends;
    }

    private static SubscriptionStatus? Report(MappedQueue<Note> queue)
        => queue.GetStatus().Subscriptions.SingleOrDefault(static one => one.Name == "report");

    // As if what was noted had been noted so long before.
    private void GoBack(MappedQueue<Note> queue, TimeSpan time, TimeSpan? counted = null)
    {
        Write(queue, SubscriptionFormat.IdleOffset, ticks => ticks == 0 ? 0 : ticks - time.Ticks);
        Write(queue, SubscriptionFormat.IdleMillisecondsOffset, milliseconds => milliseconds - (long)(counted ?? time).TotalMilliseconds);
    }

    private static void Write(MappedQueue<Note> queue, int offset, Func<long, long> change)
    {
        using MappedRegion region = queue.Store.Files.Map("subscription-report", SubscriptionFormat.Size);
        region.Word(offset) = change(region.Word(offset));
    }
}
