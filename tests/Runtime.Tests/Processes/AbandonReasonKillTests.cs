using BlitQueue.Log;
using BlitQueue.Peer;
using Xunit;

namespace BlitQueue.Tests.Processes;

/// <summary>The reason with which a process gave a message back outlasts the process, and is never torn.</summary>
public sealed class AbandonReasonKillTests : IDisposable
{
    private readonly Site _site = new();

    // The last of a number of attempts dies at the step: with the reason of that attempt, or with the one before.
    [Theory]
    [InlineData(nameof(ProtocolStep.LeaseGivingBack), 1, null)]
    [InlineData(nameof(ProtocolStep.LeaseGivingBack), 4, "attempt 3")]
    [InlineData(nameof(ProtocolStep.LeaseReasonWritten), 1, "attempt 1")]
    [InlineData(nameof(ProtocolStep.LeaseReasonWritten), 4, "attempt 4")]
    [InlineData(nameof(ProtocolStep.LeaseReturned), 4, "attempt 4")]
    public void What_a_killed_process_had_said_stands_in_the_letter(string stepName, int time, string? reason)
    {
        using MappedQueue<Parcel> queue = Filled();
        using (var peer = Peer.StartToDie(_site, Enum.Parse<ProtocolStep>(stepName), time, "explain"))
        {
            peer.WaitForDeath();
        }
        // Another process makes the last attempt, and does not say anything.
        using Subscription<Parcel> subscription = Subscribe(queue, time + 1);
        Lease<Parcel> last = AwaitMessage(subscription);
        Assert.Equal(time + 1, last.Attempt);
        last.Abandon();
        AssertLetter(queue, reason, time + 1);
    }

    [Fact]
    public void Who_is_killed_later_has_said_it_all_the_same_also_after_a_recovery()
    {
        using (MappedQueue<Parcel> queue = Filled())
        {
            using var peer = Peer.Start(_site, "explain", "count=3");
            peer.WaitFor("explained");
            peer.Kill();
            peer.WaitForDeath();
        }
        _site.Overwrite(StoreFormat.ControlName, ControlFormat.BootOffset, "another boot of this machine"u8.ToArray());
        using var again = MappedQueue<Parcel>.Open(_site.Queue);
        AssertLetter(again, "attempt 3", 3);
    }

    // A stopped process has its message even where others have a time-out: it is just about to write.
    [Fact]
    public void Who_is_stopped_while_it_writes_holds_its_message_until_it_runs_or_dies()
    {
        using MappedQueue<Parcel> queue = Filled();
        using var peer = Peer.StartToStop(_site, ProtocolStep.LeaseGivingBack, 2, "explain", "count=2");
        peer.WaitForStop();
        using Subscription<Parcel> hasty = queue.Subscribe(
            "default", new SubscriptionOptions { VisibilityTimeout = TimeSpan.FromMilliseconds(1), MaxAttempts = 2 });
        Thread.Sleep(30);
        Assert.False(hasty.TryReceive(out _));
        Assert.Equal(1, queue.GetStatus().Subscriptions[0].InFlight);
        peer.Continue();
        peer.WaitFor("explained");
        AssertLetter(queue, "attempt 2", 2);
    }

    private MappedQueue<Parcel> Filled()
    {
        var queue = MappedQueue<Parcel>.Open(_site.Queue, new QueueOptions { SegmentSize = 1 << 16 });
        queue.Enqueue(new Parcel().Fill(1, 0, 100));
        return queue;
    }

    private static Subscription<Parcel> Subscribe(MappedQueue<Parcel> queue, int maxAttempts) =>
        queue.Subscribe("default", new SubscriptionOptions { MaxAttempts = maxAttempts });

    private static Lease<Parcel> AwaitMessage(Subscription<Parcel> subscription)
    {
        using var tooLong = new CancellationTokenSource(Peer.Patience);
        return subscription.Receive(tooLong.Token);
    }

    private static void AssertLetter(MappedQueue<Parcel> queue, string? reason, int attempts)
    {
        using Subscription<Parcel> subscription = Subscribe(queue, attempts);
        Assert.True(SpinWait.SpinUntil(() => !subscription.TryReceive(out _) && subscription.DeadLetters.Count == 1, Peer.Patience));
        DeadLetter<Parcel>? letter = null;
        Assert.True(subscription.DeadLetters.TryTake(ref letter));
        Assert.Equal((reason ?? $"It was delivered {attempts} times and not committed.", attempts), (letter!.Reason, letter.Attempts));
        Assert.True(letter.Message.IsIntact());
    }

    public void Dispose() => _site.Dispose();
}
