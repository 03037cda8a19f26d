using BlitQueue.Tests.Processes;
using BlitQueue.Tests.Queue.Pages;

namespace BlitQueue.Tests.Queue;

/// <summary>What docs/streams.md shows.</summary>
[Collection(ProcessCollection.Name)]
public sealed class StreamsPageTests
{
    [Fact]
    public void The_page_shows_this_code() => Page.AssertRuns("streams.md");

    [Fact]
    public async Task It_does_what_the_page_says() => Assert.Equal("order 1\norder 2\norder 3\n4\n", await Page.RunAsync(ShowAsync));

    private static async Task ShowAsync()
    {
        await using (FileStream file = File.Create("orders.bin"))
            await PackStream.WriteAllAsync(file, OrdersAsync());                 // any IAsyncEnumerable<Order>

        await using (FileStream file = File.OpenRead("orders.bin"))
            await foreach (Order? order in PackStream.ReadAllAsync<Order>(file)) // a new instance each, yours to keep
                Console.WriteLine($"order {order!.Id}");

        static async IAsyncEnumerable<Order> OrdersAsync()
        {
            for (var id = 1; id <= 3; id++)
            {
                await Task.Yield();                                              // from a database, say
                yield return new Order { Id = id };
            }
        }

        await using (var log = new FileStream("log.bin", FileMode.Append))
            await PackStream.WriteAsync(log, new Order { Id = 4 });

        Order? last = null;
        await using (FileStream log = File.OpenRead("log.bin"))
            while (log.Position < log.Length)
                last = await PackStream.ReadAsync(log, last);                    // fills the given instance, as Packer.Unpack does
        Console.WriteLine(last!.Id);
    }
}
