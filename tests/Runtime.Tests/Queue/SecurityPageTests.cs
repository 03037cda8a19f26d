using BlitQueue.Tests.Processes;
using Xunit;

namespace BlitQueue.Tests.Queue.Pages;

/// <summary>What docs/SECURITY.md shows.</summary>
[Collection(ProcessCollection.Name)]
public sealed class SecurityPageTests
{
    [Fact]
    public void The_page_shows_this_code() => Page.AssertRuns("SECURITY.md");

    [Fact]
    public void Its_code_runs()
    {
        string said = Page.Run(() =>
        {
            using var orders = MappedQueue<Order>.Open("orders", new QueueOptions { SegmentSize = 1 << 16 });
            orders.Enqueue(new Order { Id = 7 });

            using var reader = QueueReader<Order>.Open("orders");    // needs the right to read, and no more

            Order? order = null;
            while (reader.TryRead(ref order))
                Console.WriteLine(order!.Id);
        });
        Assert.Equal("7\n", said);
    }
}
