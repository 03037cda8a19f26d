namespace BlitQueue.Generator.Tests.Diagnose;

public class BQ0031_CannotFill
{
    [Fact]
    public async Task Points_at_what_is_in_the_way()
    {
        IReadOnlyList<string> messages = await AnalyzerRun.Expect("BQ0031", """
            [QueueMessage(Layout = PackLayout.CircularReference)] public partial struct [|Point|] { public int X; }
            [QueueMessage(Layout = PackLayout.CircularReference)] public partial record [|Pair|](int X);
            [QueueMessage(Layout = PackLayout.CircularReference)]
            public partial class Node
            {
                public int Id { get; set; }
                public Node? [|Parent|] { get; init; }
            }
            """);
        Assert.Equal(
            [
                "'Point' cannot be part of a cycle: a struct has no identity",
                "'Pair' cannot be part of a cycle: it has no constructor without parameters that would do",
                "'Parent' cannot be part of a cycle: it can be set in an initializer only",
            ],
            messages);
    }
}
