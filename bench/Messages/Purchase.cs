namespace BlitQueue.Bench.Messages;

/// <summary>An order as shops have them: two addresses and many lines.</summary>
[QueueMessage]
internal sealed partial class Purchase
{
    public long Id { get; set; }

    public DateTime Placed { get; set; }

    public Address? BillTo { get; set; }

    public Address? ShipTo { get; set; }

    public List<PurchaseLine>? Lines { get; set; }

    /// <summary>A purchase with so many lines, the same each time.</summary>
    public static Purchase Create(int lines)
    {
        var random = new Random(42);
        return new Purchase
        {
            Id = 4711,
            Placed = new DateTime(2024, 2, 29, 12, 0, 0, DateTimeKind.Utc),
            BillTo = Address.Create("Ada Lovelace"),
            ShipTo = Address.Create("Charles Babbage"),
            Lines = [.. Enumerable.Range(0, lines).Select(_ => PurchaseLine.Create(random))],
        };
    }
}
