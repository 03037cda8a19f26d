using System.Buffers.Binary;
using System.Diagnostics;
using System.Globalization;
using System.Text.Json;

namespace BlitQueue.Tool;

/// <summary>The tool beside a process that uses the queue: this one.</summary>
public sealed class LiveTests
{
    private static readonly QueueOptions Small = new() { SegmentSize = 1 << 16 };

    [Fact]
    public void Looking_consumes_nothing_and_nobody_notices()
    {
        using var folder = new Folder();
        using MappedQueue<Order> queue = Filled(folder, 50);
        using Subscription<Order> audit = queue.Subscribe("audit");
        Lease<Order> lease = audit.Receive();
        string[][] looks =
        [
            ["stat"], ["stat", "--json"], ["inspect"], ["inspect", "--json"], ["subscriptions"], ["tail"], ["tail", "--from", "oldest"],
            ["tail", "-s", "audit"], ["peek"], ["export"], ["dlq", "ls"], ["dlq", "show"], ["verify"], ["schema", "show"], ["ls"],
        ];
        // A thread of this process may still note something behind what was enqueued: once nothing else happens, nothing changes.
        string before, after;
        int attempts = 0;
        do
        {
            before = Folder.Snapshot(queue.Path);
            Array.ForEach(looks, look => Look(queue.Path, look));
            after = Folder.Snapshot(queue.Path);
        }
        while (before != after && ++attempts < 3);
        Assert.Equal(before, after);
        Assert.Equal(50, queue.GetStatus().MessageCount);
        lease.Commit();
    }

    private static void Look(string path, string[] look)
    {
        int words = look[0] is "dlq" or "schema" ? 2 : 1;
        Outcome outcome = Blitq.Run([.. look[..words], path, .. look[words..]]).Expect(0);
        Assert.Equal("", outcome.Error);
        Assert.NotEqual(look[0] == "dlq", outcome.Output.Length > 0);
    }

    [Fact]
    public void Status_is_that_which_a_participant_finds()
    {
        using var folder = new Folder();
        using MappedQueue<Order> queue = Filled(folder, 3000);
        using Subscription<Order> audit = queue.Subscribe("audit", new SubscriptionOptions { MaxAttempts = 1 });
        Order? order = null;
        for (int i = 0; i < 1000; i++)
        {
            Assert.True(queue.TryDequeue(ref order));
        }

        Lease<Order>[] leases = [.. Enumerable.Range(0, 20).Select(_ => audit.Receive())];
        leases[0].Commit();
        leases[1].DeadLetter("first");
        leases[2].DeadLetter("second");
        QueueStatus status = queue.GetStatus();
        JsonElement told = Assert.Single(Blitq.Json("stat", queue.Path, "--json"));
        Assert.Equal(status.MessageCount, told.GetProperty("depth").GetInt64());
        Assert.Equal(status.Bytes, told.GetProperty("bytes").GetInt64());
        Assert.Equal(status.First.Value, told.GetProperty("first").GetInt64());
        Assert.Equal(status.Next.Value, told.GetProperty("next").GetInt64());
        JsonElement.ArrayEnumerator others = told.GetProperty("subscriptions").EnumerateArray();
        foreach ((SubscriptionStatus one, JsonElement other) in status.Subscriptions.Zip(others))
        {
            Assert.Equal(one.Name, other.GetProperty("name").GetString());
            Assert.Equal(one.Lag, other.GetProperty("lag").GetInt64());
            Assert.Equal(one.InFlight, other.GetProperty("in_flight").GetInt64());
            Assert.Equal(one.DeadLetters, other.GetProperty("dead_letters").GetInt64());
            Assert.Equal(one.Consumers, other.GetProperty("consumers").GetInt64());
            Assert.Equal(one.Bytes, other.GetProperty("bytes").GetInt64());
        }

        JsonElement peer = Assert.Single(Assert.Single(Blitq.Json("inspect", queue.Path, "--json")).GetProperty("peers").EnumerateArray());
        Assert.Equal(Environment.ProcessId, peer.GetProperty("process").GetInt32());
        Assert.Equal(["audit", "default"], peer.GetProperty("consumes").EnumerateArray().Select(static name => name.GetString()!).Order());
        GC.KeepAlive(leases);
    }

