namespace BlitQueue.Tests.Queue.Evolution;

/// <summary>The same messages as a later version knows them: members were appended, numbers and cases added, a number left out.</summary>
internal static partial class Second
{
    [QueueMessage]
    public sealed partial class Order
    {
        public long Id { get; set; }

        public string? Customer { get; set; }

        public List<Line>? Lines { get; set; }

        public decimal Total { get; set; } = -1;

        public string? Remark { get; set; }
    }

    [QueueMessage]
    public sealed partial class Line
    {
        public string? Sku { get; set; }

        public int Count { get; set; }

        public Origin? From { get; set; }
    }

    [QueueMessage]
    public sealed partial class Origin
    {
        public string? Country { get; set; }
    }

    [QueueMessage(Layout = PackLayout.VersionTolerant)]
    public sealed partial class Ticket
    {
        [PackOrder(2)]
        public string? New { get; set; }

        [PackOrder(0)]
        public long Id { get; set; }
    }

    [QueueMessage]
    [PackUnion(0, typeof(Paid))]
    [PackUnion(7, typeof(Sent))]
    public partial interface IEvent;

    [QueueMessage]
    public sealed partial class Paid : IEvent
    {
        public long Cents { get; set; }
    }

    [QueueMessage]
    public sealed partial class Sent : IEvent
    {
        public string? Carrier { get; set; }
    }
}
