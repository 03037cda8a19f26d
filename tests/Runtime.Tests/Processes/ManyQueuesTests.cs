using System.Diagnostics;
using System.Globalization;
using BlitQueue.Platform;
using BlitQueue.Tests.Queue;
using Xunit;
using Xunit.Abstractions;

namespace BlitQueue.Tests.Processes;

/// <summary>What a handle keeps open, and that nothing of it stays.</summary>
/// <remarks>With <c>BLITQUEUE_OPENINGS=10000</c> in the environment as a campaign.</remarks>
[Collection(ProcessCollection.Name)]
public sealed class ManyQueuesTests(ITestOutputHelper output) : IDisposable
{
    private const int Queues = 1000;

    private static readonly int Openings =
        int.Parse(Environment.GetEnvironmentVariable("BLITQUEUE_OPENINGS") ?? "1000", CultureInfo.InvariantCulture);

    private readonly Site _site = new(inMemory: true);

    [Fact]
    public void A_thousand_queues_are_open_in_one_process()
    {
        (int descriptors, int mappings) = (Descriptors(), Mappings());
        var queues = new List<MappedQueue<Note>>();
        try
        {
            for (int i = 0; i < Queues; i++)
            {
                queues.Add(MappedQueue<Note>.Open(Path.Combine(_site.Root, $"{i}"), new QueueOptions { SegmentSize = 1 << 16 }));
                queues[i].Enqueue(QueueFixture.Of(i));
            }
            Note? note = null;
            for (int i = 0; i < Queues; i++)
            {
                Assert.True(queues[i].TryDequeue(ref note));
                Assert.Equal(i, note!.Id);
            }
            double each = (double)(Descriptors() - descriptors) / Queues;
            output.WriteLine($"{each:0.00} descriptors and {(double)(Mappings() - mappings) / Queues:0.00} mappings per queue");
            // The strict platform has a handle of its own for each mapping.
            Assert.InRange(each, 0.9, CurrentPlatform.Instance is StrictPlatform ? 5 : 1.1);
        }
        finally
        {
            queues.ForEach(static queue => queue.Dispose());
        }
        AssertBackTo(descriptors, mappings);
    }

    /// <summary>As a program opens them that names a path and nothing else: the blocks of the files count, not their lengths.</summary>
    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void A_thousand_queues_with_a_message_each_take_two_gibibytes_at_most(bool inMemory)
    {
        using var site = new Site(inMemory);
        var queues = new List<MappedQueue<Note>>();
        long started = Stopwatch.GetTimestamp();
        try
        {
            for (int i = 0; i < Queues; i++)
            {
                queues.Add(MappedQueue<Note>.Open(Path.Combine(site.Root, $"{i}")));
                queues[i].Enqueue(QueueFixture.Of(i));
            }
            TimeSpan time = Stopwatch.GetElapsedTime(started);
            long bytes = FirstSegmentTests.BytesOf(site.Root);
            output.WriteLine($"{bytes >> 20} MiB, {time.TotalSeconds:0.0} s");
            Assert.InRange(bytes, 1, 2L << 30);
            Assert.All(queues.Index(), static one => Assert.Equal(one.Index, one.Item.Dequeue().Id));
        }
        finally
        {
            queues.ForEach(static queue => queue.Dispose());
        }
    }

    [Fact]
    public void Opening_and_closing_leaks_no_descriptor_mapping_or_file()
    {
        OpenAndClose(0);
        string[] files = _site.Files();
        (int descriptors, int mappings) = (Descriptors(), Mappings());
        for (int i = 1; i <= Openings; i++)
        {
            OpenAndClose(i);
        }
        AssertBackTo(descriptors, mappings);
        Assert.Equal(files, _site.Files());
        output.WriteLine(
            $"{Openings} openings: {Descriptors()} descriptors, {Mappings()} mappings, {_site.Files().Length} files, as before.");
    }

    private void OpenAndClose(int i)
    {
        using var queue = MappedQueue<Note>.Open(_site.Queue, new QueueOptions { SegmentSize = 1 << 20 });
        using Subscription<Note> subscription = queue.Subscribe("audit");
        using QueueCursor<Note> cursor = queue.OpenCursor(QueuePosition.Oldest);
        queue.Enqueue(QueueFixture.Of(i));
        Note? note = null;
        Assert.True(queue.TryDequeue(ref note));
        using Lease<Note> lease = subscription.Receive();
        using (LeasedBytes bytes = lease.OpenBytes())
        {
            Assert.Equal(i, new Note.View(bytes.Span).Id);
        }
        lease.Commit();
    }

    // Other tests' threads, and the runtime's, come and go: so little is theirs, and a leak is as many as there were openings.
    private static void AssertBackTo(int descriptors, int mappings)
    {
        const int Slack = 50;
        Assert.True(
            SpinWait.SpinUntil(() => Descriptors() <= descriptors + Slack && Mappings() <= mappings + Slack, TimeSpan.FromSeconds(20)),
            $"{descriptors} descriptors and {mappings} mappings before, {Descriptors()} and {Mappings()} after.");
    }

    private static int Descriptors() => OwnProcess.Descriptors();

    // Of files alone: the heap's come and go.
    private static int Mappings() => OwnProcess.Mappings("/blitqueue-").Length;

    public void Dispose() => _site.Dispose();
}
