using System.Text.Json;
using BlitQueue.Tests.Processes;
using Xunit;

namespace BlitQueue.Tests.Queue.Pages;

/// <summary>What docs/raw.md shows.</summary>
public sealed class RawPageTests : IDisposable
{
    private readonly Site _site = new();

    [Fact]
    public void The_page_shows_this_code() => Page.AssertRuns("raw.md");

    [Fact]
    public void Its_code_runs()
    {
        string path = _site.Queue;
        using var frames = MappedQueue<RawMessage>.Open(path);

        frames.Enqueue("hello"u8);                                     // copied once, into the mapped segment
        bool there = frames.TryEnqueue(new byte[] { 1, 2, 3 });

        var message = new RawMessage();                                // an IBufferWriter<byte>, to be used again and again
        using (var json = new Utf8JsonWriter(message))
            JsonSerializer.Serialize(json, new[] { 1, 2, 3 });
        frames.Enqueue(message);
        message.Clear();

        RawMessage? next = null;
        while (frames.TryDequeue(ref next))                            // copied into its buffer, which grows where it must
            Console.WriteLine(next!.Bytes.Length);
        Assert.True(there && next!.Bytes.SequenceEqual("[1,2,3]"u8));

        frames.Enqueue("hello"u8);
        using Subscription<RawMessage> consumer = frames.Subscribe("default");
        if (consumer.TryReceive(out Lease<RawMessage> lease))
        {
            using LeasedBytes bytes = lease.OpenBytes();               // see consuming.md for how long it may be used
            Console.WriteLine(bytes.Span.Length);
            lease.Commit();
        }
        Assert.Equal(0, frames.GetStatus().MessageCount);
    }

    public void Dispose() => _site.Dispose();
}
