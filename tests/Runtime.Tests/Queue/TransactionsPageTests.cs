using BlitQueue.Tests.Processes;
using Xunit;

namespace BlitQueue.Tests.Queue;

/// <summary>What docs/transactions.md shows. It names a store by a relative path, so no other test may run meanwhile.</summary>
[Collection(ProcessCollection.Name)]
public sealed partial class TransactionsPageTests
{
    [Fact]
    public void The_page_shows_this_code() => Page.AssertRuns("transactions.md");

    [Fact]
    public void It_does_what_the_page_says() => Page.Run(Try);

    private static void Try()
    {
        using var queue = MappedQueue<Order>.Open(
            "shop/orders", new QueueOptions { SegmentSize = 1 << 16, CreateDefaultSubscription = false });
        using var bills = MappedQueue<Invoice>.Open("shop/invoices", new QueueOptions { SegmentSize = 1 << 16 });
        using var early = queue.Subscribe("billing");
        queue.Enqueue(new Order { Id = 5 });
        Show();
        Assert.False(early.TryReceive(out Lease<Order> lease) && lease.Attempt == 2);
        Invoice? invoice = null;
        Assert.True(bills.TryDequeue(ref invoice));
        Assert.Equal(5, invoice!.Order);
        Assert.True(bills.TryDequeue(ref invoice));
        Assert.Equal(7, invoice!.Order);
    }

    private static void Show()
    {
        using var shop = MappedStore.Open("shop");                              // a directory of queues
        var orders = shop.OpenQueue<Order>("orders");                           // shop/orders: options as for MappedQueue.Open
        var invoices = shop.OpenQueue<Invoice>("invoices");                     // disposed with the store
        var billing = orders.Subscribe("billing");

        Order? order = null;
        using var transaction = shop.Begin();
        if (transaction.TryReceive(billing, ref order))
        {
            transaction.Enqueue(invoices, new Invoice { Order = order!.Id });
            transaction.Commit();                                               // both, or neither
        }

        var archive = shop.OpenQueue<Order>("archive");
        using var notice = shop.Begin();
        notice.EnqueueToAll(new Order { Id = 7 }, orders, archive);             // the same message to each
        notice.Enqueue(invoices, new Invoice { Order = 7 });
        notice.Commit();
    }

    [QueueMessage]
    public sealed partial class Order
    {
        public long Id { get; set; }
    }

    [QueueMessage]
    public sealed partial class Invoice
    {
        public long Order { get; set; }
    }
}
