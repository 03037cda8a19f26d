namespace BlitQueue.Tests.Queue.Evolution;

/// <summary>Versions that cannot live together with the first ones.</summary>
internal static partial class Other
{
    [QueueMessage]
    public sealed partial class Order
    {
        public long Id { get; set; }

        public int Region { get; set; }

        public string? Shop { get; set; }

        public string? Customer { get; set; }

        public List<Line>? Lines { get; set; }
    }

    [QueueMessage]
    public sealed partial class Line
    {
        public string? Sku { get; set; }
    }

    [QueueMessage(Layout = PackLayout.VersionTolerant)]
    public sealed partial class Ticket
    {
        [PackOrder(0)]
        public long Id { get; set; }

        [PackOrder(1)]
        public int Old { get; set; }
    }
}
