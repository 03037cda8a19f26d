namespace BlitQueue.Generator.Tests.Diagnose;

public class BQ0016_UnusableOrder
{
    [Fact]
    public async Task Points_at_the_member()
    {
        var messages = await AnalyzerRun.Expect("BQ0016", """
            [QueueMessage]
            public partial class Order
            {
                [PackOrder(3)] public int First { get; set; }
                [PackOrder(3)] public int [|Second|] { get; set; }
                [PackOrder(-1)] public int [|Third|] { get; set; }
                public int [|Fourth|] { get; set; }
            }
            """);
        Assert.Equal(
            [
                "'Second' has no place of its own: 'First' has the place 3 already",
                "'Third' has no place of its own: -1 is less than 0",
                "'Fourth' has no place of its own: it has no [PackOrder], and other members have one",
            ],
            messages);
    }
}
