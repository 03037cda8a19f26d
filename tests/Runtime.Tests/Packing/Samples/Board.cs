namespace BlitQueue.Tests.Packing.Samples;

/// <summary>Maps, tuples, grids, and lists of lists.</summary>
[QueueMessage]
public sealed partial class Board
{
    public Dictionary<string, LineItem?>? Prices { get; set; }

    public (int Count, string? Note) Pair { get; set; }

    public bool[,]? Seen { get; set; }

    public List<List<string>>? Rows { get; set; }

    public static Board Full() => new()
    {
        Prices = new() { ["first"] = null, ["second"] = new() { Sku = "sku", Count = 3 } },
        Pair = (7, "note"),
        Seen = new[,] { { true, false, true }, { false, true, false } },
        Rows = [["a"], ["b", "row"]],
    };
}
