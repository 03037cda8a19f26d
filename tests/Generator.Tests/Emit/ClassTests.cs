namespace BlitQueue.Generator.Tests.Emit;

public class ClassTests
{
    [Fact]
    public Task Emits_a_class_with_every_sort_of_member() => Verify(GeneratorRun.Clean("""
        namespace Shop;

        [QueueMessage]
        public partial class Order
        {
            public long Id { get; set; }
            public string? Customer { get; set; }
            public DateTime Placed { get; set; }
            public List<LineItem>? Items { get; set; }
            public int? Rating { get; set; }
            public LineItem? Gift { get; set; }
            public Point From { get; set; }
            public Point? To { get; set; }
            public string[] Tags { get; set; } = [];
            public List<int[]> Runs { get; set; } = [];
            public byte[]? Blob { get; set; }
            public List<int?>? Counts;
            [PackIgnore] public object? Cache { get; set; }
        }

        [QueueMessage]
        public sealed partial class LineItem
        {
            public string Sku { get; set; } = "";
            public int Count { get; set; }
        }

        [QueueMessage]
        public partial struct Point
        {
            public int X;
            public int Y;
        }
        """));
}
