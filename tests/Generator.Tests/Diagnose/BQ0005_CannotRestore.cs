namespace BlitQueue.Generator.Tests.Diagnose;

public class BQ0005_CannotRestore
{
    [Fact]
    public Task Points_at_the_member() => AnalyzerRun.Expect("BQ0005", """
        public class Base { public int Mine { get; private set; } }
        [QueueMessage]
        public partial class Order
        {
            public int [|Id|] { get; }
            public readonly int [|Number|];
            public List<int> [|Items|] { get; } = [];
            public int [|Kept|] { get => field; }
            public int Computed => 1;
        }
        [QueueMessage] public partial class [|Derived|] : Base;
        """);

    [Fact]
    public Task Is_silent_when_a_constructor_restores() => AnalyzerRun.ExpectNone("""
        [QueueMessage] public partial class Order { public Order(int id) => Id = id; public int Id { get; } }
        """);
}
