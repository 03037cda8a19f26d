using BlitQueue.Tests.Processes;
using Xunit;

namespace BlitQueue.Tests.Queue;

/// <summary>What docs/properties.md shows. It names queues by relative paths, so no other test may run meanwhile.</summary>
[Collection(ProcessCollection.Name)]
public sealed partial class PropertiesPageTests
{
    [Fact]
    public void The_page_shows_this_code() => Page.AssertRuns("properties.md");

    [Fact]
    public void It_does_what_the_page_says() => Assert.Equal("1 rush for acme\n2: expired\n4\n6\n7\n5\n", Page.Run(Show));

    private static void Show()
    {
        using var orders = MappedQueue<Order>.Open("orders", new QueueOptions { SegmentSize = 1 << 16 });

        orders.Enqueue(new Order { Id = 1 }, new MessageProperties
        {
            Label = "rush",
            CorrelationId = "request-17",
            ReplyTo = "answers/shop",
            TimeToLive = TimeSpan.FromMinutes(5),
            Headers = { ["tenant"] = "acme" },
        });

        Order? order = null;
        var properties = new MessageProperties();                               // one instance for all: filled anew each time
        while (orders.TryDequeue(ref order, properties))
            Console.WriteLine($"{order!.Id} {properties.Label} for {properties.Headers["tenant"]}");

        using var billing = orders.Subscribe("billing", new SubscriptionOptions { OnExpired = ExpiredMode.DeadLetter });   // else: dropped

        orders.Enqueue(new Order { Id = 2 }, new MessageProperties { ExpiresAt = DateTime.UtcNow.AddSeconds(-1) });
        while (billing.TryReceive(out Lease<Order> lease))
            lease.Commit();

        DeadLetter<Order>? letter = null;
        while (billing.DeadLetters.TryTake(ref letter))
            Console.WriteLine($"{letter!.Message.Id}: {letter.Reason}");        // 2: expired

        using var stamped = MappedQueue<Order>.Open("stamped", new QueueOptions
        {
            Stamps = MessageStamps.Time | MessageStamps.Producer,                // what this handle notes beside each message
            RetainFor = TimeSpan.FromDays(7),
        });
        stamped.Enqueue(new Order { Id = 3 });

        using var audit = stamped.Subscribe("default");
        audit.Seek(DateTime.UtcNow.AddHours(-1));                               // the first message that was enqueued since
        Assert.True(audit.TryDequeue(ref order));
        Assert.Equal(3, order!.Id);

        using var lanes = MappedLanes<Order>.Open("urgent", lanes: 3);          // three queues in one directory
        lanes.Enqueue(new Order { Id = 5 }, lane: 2);
        lanes.Enqueue(new Order { Id = 4 }, lane: 0);                           // overtakes
        lanes[1].EnqueueBatch([new Order { Id = 6 }, new Order { Id = 7 }]);    // a lane is a queue

        using var desk = lanes.Subscribe("default");
        while (desk.TryDequeue(ref order))
            Console.WriteLine(order!.Id);                                       // 4, 6, 7, 5
    }

    [QueueMessage]
    public sealed partial class Order
    {
        public long Id { get; set; }
    }
}
