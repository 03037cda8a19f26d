using BlitQueue.Log;
using BlitQueue.Tests.Processes;
using Xunit;

namespace BlitQueue.Tests.Queue;

/// <summary>
/// A batch over several segments, whose beginning every subscription has passed: the rest of it is still there for those who need it.
/// </summary>
public sealed class CutBatchTests : QueueFixture
{
    private const int Count = 3000, Taken = 1500, Behind = 700;

    private static readonly QueueOptions Small = new() { SegmentSize = 1 << 16 };

    [Theory]
    [InlineData(3000, 80, 1500)]
    [InlineData(20, 150_000, 7)]
    public void Oldest_is_not_behind_what_a_subscription_has_not_consumed(int count, int length, int taken)
    {
        using MappedQueue<Note> queue = Cut(count, length, taken);
        using (Subscription<Note> other = queue.Subscribe("other", new SubscriptionOptions { Start = SubscriptionStart.Oldest }))
        {
            Assert.Equal(taken, NextOf(other));
        }
        using QueueCursor<Note> cursor = queue.OpenCursor(QueuePosition.Oldest);
        using var reader = QueueReader<Note>.Open(Site.Queue);
        Note? note = null;
        Assert.True(cursor.TryRead(ref note));
        Assert.InRange(note!.Id, 0, taken);
        ReadOldest(reader, ref note);
        Assert.InRange(note!.Id, 0, taken);

        using Subscription<Note> subscription = queue.Subscribe("default");
        subscription.Seek(QueuePosition.Oldest);
        Assert.InRange(NextOf(subscription), 0, taken);
        subscription.Seek(DateTime.UtcNow.AddDays(-1));
        Assert.InRange(NextOf(subscription), 0, taken);
    }

    // A pool thread may delete what is consumed after the reader went there: then the oldest message is another one.
    private static void ReadOldest(QueueReader<Note> reader, ref Note? note)
    {
        while (true)
        {
            try
            {
                Assert.True(reader.TryRead(ref note));
                return;
            }
            catch (QueueException exception) when (exception.Reason == QueueError.PositionGone)
            {
                reader.Seek(QueuePosition.Oldest);
            }
        }
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public void A_damaged_subscription_begins_anew_at_the_oldest_message_that_is_there(bool isRepaired)
    {
        Cut(Count, 80, Taken).Dispose();
        if (isRepaired)
        {
            Site.Overwrite(StoreFormat.SubscriptionName("default"), 0, "XXXXXXXX"u8.ToArray());
            MappedQueue.Repair(Site.Queue);
        }
        else
        {
            // In the middle of a record.
            Site.Overwrite(StoreFormat.SubscriptionName("default"), SubscriptionFormat.NextOffset,
                BitConverter.GetBytes(SubscriptionFormat.NextWord((5L << 16) + 4096 + 16, 0)));
            Site.Overwrite(StoreFormat.ControlName, ControlFormat.BootOffset, "another boot of this machine"u8.ToArray());
        }
        using MappedQueue<Note> queue = Open(Small);
        long[] ids = Drain(queue);
        Assert.InRange(ids[0], 0, Taken);
        Assert.Equal(Enumerable.Range((int)ids[0], Count + Behind - (int)ids[0]).Select(id => (long)id), ids);
    }

    // The batch, of which a part is consumed; single messages behind; and the first segments are gone.
    private MappedQueue<Note> Cut(int count, int length, int taken)
    {
        MappedQueue<Note> queue = Open(Small);
        queue.EnqueueBatch([.. Enumerable.Range(0, count).Select(id => Of(id, length))]);
        Note? note = null;
        for (int id = 0; id < taken; id++)
        {
            Assert.True(queue.TryDequeue(ref note));
        }
        for (int id = 0; id < Behind; id++)
        {
            queue.Enqueue(Of(count + id, 80));
        }
        Assert.True(SpinWait.SpinUntil(() => !File.Exists(Path.Combine(Site.Queue, StoreFormat.SegmentName(0))), TimeSpan.FromSeconds(30)));
        return queue;
    }
}
