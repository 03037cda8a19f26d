namespace BlitQueue.Generator.Tests.Diagnose;

public class BQ0006_GenericMessage
{
    [Fact]
    public Task Points_at_the_identifier() => AnalyzerRun.Expect("BQ0006", "[QueueMessage] public partial class [|Box|]<T> { public int Count { get; set; } }");

    [Fact]
    public Task Is_silent_about_a_message_inside_a_generic_type() => AnalyzerRun.ExpectNone("""
        public partial class Outer<T> { [QueueMessage] public partial class Inner { public int Count { get; set; } } }
        """);
}
