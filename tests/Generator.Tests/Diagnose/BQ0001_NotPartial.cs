namespace BlitQueue.Generator.Tests.Diagnose;

public class BQ0001_NotPartial
{
    [Fact]
    public Task Points_at_the_identifier() => AnalyzerRun.Expect("BQ0001", """
        [QueueMessage] public class [|Order|] { public int Id { get; set; } }
        [QueueMessage] public struct [|Point|] { public int X; }
        [QueueMessage] public record [|Trade|](int Id);
        """);

    [Fact]
    public Task Is_silent_when_partial()
        => AnalyzerRun.ExpectNone("[QueueMessage] public partial class Order { public int Id { get; set; } }");

    [Fact]
    public async Task A_message_around_it_is_not_blamed() => await AnalyzerRun.Expect("BQ0001", """
        [QueueMessage] public class [|Inner|] { public int Id { get; set; } }
        [QueueMessage] public partial class Outer { public Inner? Inner { get; set; } public List<Inner>? Many { get; set; } }
        """);
}
