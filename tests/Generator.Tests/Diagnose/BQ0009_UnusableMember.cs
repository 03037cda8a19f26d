namespace BlitQueue.Generator.Tests.Diagnose;

public class BQ0009_UnusableMember
{
    [Fact]
    public async Task Points_at_the_member_or_the_message()
    {
        var messages = await AnalyzerRun.Expect("BQ0009", """
            public class Base { [PackInclude] private int _hidden; public int Twice { get; set; } public int Use() => _hidden; }
            [QueueMessage] public partial class [|Order|] : Base { public new string? [|Twice|] { get; set; } }
            """);
        Assert.Equal("'_hidden' cannot be packed: it is out of reach in Base", messages[0]);
        Assert.Equal("'Twice' cannot be packed: Order hides that of Base, and members are known by their names", messages[1]);
    }

    [Fact]
    public Task Points_at_what_hides_even_when_it_is_ignored() => AnalyzerRun.Expect("BQ0009", """
        public class Base { public int Twice { get; set; } }
        [QueueMessage] public partial class Order : Base { [PackIgnore] public new string? [|Twice|] { get; set; } }
        """);

    [Fact]
    public Task Points_at_what_was_included_in_vain() => AnalyzerRun.Expect("BQ0009", """
        [QueueMessage]
        public partial class Order
        {
            [PackInclude] private static int [|Shared|];
            [PackInclude] public int [|SetOnly|] { set { } }
        }
        """);
}
