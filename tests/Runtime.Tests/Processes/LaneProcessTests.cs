using BlitQueue.Log;
using Xunit;

namespace BlitQueue.Tests.Processes;

[Collection(ProcessCollection.Name)]
public sealed class LaneProcessTests : IDisposable
{
    private readonly Site _site = new();

    [Fact]
    public void A_process_that_waits_gets_what_another_enqueues_to_any_lane_in_its_order()
    {
        const int Count = 600;
        using Peer consumer = Peer.Start(_site, "lanes-consume").WaitFor("lanes");
        using var lanes = MappedLanes<Parcel>.Open(_site.Queue + "-lanes");
        for (int number = 0; number < Count; number++)
        {
            lanes.Enqueue(new Parcel().Fill(number % 3, number, 100), number % 3);
            if (number % 50 == 0)
            {
                // Now and then it has time to fall asleep.
                Thread.Sleep(2);
            }
        }
        Assert.True(SpinWait.SpinUntil(() => Site.ReadLines(consumer.LogPath).Length == Count, Peer.Patience));
        consumer.Finish();
        string[] log = File.ReadAllLines(consumer.LogPath);
        for (int lane = 0; lane < 3; lane++)
        {
            Assert.Equal(
                Enumerable.Range(0, Count).Where(number => number % 3 == lane).Select(number => $"D {lane} {number} 0"),
                log.Where(line => line.StartsWith($"D {lane} ", StringComparison.Ordinal)));
        }
    }

    [Fact]
    public async Task What_a_killed_process_held_goes_to_those_who_wait()
    {
        using var lanes = MappedLanes<Parcel>.Open(_site.Queue + "-lanes", 3);
        using LaneSubscription<Parcel> subscription = lanes.Subscribe("default");
        using Peer holder = Peer.Start(_site, "lanes-hold", "count=3").WaitFor("lanes");
        for (int lane = 2; lane >= 0; lane--)
        {
            lanes.Enqueue(new Parcel().Fill(1, lane, 10), lane);
        }
        holder.WaitFor("holding");
        Task<Lease<Parcel>> leasing = subscription.ReceiveAsync().AsTask();
        var numbers = new List<long>();
        var waiter = new Thread(() =>
        {
            Parcel? parcel = null;
            for (int i = 0; i < 2; i++)
            {
                subscription.Dequeue(ref parcel);
                numbers.Add(parcel!.Number);
            }
        });
        waiter.Start();
        await Task.Delay(200);
        Assert.False(leasing.IsCompleted, "The lease of a live process was taken from it.");
        Assert.Empty(numbers);
        holder.Kill();
        using Lease<Parcel> lease = await leasing.WaitAsync(Peer.Patience);
        Assert.Equal(2, lease.Attempt);
        Parcel? leased = null;
        lease.ReadInto(ref leased);
        lease.Commit();
        Assert.True(waiter.Join(Peer.Patience));
        Assert.Equal([0, 1, 2], numbers.Append(leased!.Number).Order());
    }

    // Nobody looks again by himself: a message whose wake-up is lost stays, and the test ends without it.
    [Fact]
    public async Task No_wake_up_is_lost()
    {
        const int Count = 5000;
        using var lanes = MappedLanes<Parcel>.Open(_site.Queue + "-lanes");
        using LaneSubscription<Parcel> subscription = lanes.Subscribe("default");
        WaitThread.LongestSleep = TimeSpan.FromHours(1);
        try
        {
            var producer = new Thread(() =>
            {
                for (int id = 0; id < Count; id++)
                {
                    lanes.Enqueue(new Parcel().Fill(1, id, 8), id % 3);
                    Thread.SpinWait(id * 7 % 3000);
                }
            });
            producer.Start();
            var seen = new HashSet<long>();
            while (seen.Count < Count)
            {
                Assert.True(seen.Add((await subscription.DequeueAsync().AsTask().WaitAsync(Peer.Patience)).Number));
            }
            producer.Join();
        }
        finally
        {
            WaitThread.LongestSleep = WaitThread.UsualSleep;
        }
    }

    public void Dispose() => _site.Dispose();
}
