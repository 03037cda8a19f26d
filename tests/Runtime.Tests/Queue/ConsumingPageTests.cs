using BlitQueue.Tests.Processes;
using Xunit;

namespace BlitQueue.Tests.Queue.Pages;

/// <summary>What docs/consuming.md shows.</summary>
public sealed class ConsumingPageTests : IDisposable
{
    private readonly Site _site = new();

    [Fact]
    public void The_page_shows_this_code() => Page.AssertRuns("consuming.md");

    [Fact]
    public async Task Its_code_runs()
    {
        using var ending = new CancellationTokenSource();
        CancellationToken stopping = ending.Token;
        ValueTask BillAsync(Order bill, CancellationToken cancellationToken)
        {
            ending.Cancel();
            return default;
        }
        string path = _site.Queue;
        using var orders = MappedQueue<Order>.Open(path, new QueueOptions { SegmentSize = 1 << 16 });
        for (int id = 0; id < 100; id++)
        {
            orders.Enqueue(new Order { Id = id, Total = id });
        }
        Order? order = null;

        using Subscription<Order> billing = orders.Subscribe("billing");
        using Lease<Order> lease = billing.Receive();
        using (LeasedBytes bytes = lease.OpenBytes())
        {
            var view = new Order.View(bytes.Span);
            Console.WriteLine($"{view.Id}: {view.Total}");
        }
        lease.Commit();

        var leases = new Lease<Order>[64];
        int count = billing.TryReceive(leases);                        // as many as there are, in order
        foreach (Lease<Order> one in leases.AsSpan(0, count))
            one.ReadInto(ref order);
        billing.Commit(leases.AsSpan(0, count));                       // all, or an exception where one has ended

        var batch = new Order?[64];                                    // filled, and used again for the next batch
        int consumed = orders.TryDequeue(batch);                          // consumed together, with one compare-exchange
        Assert.Equal((64, 64, 64), (count, consumed, order!.Id));

        try
        {
            await foreach (Lease<Order> taken in billing.ReceiveAllAsync(stopping))
            {
                await BillAsync(taken.Read(), stopping);
                taken.Commit();                                            // without this line, it is given back at the end of the body
            }
        }
        catch (OperationCanceledException)
        {
        }

        try
        {
            await billing.ProcessAsync(
                async (one, cancelled) => await BillAsync(one, cancelled),
                new ProcessOptions { Concurrency = 8, RetryDelay = TimeSpan.FromSeconds(5) },
                stopping);                                                 // runs until the token is cancelled
        }
        catch (OperationCanceledException)
        {
        }

        if (orders.TryPeek(ref order))                                 // the next one; another consumer may take it at any time
            Console.WriteLine(order!.Id);

        using QueueCursor<Order> cursor = orders.OpenCursor(QueuePosition.Oldest);
        while (cursor.TryRead(ref order, out QueuePosition position))
            Console.WriteLine($"{position}: {order!.Id}");             // subscription.Seek(position) takes it
        foreach (Order one in orders.OpenCursor(QueuePosition.Oldest))
            Console.WriteLine(one.Id);                                 // new instances, to the queue's end
        Assert.Equal(99, order!.Id);

        using (Subscription<Order> ledger = orders.Subscribe("ledger", new SubscriptionOptions { Exclusive = true }))
        {
            while (ledger.TryReceive(out Lease<Order> next))           // one open lease at a time
            {
                next.ReadInto(ref order);
                next.Commit();                                         // given back, it comes again before all later ones
            }
        }
        Assert.Equal(0, orders.GetStatus().Subscriptions.Single(static one => one.Name == "ledger").Lag);

        using Subscription<Order> mails = orders.Subscribe("mails", new SubscriptionOptions { RetryDelay = TimeSpan.FromSeconds(30) });
        if (mails.TryReceive(out Lease<Order> mail))
            mail.Abandon();                                            // comes again in 30 s, not before
        if (mails.TryReceive(out mail))
            mail.Abandon(TimeSpan.FromMinutes(5));                     // this one in 5 minutes
        Assert.True(mails.TryPeek(ref order));
        Assert.Equal(66, order!.Id);

        if (billing.TryReceive(out Lease<Order> slow))
        {
            slow.Renew();                                              // from now on it lasts as long as a new lease
            slow.Abandon("the bank does not answer");                  // if the attempts run out, this is the letter's Reason
        }

        using var watched = MappedQueue<Order>.Open(path, new QueueOptions { Capacity = 64 << 20, SoftLimit = 16 << 20 });
        watched.SoftLimitReached += (_, fill) => Console.WriteLine($"{fill.Bytes} bytes wait");
    }

    public void Dispose() => _site.Dispose();
}
