using BlitQueue.Tests.Processes;

namespace BlitQueue.Tests.Queue;

/// <summary>What README.md shows.</summary>
[Collection(ProcessCollection.Name)]
public sealed partial class ReadmePageTests
{
    private static readonly List<long> Saved = [];

    [Fact]
    public void The_page_shows_this_code() => Page.AssertRuns("../README.md");

    [Fact]
    public void It_does_what_the_page_says()
    {
        Saved.Clear();
        Assert.Equal("1: Ada\n", Page.Run(Show));
        Assert.Equal([2], Saved);
    }

    private static void Show()
    {
        Page.MakeQueue<Order>("orders");

        using var orders = MappedQueue<Order>.Open("orders");   // a directory; made when absent, joined when another process has it

        var order = new Order { Id = 1, Customer = "Ada" };
        orders.Enqueue(in order);                               // packed straight into a mapped file; every process sees it now

        Order? next = null;
        while (orders.TryDequeue(ref next))                     // any process, any time; unpacked into the same instance
            Console.WriteLine($"{next!.Id}: {next.Customer}");

        orders.Enqueue(new Order { Id = 2 });

        using Subscription<Order> consumer = orders.Subscribe("default");
        using Lease<Order> lease = consumer.Receive();          // waits for a message
        lease.ReadInto(ref next);
        Save(next!);
        lease.Commit();                                         // killed before this line, the message goes to another consumer
    }

    private static void Save(Order order) => Saved.Add(order.Id);

    [QueueMessage]                                          // a source generator writes the packing; no reflection
    public partial class Order { public long Id { get; set; } public string? Customer { get; set; } }
}
