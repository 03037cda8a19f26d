namespace BlitQueue.Bench.Messages;

/// <summary>An order as shops have them, and as the MSMQ paper's: two addresses and many lines.</summary>
[QueueMessage]
internal sealed partial class Purchase : IBenchMessage<Purchase>
{
    public long Id { get; set; }

    public DateTime Placed { get; set; }

    public Address? BillTo { get; set; }

    public Address? ShipTo { get; set; }

    public List<PurchaseLine>? Lines { get; set; }

    /// <summary>A purchase with so many lines, the same each time; other variants differ in the texts of their lines.</summary>
    public static Purchase Create(int lines, int variant = 0)
    {
        var random = new Random(42 + variant);
        return new Purchase
        {
            Id = 4711,
            Placed = new DateTime(2024, 2, 29, 12, 0, 0, DateTimeKind.Utc),
            BillTo = Address.Create("Ada Lovelace"),
            ShipTo = Address.Create("Charles Babbage"),
            Lines = [.. Enumerable.Range(0, lines).Select(_ => PurchaseLine.Create(random))],
        };
    }

    public void Stamp(long number) => Id = number;

    public long Check() => Lines is { Count: > 0 } lines && lines[^1].Sku is not null && ShipTo?.Phone is not null
        ? Id : throw new InvalidDataException($"The order that says it is number {Id} is not whole.");
}
