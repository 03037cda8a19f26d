namespace BlitQueue.Generator.Tests.Diagnose;

public class BQ0008_AbstractMessage
{
    [Fact]
    public Task Points_at_the_identifier() => AnalyzerRun.Expect("BQ0008", """
        [QueueMessage] public abstract partial class [|Shape|] { public int Id { get; set; } }
        [QueueMessage] public partial interface [|IShape|];
        """);
}
