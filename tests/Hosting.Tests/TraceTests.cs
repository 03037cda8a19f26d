using System.Diagnostics;
using BlitQueue.Hosting.Peer;
using OpenTelemetry;
using OpenTelemetry.Trace;

namespace BlitQueue.Hosting.Tests;

/// <summary>Traces through queues, collected by the OpenTelemetry SDK; alone, because a listener is the process's.</summary>
[Collection(nameof(Alone))]
public sealed class TraceTests : PeerFixture
{
    private static readonly ActivitySource Own = new("BlitQueue.Hosting.Tests");

    private string SpanPath => FileOf("spans");

    private string PeerSpanPath => FileOf("peer-spans");

    [Fact]
    public async Task A_trace_goes_from_a_producer_to_a_consumer_in_another_process()
    {
        ActivityTraceId trace;
        ActivitySpanId request;
        using (Listen())
        using (var queue = MappedQueue<Job>.Open(QueuePath))
        {
            using Activity began = Own.StartActivity("request")!;
            (trace, request) = (began.TraceId, began.SpanId);
            began.TraceStateString = "vendor=1";
            queue.Enqueue(new Job { Id = 1 });
        }
        using (Process peer = Start(milliseconds: 1, "hears", seconds: 30, PeerSpanPath))
        {
            await UntilAsync(() => Status().MessageCount == 0);
            await StopAsync(peer);
        }
        Span sent = Assert.Single(Read(SpanPath), static span => span.Name == "enqueue");
        Assert.Equal(($"{trace}", $"{request}", "Producer"), (sent.Trace, sent.Parent, sent.Kind));
        Span handled = Assert.Single(Read(PeerSpanPath));
        Assert.Equal(
            ($"{trace}", sent.Id, "Consumer", "process", "Unset"),
            (handled.Trace, handled.Parent, handled.Kind, handled.Name, handled.Status));

        // The headers are there for those who want more.
        using var later = MappedQueue<Job>.Open(QueuePath);
        using Subscription<Job> subscription = later.Subscribe("default");
        subscription.Seek(QueuePosition.Oldest);
        Assert.True(subscription.TryReceive(out Lease<Job> lease));
        MessageProperties properties = lease.ReadProperties()!;
        Assert.Equal(
            ($"00-{trace}-{sent.Id}-01", "vendor=1"), (properties.Headers["traceparent"], properties.Headers["tracestate"]));
    }

    [Fact]
    public async Task Every_way_of_sending_carries_the_context_and_every_way_of_receiving_joins_the_trace()
    {
        using (Listen())
        {
            await using var queue = MappedQueue<Job>.Open(QueuePath);
            var job = new Job();
            queue.Enqueue(job);
            Assert.True(queue.TryEnqueue(job));
            queue.Enqueue(job, new MessageProperties { Label = "one" });
            queue.EnqueueBatch((ReadOnlySpan<Job>)[job, job]);
            await queue.EnqueueAsync(job);
            await queue.EnqueueBatchAsync(new[] { job, job });
            Assert.True(queue.AsChannelWriter().TryWrite(job));
            Assert.Null(Activity.Current);

            Job? got = null;
            Assert.True(queue.TryDequeue(ref got));
            var properties = new MessageProperties();
            Assert.True(queue.TryDequeue(ref got, properties));
            await queue.DequeueAsync(got);
            Assert.Equal(2, queue.TryDequeue(new Job?[2]));
            using Subscription<Job> subscription = queue.Subscribe("default");
            Assert.True(subscription.TryReceive(out Lease<Job> lease));
            lease.Commit();
            Assert.Equal(3, subscription.TryReceive(new Lease<Job>[3]));
            Assert.Null(Activity.Current);
        }
        List<Span> spans = Read(SpanPath);
        List<Span> sent = [.. spans.Where(static span => span.Name == "enqueue")];
        Assert.Equal(7, sent.Count);
        List<Span> received = [.. spans.Where(static span => span.Name is "dequeue" or "receive")];
        Assert.Equal(["dequeue", "dequeue", "dequeue", "dequeue", "receive", "receive"], received.Select(static span => span.Name));
        // One message: a part of its trace. Several: links.
        Assert.Equal([sent[0].Id, sent[1].Id, sent[2].Id], received.Take(3).Select(static span => span.Parent));
        Assert.Equal([$"{sent[3].Id} {sent[3].Id}"], received.Skip(3).Take(1).Select(static span => span.Links));
        Assert.Equal(sent[4].Id, received[4].Parent);
        Assert.Equal($"{sent[5].Id} {sent[5].Id} {sent[6].Id}", received[5].Links);
    }

