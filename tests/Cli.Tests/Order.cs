namespace BlitQueue.Tool;

/// <summary>The message of these tests, and of docs/tool.md.</summary>
[QueueMessage]
public sealed partial class Order
{
    public long Id { get; set; }

    public string? Customer { get; set; }

    public decimal Total { get; set; }

    public DateTime At { get; set; }

    public List<Line>? Lines { get; set; }

    /// <summary>One of a few orders that are always the same.</summary>
    public static Order Make(int number) => new()
    {
        Id = number,
        Customer = number % 3 == 0 ? "Zo\u00eb" : "Ada",
        Total = 9.90m * number,
        At = new DateTime(2026, 1, 31, 12, 0, 0, DateTimeKind.Utc).AddMinutes(number),
        Lines = [new Line { Sku = $"A-{number}", Count = number }],
    };
}

/// <summary>A line of an order.</summary>
[QueueMessage]
public sealed partial class Line
{
    public string? Sku { get; set; }

    public int Count { get; set; }
}
