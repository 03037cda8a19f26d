namespace BlitQueue.Bench.Messages;

/// <summary>A message of the usual shape: texts, a date, nested messages.</summary>
[QueueMessage]
internal sealed partial class Order
{
    public long Id { get; set; }

    public string? Customer { get; set; }

    public DateTime Placed { get; set; }

    public List<LineItem>? Items { get; set; }

    /// <summary>An order with so many lines, the same each time.</summary>
    public static Order Create(int lines)
    {
        var random = new Random(42);
        return new Order
        {
            Id = 4711,
            Customer = "Ada Lovelace",
            Placed = new DateTime(2024, 2, 29, 12, 0, 0, DateTimeKind.Utc),
            Items = [.. Enumerable.Range(0, lines).Select(line => new LineItem
            {
                Sku = $"SKU-{random.Next(100_000, 1_000_000)}",
                Count = random.Next(1, 20),
                Price = random.Next(100, 100_000) / 100.0,
            })],
        };
    }
}

/// <summary>One line of an <see cref="Order"/>.</summary>
[QueueMessage]
internal sealed partial class LineItem
{
    public string? Sku { get; set; }

    public int Count { get; set; }

    public double Price { get; set; }
}

/// <summary>An order and what it costs.</summary>
[QueueMessage]
internal sealed partial class Invoice
{
    public Order? Order { get; set; }

    public decimal Total { get; set; }
}