    [Fact]
    public void Every_way_of_sending_in_a_transaction_carries_the_context_and_receiving_in_one_joins_the_trace()
    {
        ActivityTraceId trace;
        string[] headers, labels;
        using (Listen())
        {
            using var store = MappedStore.Open(FileOf("shop"));
            using MappedQueue<Job> orders = store.OpenQueue<Job>("orders"), bills = store.OpenQueue<Job>("bills");
            var job = new Job();
            using (Activity request = Own.StartActivity("request")!)
            {
                trace = request.TraceId;
                using QueueTransaction sending = store.Begin();
                sending.Enqueue(orders, job);
                sending.Enqueue(orders, job, new MessageProperties { Label = "one" });
                sending.EnqueueBatch(orders, (ReadOnlySpan<Job>)[job, job]);
                sending.EnqueueToAll(job, orders, bills);
                sending.Commit();
            }
            using (QueueTransaction receiving = store.Begin())
            {
                Job? got = null;
                Assert.True(receiving.TryReceive(orders, ref got));
                Assert.Null(Activity.Current);
            }
            MessageProperties[] read = [.. PropertiesOf(orders, 5), .. PropertiesOf(bills, 1)];
            headers = [.. read.Select(static one => one.Headers["traceparent"])];
            labels = [.. read.Select(static one => one.Label ?? "")];
        }
        List<Span> spans = Read(SpanPath);
        List<Span> sent = [.. spans.Where(static span => span.Name == "enqueue")];
        Assert.Equal(5, sent.Count);
        Assert.All(sent, span => Assert.Equal(($"{trace}", "Producer"), (span.Trace, span.Kind)));
        // The batch's messages have one span; the message for both queues has one in each.
        Assert.Equal(
            ((int[])[0, 1, 2, 2, 3, 4]).Select(number => $"00-{trace}-{sent[number].Id}-01"), headers);
        Assert.Equal(["", "one", "", "", "", ""], labels);
        Span received = spans.First(static span => span.Name == "receive");
        Assert.Equal(($"{trace}", sent[0].Id, sent[0].Id), (received.Trace, received.Parent, received.Links));
    }

    private static List<MessageProperties> PropertiesOf(MappedQueue<Job> queue, int count)
    {
        List<MessageProperties> all = [];
        Job? got = null;
        while (all.Count < count)
        {
            var properties = new MessageProperties();
            Assert.True(queue.TryDequeue(ref got, properties));
            all.Add(properties);
        }
        return all;
    }

    [Fact]
    public async Task Dead_letters_and_requeued_messages_and_lanes_keep_the_context()
    {
        using (Listen())
        {
            await using var queue = MappedQueue<Job>.Open(QueuePath);
            queue.Enqueue(new Job { Id = 1 });
            using Subscription<Job> subscription = queue.Subscribe("default");
            Assert.True(subscription.TryReceive(out Lease<Job> lease));
            string context = lease.ReadProperties()!.Headers["traceparent"];
            lease.DeadLetter("no");
            DeadLetter<Job>? letter = null;
            Assert.True(subscription.DeadLetters.TryPeek(ref letter));
            Assert.Equal(context, letter.Properties!.Headers["traceparent"]);
            Assert.Equal(1, subscription.DeadLetters.RequeueAll());
            Assert.True(subscription.TryReceive(out lease));
            Assert.Equal(context, lease.ReadProperties()!.Headers["traceparent"]);

            await using var lanes = MappedLanes<Job>.Open(FileOf("lanes"), 2);
            lanes.Enqueue(new Job(), 1);
            Job? got = null;
            var properties = new MessageProperties();
            using LaneSubscription<Job> all = lanes.Subscribe("default");
            Assert.True(all.TryDequeue(ref got, properties));
            Assert.Contains("traceparent", properties.Headers);
        }
    }

    [Fact]
    public async Task A_handler_that_throws_ends_its_span_as_failed_and_runs_inside_of_it()
    {
        string? inside = null;
        using (Listen())
        {
            await using var queue = MappedQueue<Job>.Open(QueuePath);
            queue.Enqueue(new Job());
            using var stop = new CancellationTokenSource();
            Task consuming = queue.ProcessAsync(
                (_, _) =>
                {
                    inside ??= $"{Activity.Current!.SpanId}";
                    stop.Cancel();
                    throw new FormatException("no");
                },
                new ProcessOptions { RetryDelay = TimeSpan.FromHours(1) }, stop.Token);
            await Assert.ThrowsAnyAsync<OperationCanceledException>(() => consuming);
        }
        Span handled = Assert.Single(Read(SpanPath), static span => span.Name == "process");
        Assert.Equal((inside, "Error"), (handled.Id, handled.Status));
    }

    [Fact]
    public void Without_a_listener_a_message_carries_nothing_and_what_fits_barely_is_not_refused_with_one()
    {
        using var queue = MappedQueue<Job>.Open(QueuePath);
        using Activity? nobody = Own.StartActivity("request");
        Assert.Null(nobody);
        queue.Enqueue(new Job());
        var properties = new MessageProperties();
        Job? got = null;
        Assert.True(queue.TryDequeue(ref got, properties));
        Assert.True(properties.IsEmpty);

        // 32 KiB without the block's header, and the label's length.
        var most = new MessageProperties { Label = new string('x', (32 << 10) - 8 - 4) };
        queue.Enqueue(new Job(), most);
        using (Listen())
        {
            queue.Enqueue(new Job(), most);
            queue.Enqueue(new Job(), new MessageProperties { Headers = { ["traceparent"] = "the caller's own" } });
        }
        Assert.True(queue.TryDequeue(ref got, properties));
        Assert.True(queue.TryDequeue(ref got, properties));
        Assert.Equal((most.Label, 0), (properties.Label, properties.Headers.Count));
        Assert.True(queue.TryDequeue(ref got, properties));
        Assert.Equal("the caller's own", properties.Headers["traceparent"]);
    }

    private TracerProvider Listen() => Sdk.CreateTracerProviderBuilder().AddSource("BlitQueue", Own.Name)
        .AddProcessor(new SimpleActivityExportProcessor(new SpanFile(SpanPath))).Build();

    private static List<Span> Read(string path) =>
        [.. File.ReadAllLines(path).Select(static line => line.Split(' ', 7)).Select(static line => new Span(
            line[0], line[1], line[2], line[3], line[4], line[5], line[6]))];

    private sealed record Span(string Trace, string Id, string Parent, string Kind, string Name, string Status, string Links);
}
