namespace BlitQueue.Generator.Tests.Emit;

public class NestingTests
{
    [Fact]
    public Task Calls_nested_messages_by_name() => Verify(GeneratorRun.Clean("""
        namespace Shop;

        [QueueMessage]
        public sealed partial class Order
        {
            public LineItem? Gift { get; set; }
            public List<LineItem>? Items { get; set; }
            public Point From { get; set; }
            public Point? To { get; set; }
            public Point[]? Way { get; set; }
            public Order? Parent { get; set; }
        }

        [QueueMessage] public sealed partial class LineItem { public string Sku { get; set; } = ""; }

        [QueueMessage] public partial struct Point { public int X; }
        """));

    [Fact]
    public Task Stands_inside_the_types_around_it() => Verify(GeneratorRun.Clean("""
        namespace Shop.@class;

        public static partial class Outer<T>
        {
            internal partial record Middle
            {
                [QueueMessage] public partial struct @event { public int @int; }
            }
        }
        """));

    [Fact]
    public Task Makes_way_for_names_that_are_taken() => Verify(GeneratorRun.Clean("""
        [QueueMessage]
        public sealed partial class Taken
        {
            public int Pack { get; set; }
            public int Unpack { get; set; }
            public string? Schema { get; set; }
            public int PackArrayOfInt32 { get; set; }
            public int[]? Numbers { get; set; }
            public Taken? Next { get; set; }
        }
        """));
}
