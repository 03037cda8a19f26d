using BlitQueue.Tests.Processes;

namespace BlitQueue.Tests.Queue;

/// <summary>What docs/reuse.md shows.</summary>
[Collection(ProcessCollection.Name)]
public sealed partial class ReusePageTests
{
    [Fact]
    public void The_page_shows_this_code() => Page.AssertRuns("reuse.md");

    [Fact]
    public void It_does_what_the_page_says() => Assert.Equal("True\nTrue\n5 of X-1\n2\n", Page.Run(Show));

    [Fact]
    public void New_instances_are_what_the_page_says() => Assert.Equal("Rome, not nowhere\n1\n", Page.Run(ShowNew));

    private static void Show()
    {
        byte[] first = Packer.Pack(new Cart { Customer = "Ada", Items = [new() { Sku = "X-1", Count = 2 }] });
        byte[] second = Packer.Pack(
            new Cart { Customer = "Ada", Items = [new() { Sku = "X-1", Count = 5 }, new() { Sku = "X-2", Count = 1 }] });

        Cart? cart = null;
        Packer.Unpack(first, ref cart);                      // null is given: all is new
        CartItem item = cart!.Items![0];
        string customer = cart.Customer!;

        Packer.Unpack(second, ref cart);                     // only X-2 is new
        Console.WriteLine(ReferenceEquals(item, cart!.Items![0]));       // True: the item that you had has other content now
        Console.WriteLine(ReferenceEquals(customer, cart.Customer));     // True: an equal string stays
        Console.WriteLine($"{item.Count} of {item.Sku}");                // 5 of X-1
        Console.WriteLine(cart.Items.Count);                             // 2
    }

    private static void ShowNew()
    {
        Parcel? parcel = Packer.Unpack<Parcel>(Packer.Pack(new Parcel { To = new() { City = "Rome" }, Codes = { ["a"] = 1 } }));
        Console.WriteLine($"{parcel!.To.City}, not {Address.Nowhere.City}");       // Rome, not nowhere
        Console.WriteLine(parcel.Codes["A"]);                                    // 1: the comparer is the initializer's
    }

    [QueueMessage]
    public partial class Cart { public string? Customer { get; set; } public List<CartItem>? Items { get; set; } }

    [QueueMessage]
    public partial class CartItem { public string? Sku { get; set; } public int Count { get; set; } }

    [QueueMessage]
    public partial class Parcel
    {
        public Address To { get; set; } = Address.Nowhere;
        public Dictionary<string, int> Codes { get; set; } = new(StringComparer.OrdinalIgnoreCase);
    }

    [QueueMessage]
    public partial class Address
    {
        public static readonly Address Nowhere = new() { City = "nowhere" };
        public string? City { get; set; }
    }
}
