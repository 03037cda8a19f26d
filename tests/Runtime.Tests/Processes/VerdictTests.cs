using BlitQueue.Checker;
using Xunit;

namespace BlitQueue.Tests.Processes;

/// <summary>The checker over a directory: logs that were doctored must be seen through.</summary>
public sealed class VerdictTests : IDisposable
{
    private readonly DirectoryInfo _directory = Directory.CreateTempSubdirectory("blitqueue-verdict-");

    public VerdictTests()
    {
        Write("crew.txt", """
            worker p.log producer=1 operations=1
            worker b.log producer=2 operations=3 batch=3
            worker l.log group=default leases=yes
            worker d.log group=audit inhand=1
            ended p.log
            killed b.log
            killed l.log
            ended d.log
            worker drain.log group=default leases=yes
            ended drain.log
            """);
        Write("p.log", "E 1 0 0", "E 1 1 0", "E 1 2 0");
        Write("b.log", "E 2 0 0", "E 2 1 0", "E 2 2 0");
        Write("l.log", "R 1 0 1", "C 1 0 1", "R 2 0 1", "L 2 0 1", "R 1 1 1", "A 1 1 1", "R 2 1 1");
        Write("drain.log", "R 1 1 2", "C 1 1 2", "R 2 1 2", "C 2 1 2", "R 2 2 1", "C 2 2 1", "R 1 2 1", "C 1 2 1", "Z 2 0 0");
        Write("d.log", "D 1 0 0", "D 2 0 0", "D 2 1 0", "D 2 2 0", "D 1 1 0", "D 1 2 0");
    }

    [Fact]
    public void Logs_of_a_good_queue_are_in_order()
    {
        var verdict = Verdict.Of(_directory.FullName);
        Assert.Empty(verdict.Violations);
        Assert.Equal((6, 15), (verdict.Acknowledged, verdict.Deliveries));
    }

    [Theory]
    [InlineData("d.log", "D 1 2 0", "", "audit: message 1/2 was acknowledged and never delivered")]
    [InlineData("d.log", "D 1 2 0", "D 1 2 0\nD 1 2 0", "audit: message 1/2 was consumed more than once")]
    [InlineData("d.log", "D 1 2 0", "T 1 2 0", "given a torn message 1/2")]
    [InlineData("d.log", "D 1 1 0\nD 1 2 0", "D 1 2 0\nD 1 1 0", "audit: d.log was given message 1/1 after 1/2")]
    [InlineData("d.log", "D 1 1 0", "D 1 1 0 7", "contains a line that is none")]
    [InlineData("d.log", "D 1 1 0", "X 1 1 0", "contains a line that is none")]
    [InlineData("drain.log", "Z 2 0 0\n", "", "default: message 2/0 was set aside and is not among the dead letters")]
    [InlineData("drain.log", "Z 2 0 0", "Z 2 0 0\nR 2 0 2\nC 2 0 2", "default: message 2/0 was consumed more than once")]
    [InlineData("drain.log", "R 2 2 1\nC 2 2 1\nR 1 2 1\nC 1 2 1", "R 1 2 1\nC 1 2 1", "default: batch 0 of producer 2 arrived in part")]
    [InlineData("drain.log", "R 1 1 2\nC 1 1 2", "R 1 1 1\nC 1 1 1", "leased twice with the same attempt")]
    [InlineData("drain.log", "R 1 2 1", "R 1 0 2\nR 1 2 1", "default: message 1/0 was delivered again after its lease was committed")]
    [InlineData("p.log", "E 1 2 0\n", "", "cannot be the one operation that a kill interrupted")]
    [InlineData("p.log", "E 1 2 0", "E 1 2 0\nE 1 2 0", "acknowledged twice")]
    [InlineData("b.log", "E 2 1 0\nE 2 2 0\n", "", "cannot be the one operation that a kill interrupted")]
    [InlineData("crew.txt", "killed l.log", "ended l.log", "taken from l.log, which lives and had not given it back")]
    [InlineData("crew.txt", "ended d.log\n", "", "d.log: nobody killed the worker")]
    [InlineData("d.log", "D 1 1 0", "V 1 0 3\nV 1 4 1\nD 1 1 0", "d.log: a cursor showed message 1/4 after 1/2")]
    [InlineData(
        "d.log", "D 1 1 0", "X 5 6 ask - QueueCorruptException move it aside\nD 1 1 0",
        "1 times nothing explains, first in d.log: ask - QueueCorruptException")]
    [InlineData(
        "d.log", "D 1 1 0", "X 5 6 consume audit QueueException 'other' was deleted\nD 1 1 0",
        "1 times nothing explains, first in d.log: consume")]
    [InlineData("d.log", "D 1 1 0", "F 5 6 -\nD 1 1 0", "d.log: TryEnqueue said false")]
    [InlineData(
        "d.log", "D 1 1 0", "X 5 6 produce - QueueStalledException process 7 has held the append lock\nD 1 1 0",
        "1 times nothing explains")]
    public void A_doctored_log_is_seen_through(string log, string was, string becomes, string violation)
    {
        string path = Path.Combine(_directory.FullName, log), text = File.ReadAllText(path);
        Assert.Contains(was, text, StringComparison.Ordinal);
        File.WriteAllText(path, text.Replace(was, becomes, StringComparison.Ordinal));
        Assert.Contains(Verdict.Of(_directory.FullName).Violations, found => found.Contains(violation, StringComparison.Ordinal));
    }

    [Fact]
    public void What_a_killed_worker_was_writing_does_not_count()
    {
        File.AppendAllText(Path.Combine(_directory.FullName, "b.log"), "E 2 3");
        Assert.Empty(Verdict.Of(_directory.FullName).Violations);
    }

    // The whole batch may have come through without its producer having been told; both subscriptions must agree.
    [Fact]
    public void A_message_that_one_subscription_alone_saw_is_seen_through()
    {
        File.AppendAllText(Path.Combine(_directory.FullName, "d.log"), "D 2 3 0\nD 2 4 0\nD 2 5 0\n");
        Assert.Contains(
            "default never saw 3 messages that others saw", Assert.Single(Verdict.Of(_directory.FullName).Violations),
            StringComparison.Ordinal);
        File.AppendAllText(Path.Combine(_directory.FullName, "drain.log"), "R 2 3 1\nC 2 3 1\nR 2 4 1\nC 2 4 1\nR 2 5 1\nC 2 5 1\n");
        Assert.Empty(Verdict.Of(_directory.FullName).Violations);
    }

    [Fact]
    public void A_stall_is_explained_by_a_stop_of_the_process_that_it_names_at_that_time_alone()
    {
        string crew = Path.Combine(_directory.FullName, "crew.txt"), log = Path.Combine(_directory.FullName, "d.log");
        File.AppendAllText(log, "X 50 60 produce - QueueStalledException process 7 has held the append lock\n");
        File.AppendAllText(crew, "worker s.log process=7\nended s.log\nstopped s.log 10 40\n");
        Assert.Single(Verdict.Of(_directory.FullName).Violations);
        File.AppendAllText(crew, "stopped s.log 45 55\n");
        Assert.Empty(Verdict.Of(_directory.FullName).Violations);
    }

    private void Write(string name, params string[] lines) =>
        File.WriteAllText(Path.Combine(_directory.FullName, name), string.Join('\n', lines).ReplaceLineEndings("\n") + "\n");

    public void Dispose() => _directory.Delete(recursive: true);
}
