using BlitQueue.Tests.Processes;
using Xunit;

namespace BlitQueue.Tests.Queue.Pages;

/// <summary>What docs/operations.md shows.</summary>
[Collection(ProcessCollection.Name)]
public sealed class OperationsPageTests
{
    [Fact]
    public void The_page_shows_this_code() => Page.AssertRuns("operations.md");

    [Fact]
    public void Its_code_runs()
    {
        string said = Page.Run(() =>
        {
            Page.MakeQueue<Order>("orders");
            BackupReport report = MappedQueue.Backup("orders", "orders-monday");

            Console.WriteLine($"{report.Verified.MessageCount} messages, {report.Verified.Bytes} bytes, sound: {report.Verified.IsSound}");
            VerifyReport found = MappedQueue.Verify("orders");

            foreach (RecoveryFinding finding in found.Findings)
                Console.WriteLine($"{finding.File} at {finding.Offset}: {finding.What}");
            foreach (VerifiedSubscription subscription in found.Subscriptions)
                Console.WriteLine($"{subscription.Name}: {subscription.Waiting} waiting, {subscription.Held} held");
        });
        Assert.Matches("^0 messages, [0-9]+ bytes, sound: True\ndefault: 0 waiting, 0 held\n$", said);
    }
}
