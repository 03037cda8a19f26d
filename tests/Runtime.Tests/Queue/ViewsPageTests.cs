using BlitQueue.Tests.Processes;

namespace BlitQueue.Tests.Queue;

/// <summary>What docs/views.md shows.</summary>
[Collection(ProcessCollection.Name)]
public sealed partial class ViewsPageTests
{
    [Fact]
    public void The_page_shows_this_code() => Page.AssertRuns("views.md");

    [Fact]
    public void It_does_what_the_page_says() => Assert.Equal("12.50\nTrue\n4\n7\nX-2\n", Page.Run(Show));

    private static void Show()
    {
        var order = new Order
        {
            Id = 1, Customer = "Ada", Total = 12.50m, Codes = [3, 4],
            Items = [new() { Sku = "X-1", Count = 2 }, new() { Sku = "X-2", Count = 5 }],
        };
        byte[] bytes = Packer.Pack(in order);

        var view = new Order.View(bytes);                    // reads the header, nothing else
        Console.WriteLine(view.Total);                       // 12.50
        Console.WriteLine(view.Customer == "Ada"u8);         // True; no string was made
        Console.WriteLine(view.Codes.Span[1]);               // 4, from the packed bytes themselves

        var count = 0;
        foreach (var item in view.Items)                     // each item is a LineItem.View
            count += item.Count;
        Console.WriteLine(count);                            // 7

        Order copy = view.ToObject()!;                       // or view.CopyTo(ref used), to fill an instance
        Console.WriteLine(copy.Items![1].Sku);
    }

    [QueueMessage]
    public partial class Order
    {
        public long Id { get; set; }
        public string? Customer { get; set; }
        public decimal Total { get; set; }
        public int[]? Codes { get; set; }
        public List<LineItem>? Items { get; set; }
    }

    [QueueMessage]
    public partial class LineItem { public string? Sku { get; set; } public int Count { get; set; } }
}
