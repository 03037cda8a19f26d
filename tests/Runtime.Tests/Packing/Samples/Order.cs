using System.Runtime.InteropServices;
using BlitQueue.Generated;

namespace BlitQueue.Tests.Packing.Samples;

/// <summary>
/// Every shape of member in one message, as the generator would write it. An older writer may know fewer members, a newer one more.
/// </summary>
public sealed class Order : IPackable<Order>
{
    private const int FixedLength = 46;
    private const int VariableCount = 7;

    public long Id { get; set; }
    public DateTime Placed { get; set; }
    public bool Paid { get; set; }
    public decimal? Total { get; set; }
    public DateTimeOffset Shipped { get; set; }
    public char Grade { get; set; } = 'A';
    public string? Customer { get; set; }
    public List<LineItem?>? Items { get; set; }
    public LineItem? Gift { get; set; } = new() { Sku = "none" };
    public int[]? Codes { get; set; }
    public List<bool>? Flags { get; set; }
    public List<string?>? Notes { get; set; }
    public Point Spot { get; set; }

    public static MessageSchema Schema { get; } = new(
        "Order",
        [
            new("Id", "i64"), new("Placed", "datetime"), new("Paid", "bool"), new("Total", "decimal?"), new("Shipped", "datetimeoffset"),
            new("Grade", "char"), new("Customer", "string"), new("Items", "list<#0>", static () => LineItem.Schema),
            new("Gift", "#0", static () => LineItem.Schema), new("Codes", "list<i32>"), new("Flags", "list<bool>"),
            new("Notes", "list<string>"),
            new("Spot", "#0", static () => Point.Schema),
        ]);

    public static Order Full(string customer = "Ada Lovelace") => new()
    {
        Id = 0x0102030405060708,
        Placed = new DateTime(2024, 2, 29, 12, 34, 56, DateTimeKind.Utc),
        Paid = true,
        Total = 1234.5678m,
        Shipped = new DateTimeOffset(2024, 3, 1, 8, 0, 0, TimeSpan.FromHours(5.5)),
        Grade = 'Ä',
        Customer = customer,
        Items = [new() { Sku = "X-1", Count = 2 }, null, new() { Sku = "日本", Count = -1 }],
        Gift = new() { Sku = "", Count = 1 },
        Codes = [1, -2, int.MaxValue],
        Flags = [true, false, true],
        Notes = ["first", null, "", "Zoë 🚀"],
        Spot = new() { X = 7, Y = -3 },
    };

    public static void Pack(ref PackWriter writer, scoped in Order? value)
    {
        if (value is null)
        {
            writer.WriteNull();
            return;
        }

        FixedBlockWriter block = writer.BeginMessage(FixedLength, VariableCount);
        block.Write(0, value.Id);
        block.Write(8, value.Placed);
        block.Write(16, value.Paid);
        block.WriteNullable(17, value.Total);
        block.Write(34, value.Shipped);
        block.Write(44, value.Grade);
        writer.WriteString(value.Customer);
        if (value.Items is null)
        {
            writer.WriteNull();
        }
        else
        {
            writer.WriteMessages<LineItem>(CollectionsMarshal.AsSpan(value.Items));
        }

        writer.WriteMessage(value.Gift);
        if (value.Codes is null)
        {
            writer.WriteNull();
        }
        else
        {
            writer.WriteSpan<int>(value.Codes);
        }

        if (value.Flags is null)
        {
            writer.WriteNull();
        }
        else
        {
            writer.WriteSpan<bool>(CollectionsMarshal.AsSpan(value.Flags));
        }

        if (value.Notes is null)
        {
            writer.WriteNull();
        }
        else
        {
            writer.WriteStrings(CollectionsMarshal.AsSpan(value.Notes));
        }

        writer.WriteMessage(value.Spot);
        writer.EndMessage();
    }

    public static void Unpack(ref PackReader reader, scoped ref Order? value)
    {
        if (!reader.BeginMessage(out FixedBlockReader block))
        {
            value = null;
            return;
        }

        bool isNew = value is null;
        Order order = value ??= new Order();
        if (block.FixedLength == FixedLength && block.VariableCount == VariableCount)
        {
            order.UnpackSame(ref reader, block);
        }
        else
        {
            order.UnpackOther(ref reader, block, isNew);
        }

        reader.EndMessage(in block, VariableCount);
    }

    private void UnpackSame(ref PackReader reader, FixedBlockReader block)
    {
        Id = block.Read<long>(0);
        Placed = block.Read<DateTime>(8);
        Paid = block.Read<bool>(16);
        Total = block.ReadNullable<decimal>(17);
        Shipped = block.Read<DateTimeOffset>(34);
        Grade = block.Read<char>(44);
        Customer = reader.ReadString(Customer);
        Items = reader.ReadMessageList(Items);
        LineItem? gift = Gift;
        reader.ReadMessage(ref gift);
        Gift = gift;
        Codes = reader.ReadArray(Codes);
        Flags = reader.ReadList(Flags);
        Notes = reader.ReadStringList(Notes);
        Point spot = Spot;
        reader.ReadMessage(ref spot);
        Spot = spot;
    }

    private void UnpackOther(ref PackReader reader, FixedBlockReader block, bool isNew)
    {
        if (block.Has<long>(0))
        {
            Id = block.Read<long>(0);
        }
        else if (!isNew)
        {
            Id = 0;
        }

        if (block.Has<DateTime>(8))
        {
            Placed = block.Read<DateTime>(8);
        }
        else if (!isNew)
        {
            Placed = default;
        }

        if (block.Has<bool>(16))
        {
            Paid = block.Read<bool>(16);
        }
        else if (!isNew)
        {
            Paid = false;
        }

        if (block.HasNullable<decimal>(17))
        {
            Total = block.ReadNullable<decimal>(17);
        }
        else if (!isNew)
        {
            Total = null;
        }

        if (block.Has<DateTimeOffset>(34))
        {
            Shipped = block.Read<DateTimeOffset>(34);
        }
        else if (!isNew)
        {
            Shipped = default;
        }

        if (block.Has<char>(44))
        {
            Grade = block.Read<char>(44);
        }
        else if (!isNew)
        {
            Grade = default;
        }

        int count = block.VariableCount;
        if (count > 0)
        {
            Customer = reader.ReadString(Customer);
        }
        else if (!isNew)
        {
            Customer = null;
        }

        if (count > 1)
        {
            Items = reader.ReadMessageList(Items);
        }
        else if (!isNew)
        {
            Items = null;
        }

        if (count > 2)
        {
            LineItem? gift = Gift;
            reader.ReadMessage(ref gift);
            Gift = gift;
        }
        else if (!isNew)
        {
            Gift = null;
        }

        if (count > 3)
        {
            Codes = reader.ReadArray(Codes);
        }
        else if (!isNew)
        {
            Codes = null;
        }

        if (count > 4)
        {
            Flags = reader.ReadList(Flags);
        }
        else if (!isNew)
        {
            Flags = null;
        }

        if (count > 5)
        {
            Notes = reader.ReadStringList(Notes);
        }
        else if (!isNew)
        {
            Notes = null;
        }

        if (count > 6)
        {
            Point spot = Spot;
            reader.ReadMessage(ref spot);
            Spot = spot;
        }
        else if (!isNew)
        {
            Spot = default;
        }
    }
}
