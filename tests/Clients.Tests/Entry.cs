namespace BlitQueue.Clients;

/// <summary>
/// A message of which the schema says all: whatever its bytes are, C# and Python agree whether they are one.
/// </summary>
[QueueMessage]
public sealed partial class Entry
{
    public int Id { get; set; }

    public string? Name { get; set; }

    public byte[]? Body { get; set; }

    public DateTime When { get; set; }

    public decimal Price { get; set; }

    public bool IsPaid { get; set; }

    public Guid Key { get; set; }

    public DateTimeOffset? Due { get; set; }

    public TimeOnly At { get; set; }

    public List<string?>? Tags { get; set; }

    public Dictionary<string, int>? Counts { get; set; }

    public double[]? Numbers { get; set; }

    public bool[]? Flags { get; set; }

    public string?[,]? Grid { get; set; }

    public Version? Version { get; set; }

    [PackWith(typeof(BrotliString))]
    public string? Long { get; set; }

    public Entry? Next { get; set; }

    public List<Entry?>? Others { get; set; }
}
