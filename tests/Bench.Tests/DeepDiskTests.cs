using BlitQueue.Bench.Messages;
using BlitQueue.Bench.Operations;

namespace BlitQueue.Bench;

public sealed class DeepDiskTests
{
    private const long Bytes = 100_000;

    [Theory]
    [InlineData("Nothing", false)]
    [InlineData("PowerLoss", true)]
    [InlineData("Copy", true)]
    public void What_is_pretended_is_recovered_from_and_what_is_put_back_is_as_it_was_filled(string name, bool isRecovered)
    {
        Before before = Enum.Parse<Before>(name);
        using var disk = new DeepDisk(Bytes, batch: 1);
        for (int round = 0; round < 2; round++)
        {
            long end = EndAfter(disk, Before.Nothing), endAfter = EndAfter(disk, before);
            // A recovery gives up the rest of the last segment.
            Assert.Equal(isRecovered, endAfter > end);
        }
    }

    private static long EndAfter(DeepDisk disk, Before before)
    {
        disk.PutBack(before);
        using var queue = MappedQueue<Fixed1024>.Open(disk.Path);
        queue.Enqueue(Fixed1024.Create(0));
        QueueStatus status = queue.GetStatus();
        Assert.Equal((disk.Messages + 1, null), (status.MessageCount, queue.Recovered));
        return status.Next.Value;
    }
}
