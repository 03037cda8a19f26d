namespace BlitQueue.Generator.Tests.Diagnose;

public class BQ0007_NotSupportedYet
{
    [Theory]
    [InlineData("[QueueMessage(Layout = PackLayout.CircularReference)] public partial class [|Order|] { public int A { get; set; } }", "PackLayout.CircularReference")]
    public async Task Names_the_feature(string source, string feature)
    {
        var messages = await AnalyzerRun.Expect("BQ0007", source);
        Assert.Equal($"{feature} is not supported yet", Assert.Single(messages));
    }
}
