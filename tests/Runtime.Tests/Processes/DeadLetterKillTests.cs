using BlitQueue.Peer;
using BlitQueue.Segments;
using Xunit;

namespace BlitQueue.Tests.Processes;

/// <summary>Death of a process that sets a message aside: it stands among the dead letters once, or is delivered again.</summary>
[Collection(ProcessCollection.Name)]
public sealed class DeadLetterKillTests : IDisposable
{
    private const int Count = 20;

    private readonly Site _site = new();

    [Theory]
    [InlineData(nameof(ProtocolStep.LeaseBurying), 5)]
    [InlineData(nameof(ProtocolStep.LeaseBuried), 5)]
    [InlineData(nameof(ProtocolStep.LeaseBuried), 1)]
    [InlineData(nameof(ProtocolStep.AppendPacked), 3)]
    [InlineData(nameof(ProtocolStep.AppendPublished), 3)]
    public void Each_message_is_a_letter_or_delivered_again_and_never_both(string stepName, int time)
    {
        using var queue = MappedQueue<Parcel>.Open(_site.Queue, new QueueOptions { SegmentSize = 1 << 16 });
        for (int number = 0; number < Count; number++)
        {
            queue.Enqueue(new Parcel().Fill(1, number, 100));
        }
        using (Peer peer = Peer.StartToDie(_site, Enum.Parse<ProtocolStep>(stepName), time, "bury"))
        {
            peer.WaitForDeath();
        }
        using Subscription<Parcel> subscription = queue.Subscribe("default");
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
            return queue.GetStatus().Messages == 0;
        }, Peer.Patience));
        var letters = new List<long>();
        DeadLetter<Parcel>? letter = null;
        while (subscription.DeadLetters.TryTake(ref letter))
        {
            Assert.True(letter!.Message.IsIntact());
            letters.Add(letter.Message.Number);
        }
        Assert.Equal(Enumerable.Range(0, Count).Select(static number => (long)number), letters.Concat(delivered).Order());
        Assert.Equal(stepName == nameof(ProtocolStep.LeaseBuried) ? time : time - 1 + (stepName == nameof(ProtocolStep.AppendPublished) ? 1 : 0), letters.Count);
    }

    public void Dispose() => _site.Dispose();
}
