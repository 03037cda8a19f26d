using System.Buffers.Binary;
using System.Globalization;
using System.Text.Json;
using BlitQueue.Peer;

namespace BlitQueue.Clients;

/// <summary>Python reads a queue that this process has open: the same figures, the same properties, messages as they arrive.</summary>
public sealed class LiveQueueTests
{
    private static readonly QueueOptions Small = new() { SegmentSize = 1 << 16, UseChecksums = true };

    [PythonFact]
    public void Python_counts_what_waits_is_leased_or_set_aside()
    {
        using var folder = new Folder();
        using var queue = MappedQueue<Parcel>.Open(folder.Of("queue"), Small with { Capacity = 1 << 24 });
        using Subscription<Parcel> audit = queue.Subscribe("audit");
        using Subscription<Parcel> passing = queue.Subscribe("passing", new SubscriptionOptions { Ephemeral = true });
        Fill(queue, 0, 900);
        Parcel? parcel = null;
        for (int i = 0; i < 300; i++)
        {
            Assert.True(queue.TryDequeue(ref parcel));
            Assert.True(i > 100 || passing.TryDequeue(ref parcel));
        }

        Lease<Parcel>[] leases = [.. Enumerable.Range(0, 20).Select(_ => audit.Receive())];
        leases[3].Commit();
        leases[4].DeadLetter("first");
        leases[5].DeadLetter("second");
        leases[6].Abandon();
        AssertSameStatus(queue);

        // The segments note how many messages there are now.
        AssertSameStatus(queue);
        Assert.Equal(
            ["4 first", "5 second"],
            Blitq(queue.Path, "--dead-letters", "audit")
                .Select(static letter => $"{letter.GetProperty("message").GetProperty("Number")} {letter.GetProperty("reason")}"));
        Assert.Equal(
            [.. Enumerable.Range(0, 900).Where(static number => number is not (3 or 4 or 5)).Select(static number => (long)number)],
            Numbers(Blitq(queue.Path, "--subscription", "audit")));

        // What is leased comes again, and only once.
        audit.Seek(QueuePosition.Oldest);
        AssertSameStatus(queue);
        long[] again = [.. Numbers(Blitq(queue.Path, "--subscription", "audit"))];
        Assert.Equal(again.Distinct().Order(), again);
        Assert.Equal(899, again[^1]);
        GC.KeepAlive(leases);
    }

    [PythonFact]
    public void Python_reads_every_property()
    {
        using var folder = new Folder();
        using var queue = MappedQueue<Parcel>.Open(folder.Of("queue"), Small with { Stamps = MessageStamps.Time });
        var properties = new MessageProperties
        {
            MessageId = "id \u20ac",
            CorrelationId = "correlation",
            ReplyTo = "answers",
            Label = "label",
            Producer = "producer",
            TimeToLive = TimeSpan.FromDays(1),
            Headers = { ["first"] = "1", ["second"] = "\U0001F680" },
        };
        queue.Enqueue(new Parcel().Fill(1, 1, 70_000), properties);
        var seen = new MessageProperties();
        Parcel? parcel = null;
        JsonElement read = Assert.Single(Blitq(queue.Path)).GetProperty("properties");
        Assert.True(queue.TryDequeue(ref parcel, seen));
        Assert.Equal(seen.MessageId, read.GetProperty("message_id").GetString());
        Assert.Equal(seen.CorrelationId, read.GetProperty("correlation_id").GetString());
        Assert.Equal(seen.ReplyTo, read.GetProperty("reply_to").GetString());
        Assert.Equal(seen.Label, read.GetProperty("label").GetString());
        Assert.Equal(seen.Producer, read.GetProperty("producer").GetString());
        Assert.Equal(Text(seen.EnqueuedAt), read.GetProperty("enqueued_at").GetString());
        Assert.Equal(Text(seen.ExpiresAt), read.GetProperty("expires_at").GetString());
        Assert.Equal(
            seen.Headers.Select(static header => $"{header.Key}={header.Value}"),
            read.GetProperty("headers").EnumerateObject().Select(static header => $"{header.Name}={header.Value}"));

        static string? Text(DateTime? time) => time?.ToString("yyyy-MM-ddTHH:mm:ss.fffffffZ", CultureInfo.InvariantCulture);
    }

