using System.Text.RegularExpressions;
using BlitQueue.Tests.House;
using Xunit;

namespace BlitQueue.Tests.Queue;

/// <summary>What a program can decide by: each exception has a reason, a path, and a process where its text names one.</summary>
public sealed partial class ReasonTests : QueueFixture
{
    [Fact]
    public void Each_kind_has_its_reason_and_the_path()
    {
        using MappedQueue<Note> queue = Open(new QueueOptions { SegmentSize = 1 << 16, Capacity = 4096, FullMode = FullMode.Fail });
        Expect(QueueError.SchemaMismatch, () => MappedQueue<Stranger>.Open(Site.Queue));
        Expect(QueueError.CapacityFull, () =>
        {
            for (; ; )
            {
                queue.Enqueue(Of(1, 1000));
            }
        });
        Expect(QueueError.PositionGone, () => queue.OpenCursor(new QueuePosition(8)));
        Expect(QueueError.NotAQueue, () => MappedLanes<Note>.Open(Site.Queue));
        using Subscription<Note> gone = queue.Subscribe("gone");
        using Subscription<Note> alone = queue.Subscribe("alone", new SubscriptionOptions { Exclusive = true });
        queue.DeleteSubscription("gone");
        Expect(QueueError.SubscriptionGone, () => gone.TryDequeue(out _));
        QueueException inUse = Expect(QueueError.InUse, () => queue.Subscribe("alone").TryDequeue(out _));
        Assert.Equal(Environment.ProcessId, inUse.ProcessId);
        queue.DeleteSubscription("default");
        using MappedQueue<Note> other = Open();
        Expect(QueueError.NoDefaultSubscription, () => other.TryDequeue(out _));
        Assert.Equal(Environment.ProcessId, Expect(QueueError.InUse, () => MappedQueue.Repair(Site.Queue)).ProcessId);
    }

    [Fact]
    public void A_lease_that_was_lost_or_has_ended_names_queue_subscription_and_position()
    {
        using MappedQueue<Note> queue = Filled(1);
        var brief = new SubscriptionOptions { VisibilityTimeout = TimeSpan.FromMilliseconds(1) };
        using Subscription<Note> first = queue.Subscribe("default", brief), second = queue.Subscribe("default", brief);
        Lease<Note> lease = first.Receive();
        Lease<Note> other = second.Receive();
        LeaseLostException lost = Assert.Throws<LeaseLostException>(lease.Commit);
        Assert.Equal((QueueError.LeaseLost, Site.Queue), (lost.Reason, lost.Path));
        other.Commit();
        foreach (string message in (string[])[lost.Message, Assert.Throws<InvalidOperationException>(other.Commit).Message])
        {
            Assert.All(
                [Site.Queue, "'default'", lease.Position.ToString()],
                part => Assert.Contains(part, message, StringComparison.Ordinal));
        }
    }

    [Fact]
    public void A_null_in_a_batch_is_told_by_its_index()
    {
        using MappedQueue<Note> queue = Open();
        ArgumentNullException refused = Assert.Throws<ArgumentNullException>(() => queue.EnqueueBatch([Of(0), Of(1), null!]));
        Assert.Contains("index 2", refused.Message, StringComparison.Ordinal);
        using var ticks = MappedQueue<Tick>.Open(Path.Combine(Site.Root, "ticks"), new QueueOptions { SegmentSize = 1 << 16 });
        refused = Assert.Throws<ArgumentNullException>(() => ticks.EnqueueBatch([new Tick(), null!]));
        Assert.Contains("index 1", refused.Message, StringComparison.Ordinal);
        Assert.Empty(Drain(queue));
    }

    // A lost directory is another: what the handle writes would be nobody's.
    [Fact]
    public void A_directory_that_was_replaced_is_told_as_such()
    {
        using MappedQueue<Note> queue = Filled(1);
        Directory.Delete(Site.Queue, recursive: true);
        Expect(QueueError.DirectoryReplaced, () => queue.Subscribe("late"));
        Expect(QueueError.NotFound, () => MappedQueue.Verify(Site.Queue));
    }

    [Fact]
    public void No_code_leaves_the_reason_or_the_path_out()
    {
        string root = Path.Combine(HouseRulesTests.Root(), "src", "Runtime");
        var faults = new List<string>();
        int thrown = 0;
        foreach (string path in Directory.EnumerateFiles(root, "*.cs", SearchOption.AllDirectories))
        {
            string text = File.ReadAllText(path), name = Path.GetRelativePath(root, path);
            if (name.StartsWith("obj", StringComparison.Ordinal) || name.StartsWith("Errors", StringComparison.Ordinal))
            {
                continue;
            }
            foreach (Match made in Made().Matches(text))
            {
                thrown++;
                // Up to the next one, or to the end of the method.
                int[] ends = [Made().Match(text, made.Index + 1).Index, text.IndexOf("\n    }\n", made.Index, StringComparison.Ordinal)];
                string rest = text[made.Index..ends.Where(end => end > made.Index).Append(text.Length).Min()];
                if (!rest.Contains(" Path = ", StringComparison.Ordinal)
                    || (rest.Contains("process {", StringComparison.Ordinal) && !rest.Contains("ProcessId = ", StringComparison.Ordinal))
                    || (made.Groups[1].Value == "QueueException" && !rest.Contains("Reason = QueueError.", StringComparison.Ordinal)))
                {
                    faults.Add($"{name}: {rest[..60]}");
                }
            }
        }
        Assert.True(thrown > 60);
        Assert.Empty(faults);
    }

    private QueueException Expect(QueueError reason, Action call)
    {
        QueueException said = Assert.ThrowsAny<QueueException>(call);
        Assert.Equal(reason, said.Reason);
        Assert.StartsWith(Site.Queue, said.Path, StringComparison.Ordinal);
        return said;
    }

    // That of damage takes its path first of all.
    [GeneratedRegex(@"new ((?!QueueCorrupt)(Queue|Schema|Lease)\w*Exception)\(")]
    private static partial Regex Made();
}
