namespace BlitQueue.Generator.Tests.Diagnose;

public class BQ0002_ContainerNotPartial
{
    [Fact]
    public async Task Points_at_each_container()
    {
        IReadOnlyList<string> messages = await AnalyzerRun.Expect("BQ0002", """
            public class [|Outer|]
            {
                public static class [|Middle|]
                {
                    [QueueMessage] public partial class Order { public int Id { get; set; } }
                }
            }
            """);
        Assert.Equal("'Outer' must be partial, because it contains the message 'Outer.Middle.Order'", messages[0]);
    }
}
