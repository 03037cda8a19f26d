namespace BlitQueue.Generator.Tests.Diagnose;

public class BQ0003_CannotPack
{
    [Fact]
    public async Task Points_at_the_members_type()
    {
        var messages = await AnalyzerRun.Expect("BQ0003", """
            public class Plain { public int A; }
            public struct Holder { public string Text; }

            [QueueMessage]
            public partial class Order
            {
                public [|object?|] Anything { get; set; }
                public [|Plain?|] Unmarked { get; set; }
                public [|List<Plain>?|] Elements { get; set; }
                public [|int[,]?|] Grid;
                public [|Action?|] Callback;
                public [|IEnumerable<int>?|] Lazy { get; set; }
                public [|Holder|] Holder { get; set; }
            }
            """);
        Assert.Equal("'Anything' cannot be packed: object can hold anything; name the type", messages[0]);
        Assert.Contains("Plain is neither a kind that is known nor marked [QueueMessage]", messages[2]);
        Assert.Contains("use an array of arrays", messages[3]);
        Assert.Contains("mark it [QueueMessage]", messages[6]);
    }

    [Fact]
    public Task Points_at_a_records_parameter() => AnalyzerRun.Expect("BQ0003", "[QueueMessage] public partial record Order(int Id, [|dynamic|] Data);");

    [Fact]
    public Task Points_at_the_message_when_the_member_is_inherited() => AnalyzerRun.Expect("BQ0003", """
        public class Base { public object? Tag { get; set; } }
        [QueueMessage] public partial class [|Order|] : Base;
        """);

    [Fact]
    public Task Is_silent_about_ignored_members() => AnalyzerRun.ExpectNone("""
        [QueueMessage] public partial class Order { [PackIgnore] public object? Cache { get; set; } }
        """);

    [Fact]
    public void What_is_generated_compiles_and_refuses()
    {
        var run = GeneratorRun.Of("""
            [QueueMessage] public partial class Order { public object? Bad { get; set; } }
            [QueueMessage] public partial class Outer { public Order? Order { get; set; } }
            public static class Use { public static byte[] Pack() => Packer.Pack(new Order()); }
            """);
        Assert.Empty(Compile.Complaints(run.Output));
        Assert.Contains("throw new global::System.NotSupportedException", run.File("Order.g.cs"));
    }
}
