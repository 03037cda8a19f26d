using System.Text.Json.Serialization;
using MemoryPack;

namespace BlitQueue.Bench.Messages;

/// <summary>An order as shops have them, and as the MSMQ paper's: two addresses and many lines.</summary>
[QueueMessage, MemoryPackable]
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

    /// <summary>The same of new objects and new texts.</summary>
    public Purchase Copy()
    {
        var lines = new List<PurchaseLine>(Lines!.Count);
        foreach (PurchaseLine line in Lines)
        {
            lines.Add(line.Copy());
        }
        return new Purchase { Id = Id, Placed = Placed, BillTo = BillTo!.Copy(), ShipTo = ShipTo!.Copy(), Lines = lines };
    }

    public static void Stamp(Purchase message, long number) => message.Id = number;

    public static long Check(Purchase message) =>
        message is { Lines: { Count: > 0 } lines, ShipTo.Phone: not null } && lines[^1].Sku is not null
        ? message.Id : throw new InvalidDataException($"The order that says it is number {message.Id} is not whole.");
}

/// <summary>Eight texts.</summary>
[QueueMessage, MemoryPackable]
internal sealed partial class Address
{
    public string? Name { get; set; }

    public string? Company { get; set; }

    public string? Street { get; set; }

    public string? City { get; set; }

    public string? Region { get; set; }

    public string? PostCode { get; set; }

    public string? Country { get; set; }

    public string? Phone { get; set; }

    /// <summary>An address of texts of usual length.</summary>
    public static Address Create(string name) => new()
    {
        Name = name,
        Company = "Analytical Engines Ltd",
        Street = "12 St James's Square",
        City = "London",
        Region = "Greater London",
        PostCode = "SW1Y 4JH",
        Country = "United Kingdom",
        Phone = "+44 20 7946 0991",
    };

    /// <summary>The same of new texts.</summary>
    public Address Copy() => new()
    {
        Name = new string(Name.AsSpan()),
        Company = new string(Company.AsSpan()),
        Street = new string(Street.AsSpan()),
        City = new string(City.AsSpan()),
        Region = new string(Region.AsSpan()),
        PostCode = new string(PostCode.AsSpan()),
        Country = new string(Country.AsSpan()),
        Phone = new string(Phone.AsSpan()),
    };
}

/// <summary>One line of a <see cref="Purchase"/>: a number, a text, three prices.</summary>
[QueueMessage, MemoryPackable]
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

    /// <summary>The same of a new text.</summary>
    public PurchaseLine Copy() => new()
    {
        Count = Count,
        Sku = new string(Sku.AsSpan()),
        Price = Price,
        Discount = Discount,
        Tax = Tax,
    };
}

/// <summary>The code that System.Text.Json's generator writes for a <see cref="Purchase"/>.</summary>
[JsonSerializable(typeof(Purchase))]
internal sealed partial class PurchaseJson : JsonSerializerContext;
