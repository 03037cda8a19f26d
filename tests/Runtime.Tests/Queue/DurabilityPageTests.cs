using BlitQueue.Tests.Processes;
using Xunit;

namespace BlitQueue.Tests.Queue;

/// <summary>What docs/durability.md shows.</summary>
public sealed partial class DurabilityPageTests
{
    [Fact]
    public void The_page_shows_this_code() => Page.AssertRuns("durability.md");

    [Fact]
    public async Task The_page_s_code_runs()
    {
        using var site = new Site();
        string path = site.Queue;

        using var orders = MappedQueue<Order>.Open(path, new QueueOptions { Durability = Durability.Commit });

        orders.Enqueue(new Order { Id = 1 });                            // on the disk when it returns
        await orders.EnqueueAsync(new Order { Id = 2 });                 // the same, and no thread waits for it
        orders.Enqueue(new Order { Id = 3 }, Durability.PageCache);      // this one need not be
        Console.WriteLine(orders.DurablePosition);                       // everything before it is on the disk

        await orders.FlushAsync();                                       // now the third is, too

        using var careful = orders.Subscribe("default", new SubscriptionOptions { DurableOnly = true });
        Order? order = null;
        while (careful.TryDequeue(ref order))                            // sees nothing that a power loss could take back
            Console.WriteLine($"order {order!.Id}");
        Assert.Equal(3, order!.Id);

        Task[] all = [.. Enumerable.Range(10, 64).Select(id => orders.EnqueueAsync(new Order { Id = id }).AsTask())];
        await Task.WhenAll(all);                                         // 64 messages, a few syncs
        Assert.Equal(orders.GetStatus().Next, orders.DurablePosition);
    }

    [QueueMessage]
    public sealed partial class Order
    {
        public long Id { get; set; }
    }
}
