using System.Collections;
using System.Globalization;
using Xunit;

namespace BlitQueue.Tests.Processes;

[Collection(ProcessCollection.Name)]
public sealed class MillionMessageTests
{
    private const int Million = 1_000_000;

    [Fact]
    public void A_million_messages_from_one_process_to_another_arrive_once_in_order_and_unchanged()
    {
        using var site = new Site();
        using var queue = MappedQueue<Parcel>.Open(site.Queue, new QueueOptions { SegmentSize = 1 << 20 });
        using var producer = Peer.Start(site, "produce", $"count={Million}", "size=16", "buffered=1");
        using var tooLong = new CancellationTokenSource(Peer.Patience);
        Parcel? parcel = null;
        for (long number = 0; number < Million; number++)
        {
            queue.Dequeue(ref parcel, tooLong.Token);
            Assert.True(
                parcel!.Number == number && parcel.Producer == 1 && parcel.IsIntact(),
                $"{parcel.Producer}/{parcel.Number} instead of {number}");
        }
        producer.Finish();
        Assert.False(queue.TryDequeue(ref parcel));
    }

    [Fact]
    public void A_million_messages_from_three_processes_to_two_arrive_once_and_in_each_producers_order()
    {
        const int Producers = 3, Each = (Million / Producers) + 1;
        using var site = new Site();
        using var queue = MappedQueue<Parcel>.Open(site.Queue, new QueueOptions { SegmentSize = 1 << 20 });
        Peer[] consumers = [.. Enumerable.Range(0, 2).Select(_ => Peer.Start(site, "consume", "buffered=1").WaitFor("ready"))];
        Peer[] producers = [.. Enumerable.Range(1, Producers).Select(producer =>
            Peer.Start(site, "produce", $"producer={producer}", $"count={Each}", "size=16", "buffered=1"))];
        try
        {
            foreach (Peer producer in producers)
            {
                Assert.Equal(0, producer.WaitForExit());
            }
            foreach (Peer consumer in consumers)
            {
                consumer.Finish();
            }
            BitArray[] arrived = [.. Enumerable.Range(0, Producers).Select(_ => new BitArray(Each))];
            foreach (Peer consumer in consumers)
            {
                ReadDeliveries(consumer.LogPath, arrived);
            }
            Assert.All(arrived, static bits => Assert.True(bits.HasAllSet(), "A message did not arrive."));
        }
        finally
        {
            Array.ForEach(producers, static peer => peer.Dispose());
            Array.ForEach(consumers, static peer => peer.Dispose());
        }
    }

    private static void ReadDeliveries(string path, BitArray[] arrived)
    {
        long[] last = [-1, -1, -1];
        foreach (string line in File.ReadLines(path))
        {
            string[] fields = line.Split(' ');
            int producer = int.Parse(fields[1], CultureInfo.InvariantCulture) - 1;
            int number = int.Parse(fields[2], CultureInfo.InvariantCulture);
            Assert.True(fields[0] == "D", $"torn: {line}");
            Assert.True(number > last[producer], $"{number} came after {last[producer]} of the same producer");
            Assert.False(arrived[producer][number], $"{line} came twice");
            last[producer] = number;
            arrived[producer][number] = true;
        }
    }
}