    [PythonFact]
    public void Python_shows_what_a_transaction_sends_once_it_is_committed()
    {
        using var folder = new Folder();
        using var store = MappedStore.Open(folder.Of("store"), Small);
        MappedQueue<Parcel> from = store.OpenQueue<Parcel>("from"), to = store.OpenQueue<Parcel>("to");
        Fill(from, 0, 3);
        Parcel? parcel = null;
        using (QueueTransaction transaction = store.Begin())
        {
            Assert.True(transaction.TryReceive(from, ref parcel));
            transaction.Enqueue(to, parcel);
            transaction.Enqueue(to, new Parcel().Fill(1, 7, 100_000));
            Assert.Empty(Blitq(to.Path));
            Assert.Equal([0, 1, 2], Numbers(Blitq(from.Path, "--subscription", "default")));
            transaction.Commit();
        }

        Assert.Equal([0, 7], Numbers(Blitq(to.Path)));
        Assert.Equal([1, 2], Numbers(Blitq(from.Path, "--subscription", "default")));
        using QueueTransaction abandoned = store.Begin();
        abandoned.Enqueue(to, new Parcel().Fill(1, 8, 100));
        abandoned.Rollback();
        Assert.Equal([0, 7], Numbers(Blitq(to.Path)));
    }

    // A batch whose first segment is gone counts as gone, except for what a subscription still needs of it.
    [PythonFact]
    public void Python_begins_where_Csharp_does()
    {
        using var folder = new Folder();
        using var python = new PythonReader();
        var csharp = QueueWriter.Of(typeof(Parcel));
        string path = folder.Of("queue");
        Parcel? parcel = null;
        foreach (int count in (int[])[0, 500, 300, 99])
        {
            // Closed, so that no segment is given up between the two readings.
            using (var queue = MappedQueue<Parcel>.Open(path, Small))
            {
                if (count == 0)
                {
                    queue.EnqueueBatch([.. Enumerable.Range(0, 900).Select(static number => new Parcel().Fill(1, number, 300))]);
                }

                for (int i = 0; i < count; i++)
                {
                    Assert.True(queue.TryDequeue(ref parcel));
                }

                Fill(queue, 1000, 1001);
            }

            IReadOnlyList<string> read = csharp.Read(path);
            Assert.Equal("end", read[^1]);
            Assert.Equal(read, python.Queue(path));
        }
    }

    [PythonFact]
    public void Python_shows_a_requeued_letter_to_its_subscription_alone()
    {
        using var folder = new Folder();
        using var queue = MappedQueue<Parcel>.Open(folder.Of("queue"), Small);
        using Subscription<Parcel> audit = queue.Subscribe("audit");
        Fill(queue, 0, 3);
        audit.Receive().DeadLetter("wrong");
        Assert.Equal(1, audit.DeadLetters.RequeueAll());
        Assert.Equal([1, 2, 0], Numbers(Blitq(queue.Path, "--subscription", "audit")));
        Assert.Equal([0, 1, 2], Numbers(Blitq(queue.Path, "--subscription", "default")));
        JsonElement[] all = [.. Blitq(queue.Path)];
        Assert.Equal([0, 1, 2, 0], Numbers(all));
        JsonElement letter = all[3].GetProperty("properties").GetProperty("letter");
        Assert.True(letter[0].GetGuid() != Guid.Empty && letter[1].GetInt64() >= 4096);
        Assert.Empty(Blitq(queue.Path, "--dead-letters", "audit"));
    }

    // As a process leaves it that dies between the message and the end of the letter's lease; or before the message.
    [PythonFact]
    public void Python_shows_a_letter_that_is_being_requeued_until_its_message_is_there()
    {
        using var folder = new Folder();
        using var queue = MappedQueue<Parcel>.Open(folder.Of("queue"), Small);
        using Subscription<Parcel> audit = queue.Subscribe("audit");
        Fill(queue, 0, 2);
        audit.Receive().DeadLetter("first");
        audit.Receive().DeadLetter("second");
        string cells = Path.Combine(queue.Path, "dead-audit", "subscription-default");
        Assert.True(audit.DeadLetters.TryReceive(out DeadLetterLease<Parcel> letter));
        using FileStream file = new(cells, FileMode.Open, FileAccess.ReadWrite, FileShare.ReadWrite);
        long at = LeasedCell(file, out byte[] cell);
        QueuePosition target = letter.Requeue();
        Mark(target.Value);
        Assert.Equal(["second"], Reasons(queue.Path));
        Mark(target.Value + 8);
        Assert.Equal(["first", "second"], Reasons(queue.Path));

        void Mark(long position)
        {
            cell[0] |= 7;
            BinaryPrimitives.WriteInt64LittleEndian(cell.AsSpan(24), position);
            file.Position = at;
            file.Write(cell);
            file.Flush();
        }
    }

    private static long LeasedCell(FileStream file, out byte[] cell)
    {
        cell = new byte[32];
        file.Position = 4096;
        do
        {
            file.ReadExactly(cell);
        }
        while ((cell[0] & 7) != 2);
        return file.Position - 32;
    }

    private static string[] Reasons(string queue) =>
        [.. Blitq(queue, "--dead-letters", "audit").Select(static letter => letter.GetProperty("reason").GetString()!)];

