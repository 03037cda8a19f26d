using BlitQueue.Tests.Processes;

namespace BlitQueue.Tests.Queue;

/// <summary>What README.md shows.</summary>
[Collection(ProcessCollection.Name)]
public sealed partial class ReadmePageTests
{
    [Fact]
    public void The_page_shows_this_code() => Page.AssertRuns("../README.md");

    [Fact]
    public void It_does_what_the_page_says()
    {
        Assert.Equal("1: Ada\nworking on 2\n3\n", Page.Run(Show));
    }

    private static void Show()
    {
        Page.MakeQueue<Order>("orders");

        using var orders = MappedQueue<Order>.Open("orders");   // a directory; made when absent, joined when another process has it

        orders.Enqueue(new Order { Id = 1, Customer = "Ada" }); // packed straight into a mapped file; every process sees it now

        while (orders.TryDequeue(out Order? order))             // any process, any time; a new instance each time
            Console.WriteLine($"{order.Id}: {order.Customer}");

        orders.Enqueue(new Order { Id = 2, Customer = "Bob" });

        using Subscription<Order> consumer = orders.Subscribe("default");
        using Lease<Order> lease = consumer.Receive();          // waits for a message
        Console.WriteLine($"working on {lease.Read().Id}");
        lease.Commit();                                         // killed before this line, the message goes to another consumer

        orders.Enqueue(new Order { Id = 3 });

        Order? reused = null;
        while (orders.TryDequeue(ref reused))                   // unpacked into the same instance, which changes with the next call
            Console.WriteLine(reused.Id);
    }

    [QueueMessage]                                          // a source generator writes the packing; no reflection
    public partial class Order { public long Id { get; set; } public string? Customer { get; set; } }
}