    [Fact]
    public void A_threshold_that_was_passed_is_the_exit_code()
    {
        using var folder = new Folder();
        using MappedQueue<Order> queue = Filled(folder, 10);
        Blitq.Run("stat", queue.Path, "--max-lag", "10").Expect(0);
        Outcome passed = Blitq.Run("stat", queue.Path, "--max-lag", "9").Expect(1);
        Assert.StartsWith("PASSED default lag 10 - orders: 10 messages", passed.Output, StringComparison.Ordinal);
        Blitq.Run("stat", queue.Path, "--max-age", "0").Expect(1);
        Blitq.Run("stat", queue.Path, "--max-age", "3600").Expect(0);
        Blitq.Run("stat", queue.Path, "--max-dead-letters", "0").Expect(0);
        Blitq.Run("stat", queue.Path, "--max-lag", "9", "-s", "nobody").Expect(1);
    }

    [Fact]
    public void Tail_follows_what_arrives()
    {
        using var folder = new Folder();
        using MappedQueue<Order> queue = Filled(folder, 5);
        using Process tail = Blitq.Start(".", Blitq.Program, "tail", "-f", queue.Path, "--from", "oldest", "--json");
        for (int number = 0; number < 200; number++)
        {
            if (number >= 5)
            {
                queue.Enqueue(Order.Make(number));
            }

            using var line = JsonDocument.Parse(tail.StandardOutput.ReadLine()!);
            Assert.Equal(number, line.RootElement.GetProperty("message").GetProperty("Id").GetInt64());
        }

        using (Process.Start("kill", ["-INT", tail.Id.ToString(CultureInfo.InvariantCulture)]))
        {
        }

        tail.WaitForExit();
        Assert.Equal(0, tail.ExitCode);
        Assert.Equal(200, queue.GetStatus().MessageCount);
    }

    [Fact]
    public void The_last_messages_are_the_last_ones_however_many_segments_there_are()
    {
        using var folder = new Folder();
        using MappedQueue<Order> queue = Filled(folder, 4000);
        foreach (int count in (int[])[1, 10, 700, 3999, 4000, 5000])
        {
            List<JsonElement> last = Blitq.Json("tail", queue.Path, "--json", "-n", count.ToString(CultureInfo.InvariantCulture));
            Assert.Equal(
                Enumerable.Range(0, 4000).TakeLast(count).Select(static number => (long)number),
                last.Select(static line => line.GetProperty("message").GetProperty("Id").GetInt64()));
        }
    }

    [Fact]
    public void Seek_and_purge_do_not_move_what_a_process_consumes()
    {
        using var folder = new Folder();
        string path;
        using (MappedQueue<Order> queue = Filled(folder, 10))
        {
            path = queue.Path;
            Order? order = null;
            for (int i = 0; i < 6; i++)
            {
                Assert.True(queue.TryDequeue(ref order));
            }

            string process = Environment.ProcessId.ToString(CultureInfo.InvariantCulture);
            Assert.Contains(process, Blitq.Run("seek", path, "--to", "oldest", "--yes").Expect(4).Error, StringComparison.Ordinal);
            Assert.Contains(process, Blitq.Run("purge", path, "--yes").Expect(4).Error, StringComparison.Ordinal);
            Assert.Equal(4, queue.GetStatus().MessageCount);
        }

        string before = Folder.Snapshot(path);
        Blitq.Run("seek", path, "--to", "oldest").Expect(0);
        Assert.Equal($"would drop 4 messages of {path}; --yes does it\n", Blitq.Run("purge", path).Expect(0).Output);
        Assert.Equal(before, Folder.Snapshot(path));
        Assert.Equal("default: lag 10\n", Blitq.Run("seek", path, "--to", "oldest", "--yes").Expect(0).Output);
        long third = Blitq.Json("tail", path, "--from", "oldest", "--json")[2].GetProperty("position").GetInt64();
        string to = third.ToString(CultureInfo.InvariantCulture);
        Assert.Equal("default: lag 8\n", Blitq.Run("seek", path, "--to", to, "--yes").Expect(0).Output);
        Blitq.Run("seek", path, "--to", (third + 8).ToString(CultureInfo.InvariantCulture), "--yes").Expect(1);
        Blitq.Run("seek", path, "--to", "nowhere", "--yes").Expect(64);
        Blitq.Run("seek", path, "-s", "nobody", "--to", "oldest", "--yes").Expect(1);
        Assert.Equal("8 messages dropped\n", Blitq.Run("purge", path, "--yes").Expect(0).Output);
        Assert.Equal("", Blitq.Run("tail", path, "-s", "default").Expect(0).Output);
    }

