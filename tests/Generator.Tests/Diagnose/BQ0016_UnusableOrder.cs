namespace BlitQueue.Generator.Tests.Diagnose;

public class BQ0016_UnusableOrder
{
    [Fact]
    public async Task Points_at_the_member()
    {
        IReadOnlyList<string> messages = await AnalyzerRun.Expect("BQ0016", """
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
                "'Second' has no number of its own: 'First' has the number 3 already",
                "'Third' has no number of its own: -1 is less than 0",
                "'Fourth' has no number of its own: it has no [PackOrder], and other members have one",
            ],
            messages);
    }

    [Fact]
    public async Task Wants_a_number_for_every_member_of_a_tolerant_message()
    {
        IReadOnlyList<string> messages = await AnalyzerRun.Expect("BQ0016", """
            [QueueMessage(Layout = PackLayout.VersionTolerant)]
            public partial class Order
            {
                public int [|First|] { get; set; }
                public string? [|Second|] { get; set; }
            }

            [QueueMessage(Layout = PackLayout.VersionTolerant)]
            public partial record Trade([property: PackOrder(65533)] int First, [property: PackOrder(65534)] int [|Second|],
                [property: PackOrder(65533)] int [|Third|]);
            """);
        Assert.Equal(
            [
                "'First' has no number of its own: it has no [PackOrder], by which PackLayout.VersionTolerant knows it",
                "'Second' has no number of its own: it has no [PackOrder], by which PackLayout.VersionTolerant knows it",
                "'Second' has no number of its own: 65534 is more than 65533",
                "'Third' has no number of its own: 'First' has the number 65533 already",
            ],
            messages);
    }
}
