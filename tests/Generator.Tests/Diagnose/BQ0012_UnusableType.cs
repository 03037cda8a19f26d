namespace BlitQueue.Generator.Tests.Diagnose;

public class BQ0012_UnusableType
{
    [Fact]
    public Task Points_at_the_identifier() => AnalyzerRun.Expect("BQ0012", """
        [QueueMessage] public static partial class [|Helpers|];
        [QueueMessage] public ref partial struct [|Window|] { public int X; }
        [QueueMessage] file partial class [|Local|] { public int X { get; set; } }
        """);

    [Fact]
    public Task Refuses_a_layout_of_a_union() => AnalyzerRun.Expect("BQ0012", """
        [QueueMessage(Layout = PackLayout.VersionTolerant), PackUnion(0, typeof(Circle))] public partial interface [|IShape|];
        [QueueMessage] public partial class Circle : IShape;
        """);

    [Fact]
    public async Task Refuses_a_message_that_is_a_collection_of_the_framework()
    {
        IReadOnlyList<string> messages = await AnalyzerRun.Expect("BQ0012", """
            [QueueMessage] public partial class [|Tags|] : List<string> { public string? Owner { get; set; } }
            [QueueMessage] public sealed partial class [|Prices|] : SortedDictionary<string, decimal>;
            [QueueMessage] public partial class Order { public Tags? Tags { get; set; } }
            """);
        Assert.StartsWith(
            "'Tags' cannot be a message: the elements of List<string> would be lost; give a message a member of that type", messages[0],
            StringComparison.Ordinal);
    }

    [Fact]
    public async Task Refuses_cases_of_what_is_not_abstract()
    {
        IReadOnlyList<string> messages = await AnalyzerRun.Expect("BQ0012", """
            [QueueMessage, PackUnion(0, typeof(Circle))] public partial class [|Shape|];
            [QueueMessage] public partial class Circle : Shape;
            """);
        Assert.Equal("'Shape' cannot be a message: only an interface or an abstract class can have cases", Assert.Single(messages));
    }
}
