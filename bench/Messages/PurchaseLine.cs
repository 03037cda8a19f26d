namespace BlitQueue.Bench.Messages;

/// <summary>One line of a <see cref="Purchase"/>: a number, a text, three prices.</summary>
[QueueMessage]
internal sealed partial class PurchaseLine
{
    public int Count { get; set; }

    public string? Sku { get; set; }

    public double Price { get; set; }

    public double Discount { get; set; }

    public double Tax { get; set; }

    /// <summary>A line that the random numbers make.</summary>
    public static PurchaseLine Create(Random random) => new()
    {
        Count = random.Next(1, 20),
        Sku = $"SKU-{random.Next(100_000, 1_000_000)}",
        Price = random.Next(100, 100_000) / 100.0,
        Discount = random.Next(0, 1000) / 100.0,
        Tax = random.Next(0, 10_000) / 100.0,
    };
}
