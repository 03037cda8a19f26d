using System.Text;

namespace BlitQueue.Generator.Tests.Diagnose;

public class BQ0011_TooLarge
{
    [Fact]
    public async Task Points_at_the_identifier()
    {
        var fields = new StringBuilder();
        for (int i = 0; i < 4096; i++)
        {
            fields.Append("public Guid F").Append(i).Append("; ");
        }

        IReadOnlyList<string> messages = await AnalyzerRun.Expect(
            "BQ0011", "[QueueMessage] public partial class [|Order|] { " + fields + "}");
        Assert.Equal("'Order' has 65536 bytes of fixed-size members; the limit is 65534", Assert.Single(messages));
    }
}
