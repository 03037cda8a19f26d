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

    [Fact]
    public async Task Says_whose_setter_is_out_of_reach()
    {
        IReadOnlyList<string> messages = await AnalyzerRun.Expect("BQ0005", """
            public class Base { public int Mine { get; private set; } public int Ours { get; private protected set; } }
            [QueueMessage] public partial class [|Derived|] : Base;
            [QueueMessage] public partial class Simple { public int [|Id|] { get; } }
            """);
        Assert.Equal(
            "'Mine' could be packed but not restored: its setter is private in Base; make it protected there, take the member as a "
                + "constructor parameter, or mark it [PackIgnore]",
            messages[0]);
        Assert.Equal("'Id' could be packed but not restored: give it a setter, take it as a constructor parameter, or mark it [PackIgnore]",
            messages[1]);
    }
}
