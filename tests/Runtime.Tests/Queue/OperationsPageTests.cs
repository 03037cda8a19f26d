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
            Page.MakeQueue<Order>("old");

            foreach (string path in MappedQueue.List("."))
                Console.WriteLine(MappedQueue.GetStatus(path));

            Console.WriteLine(string.Join(", ", MappedQueue.ListSubscriptions("orders")));
            if (MappedQueue.Exists("old"))
                MappedQueue.Delete("old");                  // refused while a process has it open

            Assert.Equal(2, MappedQueue.List(".").Count);
        });
        Assert.Matches(
            "^0 messages, [0-9]+ bytes, sound: True\ndefault: 0 waiting, 0 held\n"
                + "(.*: 0 messages wait.*\nsubscription .*\ndefault .*\n){3}default\n$",
            said);
    }
}
