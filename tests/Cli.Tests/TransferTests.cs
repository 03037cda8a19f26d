using BlitQueue.Mutations;
using BlitQueue.Shapes;

namespace BlitQueue.Tool;

/// <summary>What is exported and imported is the same: messages, properties, order.</summary>
public sealed class TransferTests
{
    private const int OfEach = 20;

    [Fact]
    public void An_import_gives_the_queue_that_was_exported()
    {
        using var folder = new Folder();
        int seed = Random.Shared.Next();
        var values = new RandomValues(seed);
        foreach (Type type in Target.All(typeof(Values).Assembly).Select(static target => target.Type))
        {
            string original = folder.Of(type.Name), copy = folder.Of($"{type.Name}-copy"), lines = folder.Of($"{type.Name}.jsonl");
            var writer = ShapeWriter.Of(type);
            writer.Write(original, [.. Enumerable.Range(0, OfEach).Select(_ => values.MakeRoot(type))]);
            string before = Folder.Snapshot(original);
            Blitq.Run("export", original, "-o", lines).Expect(0);
            Assert.Equal(before, Folder.Snapshot(original));
            Blitq.Run("import", copy, lines, "--create").Expect(0);
            Assert.True(writer.Read(original).SequenceEqual(writer.Read(copy)), $"seed {seed}, {type.Name}");
        }
    }

    [Fact]
    public void A_pipe_does_too()
    {
        using var folder = new Folder();
        using (var queue = MappedQueue<Order>.Open(folder.Of("orders")))
        {
            queue.EnqueueBatch(Enumerable.Range(0, 1000).Select(Order.Make));
        }

        string pipe = $"'{Blitq.Program}' export '{folder.Of("orders")}' | '{Blitq.Program}' import '{folder.Of("copy")}' --create";
        Blitq.RunIn(".", "", "bash", "-o", "pipefail", "-c", pipe).Expect(0);
        Assert.Equal(ShapeWriter.Of(typeof(Order)).Read(folder.Of("orders")), ShapeWriter.Of(typeof(Order)).Read(folder.Of("copy")));
    }

    [Fact]
    public void What_is_sent_is_what_the_queue_gives()
    {
        using var folder = new Folder();
        using var queue = MappedQueue<Order>.Open(folder.Of("orders"));
        Blitq.Run("send", queue.Path, """{"Id":1,"Total":"9.90"}""", "-p", "label=rush", "-H", "tenant=acme").Expect(0);
        Blitq.RunWith("{\"Id\":2,\"Customer\":\"Zo\\u00eb\"}\n{\"Customer\":null,\"Id\":3}\n", "send", queue.Path).Expect(0);
        Order? order = null;
        var properties = new MessageProperties();
        Assert.True(queue.TryDequeue(ref order, properties));
        Assert.Equal((1, 9.90m, "rush", "acme"), (order!.Id, order.Total, properties.Label, properties.Headers["tenant"]));
        Assert.True(queue.TryDequeue(ref order, properties));
        Assert.Equal((2, "Zo\u00eb", true), (order!.Id, order.Customer, properties.IsEmpty));
        Assert.True(queue.TryDequeue(ref order));
        Assert.Equal((3, null), (order!.Id, order.Customer));
        Assert.False(queue.TryDequeue(ref order));
    }

    [Fact]
    public void A_line_that_is_no_message_ends_an_import_and_is_named()
    {
        using var folder = new Folder();
        using var queue = MappedQueue<Order>.Open(folder.Of("orders"));
        const string Lines = "{\"message\":{\"Id\":1}}\n{\"message\":{\"Id\":true}}\n{\"message\":{\"Id\":3}}\n";
        Outcome dry = Blitq.RunWith(Lines, "import", queue.Path, "--dry-run").Expect(65);
        Assert.Equal(0, queue.GetStatus().MessageCount);
        Outcome outcome = Blitq.RunWith(Lines, "import", queue.Path).Expect(65);
        Assert.Equal("blitq: line 2: Id: a whole number is expected, and here is true or false\n", outcome.Error);
        Assert.Equal(outcome.Error, dry.Error);
        Assert.Equal(1, queue.GetStatus().MessageCount);
    }

    [Fact]
    public void An_import_into_a_full_queue_says_so()
    {
        using var folder = new Folder();
        using var queue = MappedQueue<Order>.Open(folder.Of("orders"), new QueueOptions { SegmentSize = 1 << 16, Capacity = 1 << 16 });
        string lines = string.Concat(Enumerable.Repeat("{\"message\":{\"Id\":1}}\n", 3000));
        Outcome outcome = Blitq.RunWith(lines, "import", queue.Path).Expect(5);
        Assert.Single(outcome.Error.TrimEnd().Split('\n'));
    }
}