    [PythonFact]
    public void Python_shows_each_message_as_it_arrives()
    {
        const int Count = 60;
        using var folder = new Folder();
        using var queue = MappedQueue<Parcel>.Open(folder.Of("queue"), Small);
        using IEnumerator<JsonElement> lines = Blitq(queue.Path, "--follow", "--from", "oldest", "--count", $"{Count}").GetEnumerator();
        for (int number = 0; number < Count; number++)
        {
            queue.Enqueue(new Parcel().Fill(1, number, number % 3 == 0 ? 5000 : 10));
            Assert.True(lines.MoveNext());
            Assert.Equal(number, lines.Current.GetProperty("message").GetProperty("Number").GetInt64());
        }

        Assert.False(lines.MoveNext());
    }

    // Segments are given up and used again while they are read: a message is whole and in order, or its position is gone.
    [PythonFact]
    public async Task Python_follows_a_queue_whose_segments_come_and_go()
    {
        const int Count = 30_000;
        using var folder = new Folder();
        using var queue = MappedQueue<Parcel>.Open(folder.Of("queue"), Small with { Capacity = 1 << 20 });
        using Subscription<Parcel> other = queue.Subscribe("other");
        Fill(queue, 0, 10);
        Task<List<JsonElement>> reading = Task.Run(() => Follow(queue.Path));
        var consuming = Task.Run(() =>
        {
            Parcel? parcel = null;
            for (int i = 0; i < Count + 10; i++)
            {
                queue.Dequeue(ref parcel);
                other.Dequeue(ref parcel);
            }
        });
        Fill(queue, 10, Count + 10);
        await consuming;
        for (int number = Count + 10; !reading.IsCompleted; number++)
        {
            Fill(queue, number, number + 1);
            await Task.Delay(1);
        }

        List<JsonElement> read = await reading;
        Assert.NotEmpty(read);
        foreach (JsonElement line in read)
        {
            JsonElement message = line.GetProperty("message");
            Assert.True(new Parcel
            {
                Producer = message.GetProperty("Producer").GetInt32(),
                Number = message.GetProperty("Number").GetInt64(),
                Length = message.GetProperty("Length").GetInt32(),
                Body = message.GetProperty("Body").GetBytesFromBase64(),
            }.IsIntact());
        }

        long[] positions = [.. read.Select(static line => line.GetProperty("position").GetInt64())];
        Assert.Equal(positions.Distinct().Order(), positions);
    }

    // Exit code 1 says that what came next was deleted.
    private static List<JsonElement> Follow(string path)
    {
        const int Enough = 2000;
        List<JsonElement> read = [];
        while (read.Count < Enough)
        {
            string count = $"{Enough - read.Count}";
            read.AddRange(PythonReader.RunTo([0, 1], "-m", "blitq", path, "--follow", "--from", "oldest", "--count", count)
                .Select(static line => JsonDocument.Parse(line).RootElement));
        }

        return read;
    }

    private static void AssertSameStatus(MappedQueue<Parcel> queue)
    {
        JsonElement read = Assert.Single(Blitq(queue.Path, "--status"));
        QueueStatus status = queue.GetStatus();
        Assert.Equal(
            (status.MessageCount, status.Bytes, status.Capacity, status.First.Value, status.Next.Value, status.Repairs,
                status.ExpiredSubscriptions),
            (Number(read, "depth"), Number(read, "bytes"), Number(read, "capacity"), Number(read, "first"), Number(read, "next"),
                Number(read, "takeovers"), Number(read, "expired_subscriptions")));
        Assert.Equal(
            status.Subscriptions.Select(static one => (one.Name, one.Lag, one.InFlight, one.Dropped, one.Expired, one.DeadLetters,
                one.Bytes, one.Ephemeral, HasAge: one.OldestAge is not null)),
            read.GetProperty("subscriptions").EnumerateArray().Select(static one => (one.GetProperty("name").GetString()!,
                Number(one, "lag"), Number(one, "in_flight"), Number(one, "dropped"), Number(one, "expired"), Number(one, "dead_letters"),
                Number(one, "bytes"), one.GetProperty("ephemeral").GetBoolean(),
                one.GetProperty("oldest_age").ValueKind == JsonValueKind.String)));
    }

    private static long Number(JsonElement from, string name) => from.GetProperty(name).GetInt64();

    private static IEnumerable<long> Numbers(IEnumerable<JsonElement> lines)
        => lines.Select(static line => line.GetProperty("message").GetProperty("Number").GetInt64());

    private static IEnumerable<JsonElement> Blitq(params string[] arguments)
        => PythonReader.Run(["-m", "blitq", .. arguments]).Select(static line => JsonDocument.Parse(line).RootElement);

    private static void Fill(MappedQueue<Parcel> queue, int from, int to)
    {
        var parcel = new Parcel();
        for (int number = from; number < to; number++)
        {
            queue.Enqueue(parcel.Fill(1, number, 300 + (number % 10)));
        }
    }
}
