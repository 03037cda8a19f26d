namespace BlitQueue.Tests.Queue.Evolution;

/// <summary>An order as the first version of a program knows it.</summary>
internal static partial class First
{
    [QueueMessage]
    public sealed partial class Order
    {
        public long Id { get; set; }

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
        public string? Old { get; set; }
    }

    [QueueMessage]
    [PackUnion(0, typeof(Paid))]
    public partial interface IEvent;

    [QueueMessage]
    public sealed partial class Paid : IEvent
    {
        public long Cents { get; set; }
    }
}
