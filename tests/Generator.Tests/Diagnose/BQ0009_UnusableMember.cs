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
    public async Task Points_at_what_has_a_place_and_is_not_public()
    {
        var messages = await AnalyzerRun.Expect("BQ0009", """
            [QueueMessage]
            public partial class Order
            {
                [PackOrder(0)] public int Id { get; set; }
                [PackOrder(1)] internal int [|Count|] { get; set; }
                [PackWith(typeof(InternedString))] private string? [|_name|];
                [PackOrder(2), PackInclude] private string? _other;
                [PackOrder(3), PackIgnore] private string? _cache;
                public string? All() => _name ??= _other ??= _cache ??= "";
            }
            """);
        Assert.Equal("'Count' cannot be packed: it has [PackOrder] but is not public; mark it [PackInclude] as well", messages[0]);
    }

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