    // As a process leaves it that dies between the message and the end of the letter's lease.
    [Fact]
    public void A_letter_that_has_become_a_message_is_none_any_more()
    {
        using var folder = new Folder();
        using MappedQueue<Order> queue = Filled(folder, 2);
        using Subscription<Order> audit = queue.Subscribe("audit");
        audit.Receive().DeadLetter("first");
        audit.Receive().DeadLetter("second");
        Assert.True(audit.DeadLetters.TryReceive(out DeadLetterLease<Order> letter));
        using (FileStream file = new(
            Path.Combine(queue.Path, "dead-audit", "subscription-default"), FileMode.Open, FileAccess.ReadWrite, FileShare.ReadWrite))
        {
            byte[] cell = new byte[32];
            file.Position = 4096;
            do
            {
                file.ReadExactly(cell);
            }
            while ((cell[0] & 7) != 2);
            BinaryPrimitives.WriteInt64LittleEndian(cell.AsSpan(24), letter.Requeue().Value);
            cell[0] |= 7;
            file.Position -= cell.Length;
            file.Write(cell);
        }

        List<JsonElement> letters = Blitq.Json("dlq", "show", queue.Path, "-s", "audit", "--json");
        Assert.Equal(["second"], letters.Select(static one => one.GetProperty("reason").GetString()!));
    }

    [Fact]
    public void Dead_letters_are_shown_retried_and_dropped()
    {
        using var folder = new Folder();
        using MappedQueue<Order> queue = Filled(folder, 5);
        using Subscription<Order> audit = queue.Subscribe("audit");
        for (int i = 0; i < 4; i++)
        {
            audit.Receive().DeadLetter($"reason {i}");
        }

        List<JsonElement> letters = Blitq.Json("dlq", "show", queue.Path, "-s", "audit", "--json");
        Assert.Equal(
            ["reason 0", "reason 1", "reason 2", "reason 3"], letters.Select(static one => one.GetProperty("reason").GetString()!));
        string second = letters[1].GetProperty("position").GetRawText();
        Assert.Equal("1 dead letter would be retried; --yes does it\n",
            Blitq.Run("dlq", "retry", queue.Path, "-s", "audit", "--position", second).Expect(0).Output);
        Assert.Equal(4, audit.DeadLetters.Count);
        Assert.Equal("1 dead letter retried\n",
            Blitq.Run("dlq", "retry", queue.Path, "-s", "audit", "--position", second, "--yes").Expect(0).Output);
        Assert.Equal(3, audit.DeadLetters.Count);
        Blitq.Run("dlq", "drop", queue.Path, "-s", "audit", "--position", second, "--yes").Expect(1);
        Assert.Equal("3 dead letters dropped\n", Blitq.Run("dlq", "drop", queue.Path, "-s", "audit", "--yes").Expect(0).Output);
        Assert.Equal(0, audit.DeadLetters.Count);
        Order? order = null;
        Assert.True(audit.TryDequeue(ref order));
        Assert.Equal(4, order!.Id);
        Assert.True(audit.TryDequeue(ref order));
        Assert.Equal(1, order.Id);
        Assert.False(audit.TryDequeue(ref order));
    }

    [Fact]
    public void Schemas_are_shown_and_compared()
    {
        using var folder = new Folder();
        using MappedQueue<Order> queue = Filled(folder, 1);
        using var lines = MappedQueue<Line>.Open(folder.Of("lines"));
        Assert.Equal(Order.Schema.Text + "\n", Blitq.Run("schema", "show", queue.Path, "--text").Expect(0).Output);
        Blitq.Run("schema", "diff", queue.Path, queue.Path).Expect(0);
        Outcome difference = Blitq.Run("schema", "diff", queue.Path, lines.Path).Expect(1);
        Assert.Contains("Sku: only there (string)\n", difference.Output, StringComparison.Ordinal);
    }

    [Fact]
    public void The_shell_completes_commands_options_and_subscriptions()
    {
        using var folder = new Folder();
        using MappedQueue<Order> queue = Filled(folder, 1);
        Assert.Contains("tail\n", Suggest("blitq ta"), StringComparison.Ordinal);
        Assert.Contains("--max-lag\n", Suggest($"blitq stat {queue.Path} --max"), StringComparison.Ordinal);
        Assert.Contains("default\n", Suggest($"blitq tail {queue.Path} -s "), StringComparison.Ordinal);
        string script = Blitq.Run("completion", "bash").Expect(0).Output;
        Blitq.RunIn(".", script, "bash", "-n").Expect(0);
    }

    private static string Suggest(string line)
        => Blitq.Run($"[suggest:{line.Length.ToString(CultureInfo.InvariantCulture)}]", line).Expect(0).Output;

    private static MappedQueue<Order> Filled(Folder folder, int count)
    {
        var queue = MappedQueue<Order>.Open(folder.Of("orders"), Small);
        for (int number = 0; number < count; number++)
        {
            queue.Enqueue(Order.Make(number));
        }

        return queue;
    }
}
