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
    public void A_process_that_is_stopped_is_called_so()
    {
        using var folder = new Folder();
        Filled(folder, 3).Dispose();
        using Process tool = Blitq.Start(folder.Path, Blitq.Program, "send", "orders");
        try
        {
            tool.StandardInput.WriteLine("""{"Id":4}""");
            tool.StandardInput.Flush();
            Assert.Matches("^[0-9]+$", tool.StandardOutput.ReadLine());
            Assert.Equal("runs", StateOf(folder.Of("orders"), tool.Id));
            using (Process.Start("kill", ["-STOP", tool.Id.ToString(CultureInfo.InvariantCulture)]))
            {
            }

            while (StateOf(folder.Of("orders"), tool.Id) != "STOPPED")
            {
                Thread.Sleep(10);
            }

            JsonElement peers = Assert.Single(Blitq.Json("inspect", folder.Of("orders"), "--json")).GetProperty("peers");
            Assert.True(Assert.Single(peers.EnumerateArray()).GetProperty("stopped").GetBoolean());
        }
        finally
        {
            tool.Kill();
        }
    }

    private static string StateOf(string path, int process)
    {
        string id = process.ToString(CultureInfo.InvariantCulture);
        string line = Assert.Single(Blitq.Run("inspect", path).Expect(0).Lines, one => one.StartsWith(id + " ", StringComparison.Ordinal));
        return line.Split(' ', StringSplitOptions.RemoveEmptyEntries)[^1];
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
        Blitq.Run("stat", queue.Path, "--max-fill", "0").Expect(0);
        Assert.Equal(
            "blitq: Cannot parse argument 'x' for option '--max-lag' as a whole number. See blitq --help.\n",
            Blitq.Run("stat", queue.Path, "--max-lag", "x").Expect(64).Error);
    }

    [Fact]
    public void A_queue_that_is_nearly_full_says_so_and_who_holds_it()
    {
        using var folder = new Folder();
        States.Make("full", folder.Path, out _);
        string path = folder.Of("orders");
        string fine = Blitq.Run("stat", path, "--max-fill", "100").Expect(0).Output;
        Assert.Contains(" KiB of 64.0 KiB; default: lag", fine, StringComparison.Ordinal);
        Outcome passed = Blitq.Run("stat", path, "--max-fill", "90").Expect(1);
        Assert.Matches("^PASSED fill (9[0-9]|100) % held by default - orders: ", passed.Output);
        Assert.Contains(" KiB of 64.0 KiB ", Blitq.Run("ls", path).Expect(0).Output, StringComparison.Ordinal);
        Assert.Contains("Subscription 'default' ", Blitq.Run("send", path, """{"Id":9}""").Expect(5).Error, StringComparison.Ordinal);
    }

    [Fact]
    public void A_queue_whose_disk_has_refused_is_failed_for_every_command_that_monitors()
    {
        using var folder = new Folder();
        States.Make("failed sync", folder.Path, out _);
        string path = folder.Of("orders");
        Assert.StartsWith("FAILED - orders: ", Blitq.Run("stat", path, "--max-lag", "0").Expect(2).Output, StringComparison.Ordinal);
        foreach (string[] command in (string[][])[["stat", path, "--json"], ["ls", path, "--json"], ["inspect", path, "--json"]])
        {
            Outcome failed = Blitq.Run(command).Expect(2);
            Assert.StartsWith($"blitq: {path}: the disk has refused a sync, ", failed.Error, StringComparison.Ordinal);
            JsonElement told = JsonDocument.Parse(failed.Output).RootElement;
            Assert.True(told.TryGetProperty("state", out JsonElement state)
                ? state.GetString() == "failed" : told.GetProperty("failed").GetBoolean());
        }
    }

    [Fact]
    public void A_subscription_that_stands_in_front_of_damage_says_so_and_what_to_do()
    {
        using var folder = new Folder();
        States.Make("damaged log", folder.Path, out _);
        string path = folder.Of("orders");
        long damaged;
        using (var queue = MappedQueue<Order>.Open(path))
        {
            // One is a dead letter, three are consumed, and the next is damaged.
            Order? order = null;
            Assert.True(queue.TryDequeue(ref order) && queue.TryDequeue(ref order) && queue.TryDequeue(ref order));
            damaged = Assert.Throws<QueueCorruptException>(() => queue.TryDequeue(ref order)).HoleEnd!.Value.Value;
        }

        string behind = damaged.ToString(CultureInfo.InvariantCulture);
        Outcome peek = Blitq.Run("peek", path, "-s", "default").Expect(2);
        Assert.Contains("the record's check does not fit its bytes", peek.Error, StringComparison.Ordinal);
        Assert.Contains($"blitq seek --to {behind}.", peek.Error, StringComparison.Ordinal);
        Assert.Equal(peek.Error, Blitq.Run("tail", path, "-s", "default").Expect(2).Error);
        Outcome skipping = Blitq.Run("tail", path, "-s", "default", "--skip-damage", "--json").Expect(2);
        Assert.Equal(3, skipping.Lines.Count());
        Assert.DoesNotContain("SkipCorrupt", skipping.Error, StringComparison.Ordinal);
        Assert.Equal("default: lag 3\n", Blitq.Run("seek", path, "--to", behind, "--yes").Expect(0).Output);
        Assert.Contains("A-5", Blitq.Run("peek", path, "-s", "default").Expect(0).Output, StringComparison.Ordinal);
        using (MappedQueue<Order>.Open(path))
        {
            Assert.Equal(
                $"blitq: {path} is open in process {Environment.ProcessId}. End the processes that have it open (blitq inspect names them) "
                    + "before it is repaired.\n",
                Blitq.Run("repair", path).Expect(4).Error);
        }
    }

    [Fact]
    public void Top_tells_programs_what_it_draws_for_people_and_why_a_queue_cannot_be_read()
    {
        using var folder = new Folder();
        using MappedQueue<Order> queue = Filled(folder, 7);
        States.Make("damaged description", Directory.CreateDirectory(folder.Of("returns")).FullName, out _);
        Outcome told = Blitq.Run("top", folder.Path, "--count", "2", "--every", "0.1", "--json").Expect(2);
        JsonElement[] looks = [.. told.Lines.Select(static line => JsonDocument.Parse(line).RootElement)];
        Assert.Equal(2, looks.Length);
        foreach (JsonElement look in looks)
        {
            JsonElement[] queues = [.. look.GetProperty("queues").EnumerateArray()];
            Assert.Equal(["orders", "returns/orders"], queues.Select(static one => one.GetProperty("name").GetString()));
            Assert.Equal(["fine", "damaged"], queues.Select(static one => one.GetProperty("state").GetString()));
            Assert.Equal(7, queues[0].GetProperty("status").GetProperty("depth").GetInt64());
            Assert.Contains("blitq verify", queues[1].GetProperty("fault").GetString(), StringComparison.Ordinal);
        }

        Assert.Equal(JsonValueKind.Null, looks[0].GetProperty("queues")[0].GetProperty("in").ValueKind);
        Assert.Equal(0, looks[1].GetProperty("queues")[0].GetProperty("in").GetDouble());
        string expected = looks[0].GetProperty("queues")[1].GetProperty("fault").GetString()!;
        Assert.Equal($"blitq: {expected}\n", Blitq.Run("top", folder.Path, "--count", "1").Expect(2).Error);
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

    // The log goes round a few segments, which are used again while they are read.
    [Fact]
    public async Task However_fast_messages_come_and_go_what_is_shown_is_whole_and_in_order()
    {
        using var folder = new Folder();
        using MappedQueue<Order> queue = Filled(folder, 1);
        using var stop = new CancellationTokenSource();
        var passing = Task.Run(() =>
        {
            Order? order = null;
            for (int number = 1; !stop.IsCancellationRequested; number++)
            {
                queue.Enqueue(Order.Make(number));
                queue.TryDequeue(ref order);
            }
        });
        using Process tail = Blitq.Start(".", Blitq.Program, "tail", "-f", queue.Path, "--json");
        Task<string> error = tail.StandardError.ReadToEndAsync();
        using var served = Served.Start(folder.Path);
        using Served.Events page = served.Open("?queue=orders");
        long last = 0;
        for (int line = 0; line < 20_000; line++)
        {
            using var told = JsonDocument.Parse(tail.StandardOutput.ReadLine()!);
            AssertWhole(told.RootElement.GetProperty("message"));
            Assert.True(told.RootElement.GetProperty("position").GetInt64() > last);
            last = told.RootElement.GetProperty("position").GetInt64();
        }

        for (int look = 0; look < 10; look++)
        {
            JsonElement sample = page.Next("sample"), shown = page.Next("opened").GetProperty("shown");
            Assert.True(shown.ValueKind == JsonValueKind.Object, sample.ToString());
            Assert.Equal([], shown.GetProperty("faults").EnumerateArray().Select(static fault => fault.GetString()!));
            foreach (JsonElement one in shown.GetProperty("messages").EnumerateArray())
            {
                AssertWhole(JsonDocument.Parse(one.GetProperty("text").GetString()!).RootElement);
            }
        }

        await stop.CancelAsync();
        await passing;
        tail.Kill();
        Assert.All(
            (await error).Split('\n', StringSplitOptions.RemoveEmptyEntries),
            static line => Assert.EndsWith("messages were consumed and deleted before they were read.", line, StringComparison.Ordinal));
    }

    private static void AssertWhole(JsonElement message)
    {
        var expected = Order.Make((int)message.GetProperty("Id").GetInt64());
        JsonElement line = Assert.Single(message.GetProperty("Lines").EnumerateArray());
        Assert.Equal(
            (expected.Customer, expected.Total.ToString(CultureInfo.InvariantCulture), expected.Lines![0].Sku, expected.Lines[0].Count),
            (message.GetProperty("Customer").GetString(), message.GetProperty("Total").GetString(), line.GetProperty("Sku").GetString(),
                line.GetProperty("Count").GetInt32()));
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
        Assert.Equal("", Blitq.Run("schema", "diff", queue.Path, queue.Path).Expect(0).Output);
        Assert.True(Assert.Single(Blitq.Json("schema", "diff", queue.Path, queue.Path, "--json")).GetProperty("same").GetBoolean());
        JsonElement told = JsonDocument.Parse(Blitq.Run("schema", "diff", queue.Path, lines.Path, "--json").Expect(1).Output).RootElement;
        Assert.False(told.GetProperty("same").GetBoolean());
        Assert.Contains(
            "Sku: only there (string)", told.GetProperty("differences").EnumerateArray().Select(static one => one.GetString()!.Trim()));
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

    // What bash does at Tab, but for the terminal.
    [Fact]
    public void Bash_gets_the_words_that_fit()
    {
        using var folder = new Folder();
        using MappedQueue<Order> queue = Filled(folder, 1);
        Assert.Equal(["stat"], Complete(folder, "blitq", "sta"));
        Assert.Equal(["orders"], Complete(folder, "blitq", "tail", "or"));
        Assert.Equal(["--max-age", "--max-dead-letters", "--max-fill", "--max-lag"], Complete(folder, "blitq", "stat", "orders", "--max"));
        Assert.Equal(["default"], Complete(folder, "blitq", "seek", "orders", "-s", "de"));
        string[] below = Complete(folder, "blitq", "dlq", "");
        Assert.Equal(["drop", "ls", "retry", "show"], below.Where(static word => word[0] is not ('-' or '/')));
    }

    private static string[] Complete(Folder folder, params string[] words)
    {
        string line = string.Join(' ', words), bin = Path.GetDirectoryName(Blitq.Program)!;
        string script = $$"""
            PATH='{{bin}}':$PATH
            eval "$(blitq completion bash)"
            compopt() { :; }
            COMP_WORDS=({{string.Join(' ', words.Select(static word => $"'{word}'"))}})
            COMP_CWORD={{words.Length - 1}} COMP_LINE='{{line}}' COMP_POINT={{line.Length}}
            complete -p blitq > /dev/null || exit 1
            _blitq
            printf '%s\n' "${COMPREPLY[@]}"
            """;
        Outcome completed = Blitq.RunIn(folder.Path, "", "bash", "-c", script.ReplaceLineEndings("\n")).Expect(0);
        return [.. completed.Lines.Order(StringComparer.Ordinal)];
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
