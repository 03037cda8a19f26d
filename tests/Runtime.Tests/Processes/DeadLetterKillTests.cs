using BlitQueue.Log;
using BlitQueue.Peer;
using Xunit;

namespace BlitQueue.Tests.Processes;

/// <summary>Death of a process that sets a message aside: it stands among the dead letters once, or is delivered again.</summary>
public sealed class DeadLetterKillTests : IDisposable
{
    private const int Count = 20;

    private readonly Site _site = new();

    [Theory]
    [InlineData(nameof(ProtocolStep.LeaseDeadLettering), 5, false)]
    [InlineData(nameof(ProtocolStep.LeaseDeadLettered), 5, false)]
    [InlineData(nameof(ProtocolStep.LeaseDeadLettered), 1, false)]
    [InlineData(nameof(ProtocolStep.AppendPacked), 3, false)]
    [InlineData(nameof(ProtocolStep.AppendPublished), 3, false)]
    [InlineData(nameof(ProtocolStep.LeaseDeadLettering), 5, true)]
    [InlineData(nameof(ProtocolStep.LeaseDeadLettered), 5, true)]
    [InlineData(nameof(ProtocolStep.AppendPublished), 3, true)]
    public void Each_message_is_a_letter_or_delivered_again_and_never_both(string stepName, int time, bool lettersFirst)
    {
        using MappedQueue<Parcel> queue = Filled();
        Die(stepName, time);
        AssertEachOnce(queue, stepName, time, lettersFirst);
    }

    // Its file of control is gone, or tells of a system that runs no more: nobody's lease stands after that.
    [Theory]
    [InlineData(nameof(ProtocolStep.LeaseDeadLettering), 5, true, false)]
    [InlineData(nameof(ProtocolStep.LeaseDeadLettered), 5, true, false)]
    [InlineData(nameof(ProtocolStep.LeaseDeadLettered), 5, true, true)]
    [InlineData(nameof(ProtocolStep.AppendPublished), 3, true, false)]
    [InlineData(nameof(ProtocolStep.LeaseDeadLettering), 5, false, true)]
    [InlineData(nameof(ProtocolStep.LeaseDeadLettered), 5, false, false)]
    [InlineData(nameof(ProtocolStep.LeaseDeadLettered), 1, false, true)]
    public void After_a_recovery_it_is_a_letter_or_delivered_again_and_never_both(
        string stepName, int time, bool isControlLost, bool lettersFirst)
    {
        using (MappedQueue<Parcel> before = Filled())
        {
            Die(stepName, time);
        }
        if (isControlLost)
        {
            File.Delete(_site.File(StoreFormat.ControlName));
        }
        else
        {
            _site.Overwrite(StoreFormat.ControlName, ControlFormat.BootOffset, "another boot of this machine"u8.ToArray());
        }
        using var queue = MappedQueue<Parcel>.Open(_site.Queue);
        AssertEachOnce(queue, stepName, time, lettersFirst);
    }

    [Theory]
    [InlineData(nameof(ProtocolStep.LeaseDeadLettering), 5)]
    [InlineData(nameof(ProtocolStep.LeaseDeadLettered), 5)]
    [InlineData(nameof(ProtocolStep.LeaseDeadLettered), 1)]
    public void A_damaged_letter_blocks_no_message_and_a_message_whose_own_it_is_comes_again(string stepName, int time)
    {
        using MappedQueue<Parcel> queue = Filled();
        Die(stepName, time);
        _site.Overwrite(Path.Combine(Letters, StoreFormat.SegmentName(0)), SegmentFormat.PageSize + 40, [0xEE, 0xEE]);
        using Subscription<Parcel> subscription = queue.Subscribe("default");
        List<long> delivered = Drain(queue, subscription);
        Assert.True(subscription.DeadLetters.SkipCorrupt());
        var letters = new List<long>();
        TakeLetters(subscription, letters);
        Assert.Equal(
            Enumerable.Range(time == 1 ? 0 : 1, Count - (time == 1 ? 0 : 1)).Select(static number => (long)number),
            letters.Concat(delivered).Order());
    }

    [Theory]
    [InlineData(nameof(ProtocolStep.LeaseDeadLettering))]
    [InlineData(nameof(ProtocolStep.LeaseDeadLettered))]
    public void Where_the_letters_cannot_be_asked_the_message_waits_until_they_can(string stepName)
    {
        using MappedQueue<Parcel> queue = Filled();
        Die(stepName, 1);
        string meta = Path.Combine(Letters, StoreFormat.MetaName);
        byte[] whole = Site.Read(_site.File(meta));
        _site.Overwrite(meta, 0, new byte[16]);
        using Subscription<Parcel> subscription = queue.Subscribe("default"), patient = queue.Subscribe(
            "default", new() { DurableOnly = true });
        Parcel? parcel = null;
        foreach (Action look in (Action[])[() => subscription.TryReceive(out _), () => patient.TryReceive(out _),
            () => queue.TryDequeue(ref parcel), () => queue.SkipCorrupt()])
        {
            Thread.Sleep(60);
            Assert.Contains(Letters, Assert.Throws<QueueCorruptException>(look).Message, StringComparison.Ordinal);
        }
        _site.Overwrite(meta, 0, whole);
        if (stepName == nameof(ProtocolStep.LeaseDeadLettering))
        {
            Assert.True(subscription.TryReceive(out Lease<Parcel> lease));
            Assert.Equal(2, lease.Attempt);
            lease.ReadInto(ref parcel);
            Assert.Equal(0, parcel!.Number);
            lease.DeadLetter("now");
        }
        AssertEachOnce(queue, nameof(ProtocolStep.LeaseDeadLettered), 1, lettersFirst: false);
    }

