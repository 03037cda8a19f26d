using Xunit;

namespace BlitQueue.Tests.Queue;

/// <summary>A lease that is renewed in time lasts; one that was lost says so.</summary>
public sealed class RenewTests : QueueFixture
{
    private static readonly TimeSpan Time = TimeSpan.FromMilliseconds(400);

    [Fact]
    public void Who_renews_in_time_is_not_taken_from()
    {
        using MappedQueue<Note> queue = Filled(1), other = Open();
        using Subscription<Note> holder = queue.Subscribe("default"), hasty = Hasty(other);
        Lease<Note> held = Receive(holder, 0, 1);
        long began = Environment.TickCount64;
        while (Environment.TickCount64 - began < 3 * Time.TotalMilliseconds)
        {
            held.Renew();
            Assert.False(hasty.TryReceive(out _));
            Thread.Sleep(5);
        }
        held.Commit();
        Assert.Equal(0, queue.GetStatus().MessageCount);
    }

    [Fact]
    public void The_time_counts_from_the_last_renewal()
    {
        using MappedQueue<Note> queue = Filled(1), other = Open();
        using Subscription<Note> holder = queue.Subscribe("default"), hasty = Hasty(other);
        Lease<Note> held = Receive(holder, 0, 1);
        Thread.Sleep(50);
        long renewed = Environment.TickCount64;
        held.Renew();
        Lease<Note> taken = hasty.Receive();
        Assert.True(Environment.TickCount64 - renewed >= Time.TotalMilliseconds);
        Assert.Equal(2, taken.Attempt);
        Assert.Contains("visibility", Assert.Throws<LeaseLostException>(held.Renew).Message, StringComparison.Ordinal);
        Assert.Throws<LeaseLostException>(held.Commit);
        taken.Renew();
        taken.Commit();
    }

    [Fact]
    public void A_lease_that_has_ended_cannot_be_renewed()
    {
        using MappedQueue<Note> queue = Filled(3);
        using Subscription<Note> subscription = queue.Subscribe("default");
        Lease<Note> committed = Receive(subscription, 0, 1), abandoned = Receive(subscription, 1, 1), open = Receive(subscription, 2, 1);
        committed.Commit();
        abandoned.Abandon();
        Assert.Throws<InvalidOperationException>(committed.Renew);
        Assert.Throws<InvalidOperationException>(abandoned.Renew);
        Assert.Throws<InvalidOperationException>(default(Lease<Note>).Renew);
        Receive(subscription, 1, 2).Commit();
        open.Renew();
        queue.Dispose();
        Assert.Throws<ObjectDisposedException>(open.Renew);
    }

    // Whichever comes first: the consumer that was told that it has the message is the only one.
    [Fact]
    public async Task Of_a_renewal_and_a_taker_one_has_the_message()
    {
        const int Rounds = 300;
        using MappedQueue<Note> queue = Open(), other = Open();
        using Subscription<Note> holder = queue.Subscribe("default"), hasty = other.Subscribe(
            "default", new SubscriptionOptions { VisibilityTimeout = TimeSpan.FromMilliseconds(3), MaxAttempts = int.MaxValue });
        int lost = 0;
        for (int round = 0; round < Rounds; round++)
        {
            queue.Enqueue(Of(round));
            Lease<Note> held = Receive(holder, round, 1);
            using var ended = new CancellationTokenSource();
            Task<bool> taker = Task.Run(() =>
            {
                while (!ended.IsCancellationRequested)
                {
                    if (hasty.TryReceive(out Lease<Note> taken))
                    {
                        taken.Commit();
                        return true;
                    }
                }
                return false;
            });
            bool hasCommitted = false;
            try
            {
                for (int pause = 0; pause <= 4; pause++)
                {
                    Thread.Sleep(pause);
                    held.Renew();
                }
                held.Commit();
                hasCommitted = true;
            }
            catch (LeaseLostException)
            {
                lost++;
            }
            if (!hasCommitted)
            {
                Assert.True(await taker.WaitAsync(TimeSpan.FromSeconds(30)));
            }
            await ended.CancelAsync();
            Assert.NotEqual(hasCommitted, await taker.WaitAsync(TimeSpan.FromSeconds(30)));
            Assert.Equal(0, queue.GetStatus().MessageCount);
        }
        Assert.InRange(lost, 0, Rounds);
    }

    private static Subscription<Note> Hasty(MappedQueue<Note> queue) =>
        queue.Subscribe("default", new SubscriptionOptions { VisibilityTimeout = Time });
}
