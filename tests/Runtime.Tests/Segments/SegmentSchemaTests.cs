using System.Buffers.Binary;
using System.IO.Compression;
using System.Text;
using BlitQueue.Log;
using BlitQueue.Tests.Processes;
using BlitQueue.Tests.Queue.Evolution;
using Xunit;

namespace BlitQueue.Tests.Segments;

/// <summary>What a segment's file tells by itself.</summary>
public sealed class SegmentSchemaTests : IDisposable
{
    private readonly Site _site = new();

    // By docs/FORMAT.md alone: nothing of what is tested reads here.
    [Fact]
    public void Any_single_segment_says_what_its_messages_are_made_of_recycled_ones_too()
    {
        // Closed before its files are looked at: an open queue renames a segment when it recycles it.
        using (var queue = MappedQueue<First.Order>.Open(_site.Queue, new QueueOptions { SegmentSize = 1 << 16 }))
        {
            First.Order? read = null;
            for (int i = 0; i < 400; i++)
            {
                queue.Enqueue(new First.Order { Id = i, Customer = new string('c', 1000) });
                queue.TryDequeue(ref read);
            }
        }
        string[] segments = Directory.GetFiles(_site.Queue, "segment-*");
        Assert.NotEmpty(segments);
        Assert.All(segments, static path => Assert.Equal(First.Order.Schema.Text, TextIn(Site.Read(path))));
    }

    [Fact]
    public void A_segment_made_after_a_newer_version_came_knows_its_members_whoever_makes_it()
    {
        using var older = MappedQueue<First.Order>.Open(_site.Queue, new QueueOptions { SegmentSize = 1 << 16 });
        MappedQueue<Second.Order>.Open(_site.Queue).Dispose();
        for (int i = 0; i < 300; i++)
        {
            older.Enqueue(new First.Order { Id = i, Customer = new string('c', 1000) });
        }
        string[] segments = [.. Directory.GetFiles(_site.Queue, "segment-*").Order(StringComparer.Ordinal)];
        Assert.Equal(First.Order.Schema.Text, TextIn(Site.Read(segments[0])));
        Assert.Equal(Second.Order.Schema.Text, TextIn(Site.Read(segments[^1])));
    }

    [Fact]
    public void A_long_schema_takes_more_pages_of_each_segment()
    {
        var random = new Random(1);
        string schema = $"#0{{{string.Join(',', Enumerable.Range(0, 5000).Select(i => $"Member{random.NextInt64():x}:i64"))}}}";
        int size = SegmentSchema.HeaderSizeFor(schema);
        Assert.InRange(size, 2 * SegmentFormat.PageSize, 1 << 20);
        Assert.Equal(0, size % SegmentFormat.PageSize);
        byte[] header = new byte[size - SegmentFormat.SchemaOffset];
        SegmentSchema.Write(header, schema);
        Assert.Equal(schema, SegmentSchema.Read(header));
        Assert.True(SegmentSchema.Fits(schema, size));
        Assert.False(SegmentSchema.Fits(schema, SegmentFormat.PageSize));
    }

    [Fact]
    public void Damaged_bytes_are_no_schema()
    {
        byte[] header = new byte[SegmentFormat.PageSize - SegmentFormat.SchemaOffset];
        SegmentSchema.Write(header, First.Order.Schema.Text);
        int length = BinaryPrimitives.ReadInt32LittleEndian(header.AsSpan(8));
        for (int i = 0; i < 16 + length; i++)
        {
            byte[] damaged = [.. header];
            damaged[i] ^= 0x55;
            Assert.Null(SegmentSchema.Read(damaged));
        }
        Assert.Null(SegmentSchema.Read(new byte[header.Length]));
    }

    private static string TextIn(byte[] segment)
    {
        int length = BinaryPrimitives.ReadInt32LittleEndian(segment.AsSpan(80));
        byte[] text = new byte[BinaryPrimitives.ReadInt32LittleEndian(segment.AsSpan(84))];
        Assert.True(BrotliDecoder.TryDecompress(segment.AsSpan(88, length), text, out int written));
        Assert.Equal(text.Length, written);
        return Encoding.UTF8.GetString(text);
    }

    public void Dispose() => _site.Dispose();
}