    [Theory]
    [InlineData(nameof(ProtocolStep.LeaseDeadLettering))]
    [InlineData(nameof(ProtocolStep.LeaseDeadLettered))]
    public void Who_peeks_sees_no_message_that_is_a_letter(string stepName)
    {
        using MappedQueue<Parcel> queue = Filled();
        Die(stepName, Count);
        Parcel? parcel = null;
        Assert.Equal(stepName == nameof(ProtocolStep.LeaseDeadLettering), queue.TryPeek(ref parcel));
        AssertEachOnce(queue, stepName, Count, lettersFirst: false);
    }

    [Fact]
    public void A_letter_that_is_taken_while_another_takes_over_is_not_delivered_again()
    {
        using var queue = MappedQueue<Parcel>.Open(_site.Queue);
        queue.Enqueue(new Parcel().Fill(1, 0, 100));
        using (var dead = Peer.StartToDie(_site, ProtocolStep.LeaseDeadLettered, 1, "bury"))
        {
            dead.WaitForDeath();
        }
        using Subscription<Parcel> subscription = queue.Subscribe("default");
        using (Peer next = Peer.StartToStop(_site, ProtocolStep.LeaseTakenOver, 1, "lease").WaitForStop())
        {
            var letters = new List<long>();
            TakeLetters(subscription, letters);
            Assert.Equal([0L], letters);
            next.Continue();
            Assert.True(SpinWait.SpinUntil(() => queue.GetStatus().MessageCount == 0, Peer.Patience));
            next.Finish();
            Assert.Equal(0, new FileInfo(next.LogPath).Length);
        }
        Assert.Empty(Drain(queue, subscription));
    }

    [Fact]
    public void Who_is_slow_to_read_a_letter_that_another_takes_meanwhile_goes_on_with_the_next()
    {
        using var queue = MappedQueue<Parcel>.Open(_site.Queue);
        using Subscription<Parcel> subscription = queue.Subscribe("default");
        MoveToDeadLetters(0);
        using Peer slow = Peer.StartToStop(_site, ProtocolStep.DequeueFound, 1, "take-letters").WaitForStop();
        var letters = new List<long>();
        for (long number = 1; number <= 6; number++)
        {
            TakeLetters(subscription, letters);
            MoveToDeadLetters(number);
        }
        slow.Continue();
        Assert.Equal(0, slow.WaitForExit());
        Assert.Contains("took 6, whole: True", slow.Output, StringComparison.Ordinal);
        Assert.Equal([0L, 1, 2, 3, 4, 5], letters);

        // In many segments of the letters' log, which are given up once it is taken.
        void MoveToDeadLetters(long number)
        {
            queue.Enqueue(new Parcel().Fill(1, number, 3_000_000));
            subscription.Receive().DeadLetter("no");
        }
    }

    private static string Letters => StoreFormat.DeadLettersName("default");

    private MappedQueue<Parcel> Filled()
    {
        var queue = MappedQueue<Parcel>.Open(_site.Queue, new QueueOptions { SegmentSize = 1 << 16, UseChecksums = true });
        for (int number = 0; number < Count; number++)
        {
            queue.Enqueue(new Parcel().Fill(1, number, 100));
        }
        return queue;
    }

    private void Die(string stepName, int time)
    {
        using var peer = Peer.StartToDie(_site, Enum.Parse<ProtocolStep>(stepName), time, "bury");
        peer.WaitForDeath();
    }

    private static void AssertEachOnce(MappedQueue<Parcel> queue, string stepName, int time, bool lettersFirst)
    {
        using Subscription<Parcel> subscription = queue.Subscribe("default");
        var letters = new List<long>();
        if (lettersFirst)
        {
            TakeLetters(subscription, letters);
        }
        List<long> delivered = Drain(queue, subscription);
        TakeLetters(subscription, letters);
        Assert.Equal(Enumerable.Range(0, Count).Select(static number => (long)number), letters.Concat(delivered).Order());
        Assert.Equal(
            stepName == nameof(ProtocolStep.LeaseDeadLettered)
                ? time
                : time - 1 + (stepName == nameof(ProtocolStep.AppendPublished) ? 1 : 0), letters.Count);
    }

    private static List<long> Drain(MappedQueue<Parcel> queue, Subscription<Parcel> subscription)
    {
        var delivered = new List<long>();
        Parcel? parcel = null;
        Assert.True(SpinWait.SpinUntil(() =>
        {
            while (subscription.TryReceive(out Lease<Parcel> lease))
            {
                lease.ReadInto(ref parcel);
                Assert.True(parcel!.IsIntact());
                delivered.Add(parcel.Number);
                lease.Commit();
            }
            return queue.GetStatus().MessageCount == 0;
        }, Peer.Patience));
        return delivered;
    }

    private static void TakeLetters(Subscription<Parcel> subscription, List<long> letters)
    {
        DeadLetter<Parcel>? letter = null;
        while (subscription.DeadLetters.TryTake(ref letter))
        {
            Assert.True(letter!.Message.IsIntact());
            letters.Add(letter.Message.Number);
        }
    }

    public void Dispose() => _site.Dispose();
}
