using Xunit;

namespace BlitQueue.Tests.Queue;

/// <summary>Ways to enqueue: several at once without waiting, whatever can be enumerated, properties and a level together.</summary>
public sealed class OverloadTests : QueueFixture
{
    [Fact]
    public void A_batch_that_finds_no_room_enqueues_nothing_and_does_not_wait()
    {
        using MappedQueue<Note> queue = Open(new QueueOptions { SegmentSize = 1 << 16, Capacity = 10_000 });
        using Subscription<Note> subscription = queue.Subscribe("default");
        Note[] batch = [.. Enumerable.Range(0, 4).Select(static id => Of(id, 1000))];
        Assert.True(queue.TryEnqueueBatch(batch, out QueuePosition first));
        Assert.True(queue.TryEnqueueBatch(batch));
        Assert.False(queue.TryEnqueueBatch(batch));
        Assert.False(queue.TryEnqueueBatch(batch, out QueuePosition none));
        Assert.Equal(default, none);
        Lease<Note> lease = Receive(subscription, 0, 1);
        Assert.Equal(first, lease.Position);
        lease.Commit();
        Assert.Equal([1, 2, 3, 0, 1, 2, 3], Drain(queue));
        Assert.True(queue.TryEnqueueBatch([], out none));
        Assert.Equal(default, none);
        Assert.Contains("index 1", Assert.Throws<ArgumentNullException>(() => queue.TryEnqueueBatch([Of(1), null!])).Message);
        Assert.Empty(Drain(queue));
        Assert.Throws<ArgumentException>(() => queue.TryEnqueueBatch([.. batch, .. batch, .. batch]));
    }

    [Fact]
    public void A_batch_of_messages_of_fixed_size_too()
    {
        using var ticks = MappedQueue<Tick>.Open(Site.Queue, new QueueOptions { SegmentSize = 1 << 16, Capacity = 10_000 });
        int count = 0;
        while (ticks.TryEnqueueBatch([new Tick { Id = count }, new Tick { Id = count + 1 }]))
        {
            count += 2;
        }
        Assert.InRange(count, 10, 10_000);
        Tick? tick = null;
        for (int id = 0; id < count; id++)
        {
            Assert.True(ticks.TryDequeue(ref tick));
            Assert.Equal(id, tick!.Id);
        }
        Assert.False(ticks.TryDequeue(ref tick));
    }

    [Fact]
    public void Whatever_can_be_enumerated_is_a_batch()
    {
        using MappedQueue<Note> queue = Open();
        IEnumerable<Note> array = new[] { Of(0), Of(1) };
        QueuePosition first = queue.EnqueueBatch(array);
        queue.EnqueueBatch(new List<Note> { Of(2) });
        queue.EnqueueBatch(Enumerable.Range(3, 3).Select(static id => Of(id)));
        Assert.Equal(default, queue.EnqueueBatch(Enumerable.Empty<Note>()));
        using Subscription<Note> subscription = queue.Subscribe("default");
        Lease<Note> lease = Receive(subscription, 0, 1);
        Assert.Equal(first, lease.Position);
        lease.Commit();
        // These go the other way.
        Note[] notes = [Of(6)];
        queue.EnqueueBatch(notes);
        queue.EnqueueBatch([Of(7)]);
        Assert.Equal([1, 2, 3, 4, 5, 6, 7], Drain(queue));
        Assert.Throws<ArgumentNullException>(() => queue.EnqueueBatch((IEnumerable<Note>)null!));
        Assert.Throws<FormatException>(() => queue.EnqueueBatch(Enumerable.Range(0, 3).Select(
            static id => id == 2 ? throw new FormatException() : Of(id))));
        Assert.Throws<ArgumentNullException>(() => queue.EnqueueBatch(new List<Note> { Of(1), null! }));
        Assert.Throws<OperationCanceledException>(
            () => queue.EnqueueBatch(new List<Note> { Of(1) }, new CancellationToken(canceled: true)));
        Assert.Empty(Drain(queue));
    }

    [Fact]
    public async Task Properties_and_a_level_go_together()
    {
        using MappedQueue<Note> queue = Open();
        using Subscription<Note> subscription = queue.Subscribe("default");
        var properties = new MessageProperties { Label = "both" };
        queue.Enqueue(Of(1), properties, Durability.Commit);
        Assert.True(queue.DurablePosition > QueuePosition.Oldest);
        QueuePosition before = queue.DurablePosition;
        QueuePosition second = await queue.EnqueueAsync(Of(2), properties, Durability.Commit);
        Assert.True(queue.DurablePosition > before);
        await queue.EnqueueAsync(Of(3), properties, Durability.PageCache);
        for (int id = 1; id <= 3; id++)
        {
            Lease<Note> lease = Receive(subscription, id, 1);
            Assert.Equal("both", lease.ReadProperties()!.Label);
            Assert.Equal(id == 2, lease.Position == second);
        }
        Assert.Throws<ArgumentNullException>(() => queue.Enqueue(Of(1), null!, Durability.Commit));
        Assert.Contains("Durability", Assert.Throws<ArgumentException>(() => queue.Enqueue(Of(1), properties, (Durability)9)).Message);
        if (OperatingSystem.IsLinux())
        {
            using var memory = MappedQueue<Note>.Open(Path.Combine("/dev/shm", Path.GetFileName(Site.Root)));
            Assert.Throws<QueueException>(() => memory.Enqueue(Of(1), properties, Durability.Commit));
            memory.Dispose();
            MappedQueue.Delete(memory.Path);
        }
    }
}
