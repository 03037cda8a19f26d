using System.Threading.Channels;
using BlitQueue.Tests.Processes;

namespace BlitQueue.Tests.Queue;

/// <summary>What docs/async.md shows.</summary>
[Collection(ProcessCollection.Name)]
public sealed partial class AsyncPageTests
{
    [Fact]
    public void The_page_shows_this_code() => Page.AssertRuns("async.md");

    [Fact]
    public async Task It_does_what_the_page_says() =>
        Assert.Equal("order 1\norder 2\norder 3\ndone\n", await Page.RunAsync(ShowAsync));

    [Fact]
    public async Task Channels_do_what_the_page_says() => Assert.Equal("4\n", await Page.RunAsync(ShowChannelsAsync));

    private static async Task ShowAsync()
    {
        Page.MakeQueue<Order>("orders");

        using var orders = MappedQueue<Order>.Open("orders", new QueueOptions { Capacity = 1 << 20 });
        using var stop = new CancellationTokenSource();

        Task consumer = Consume(stop.Token);
        for (var id = 1; id <= 3; id++)
            await orders.EnqueueAsync(new Order { Id = id }, stop.Token);    // completed already while there is room

        while (orders.GetStatus().MessageCount > 0)                              // until all are consumed
            await Task.Delay(10);
        stop.Cancel();
        await consumer;

        async Task Consume(CancellationToken cancellationToken)
        {
            try
            {
                await foreach (var order in orders.ReadAllAsync(cancellationToken))   // a new instance each, yours to keep
                    Console.WriteLine($"order {order.Id}");
            }
            catch (OperationCanceledException)
            {
                Console.WriteLine("done");                                   // nothing was taken that was not handled
            }
        }
    }

    // The page's loop has no end but that of the queue.
    private static async Task ShowChannelsAsync()
    {
        Page.MakeQueue<Order>("orders");
        using var orders = MappedQueue<Order>.Open("orders");
        Task loop = LoopAsync(orders);
        while (orders.GetStatus().MessageCount > 0)
            await Task.Delay(10);
        orders.Dispose();
        await Assert.ThrowsAsync<ObjectDisposedException>(() => loop);
    }

    private static async Task LoopAsync(MappedQueue<Order> orders)
    {
        ChannelWriter<Order> writer = orders.AsChannelWriter();
        await writer.WriteAsync(new Order { Id = 4 });
        writer.Complete();                                    // ends this writer; others, and the queue, go on

        ChannelReader<Order> reader = orders.AsChannelReader();   // or subscription.AsChannelReader()
        while (await reader.WaitToReadAsync())
            while (reader.TryRead(out Order? order))
                Console.WriteLine(order.Id);                  // without end: see below
    }

    [QueueMessage]
    public partial class Order { public long Id { get; set; } }
}
