namespace BlitQueue.Generator.Tests.Diagnose;

public class BQ0012_UnusableType
{
    [Fact]
    public Task Points_at_the_identifier() => AnalyzerRun.Expect("BQ0012", """
        [QueueMessage] public static partial class [|Helpers|];
        [QueueMessage] public ref partial struct [|Window|] { public int X; }
        [QueueMessage] file partial class [|Local|] { public int X { get; set; } }
        """);
}
