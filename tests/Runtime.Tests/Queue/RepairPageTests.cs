using BlitQueue.Tests.Processes;
using Xunit;

namespace BlitQueue.Tests.Queue.Pages;

/// <summary>What docs/repair.md shows.</summary>
[Collection(ProcessCollection.Name)]
public sealed class RepairPageTests
{
    [Fact]
    public void The_page_shows_this_code() => Page.AssertRuns("repair.md");

    [Fact]
    public void Its_code_runs()
    {
        string said = Page.Run(() =>
        {
            Page.MakeQueue<Order>("orders");
            RecoveryReport report = MappedQueue.Repair("orders");

            foreach (RecoveryFinding finding in report.Findings)
                Console.WriteLine($"{Path.GetFileName(finding.File)} at {finding.Offset}: {finding.What}");
            Console.WriteLine($"{report.MessageCount} messages; files as they were: {string.Join(", ", report.SetAside)}");
        });
        Assert.Equal("0 messages; files as they were: \n", said);
    }
}
