using System.Buffers.Binary;
using System.Text;
using BlitQueue.Log;
using BlitQueue.Tests.Processes;
using Xunit;

namespace BlitQueue.Tests.Queue;

/// <summary>A queue of numbered messages in small segments, whose files are damaged between two openings.</summary>
internal sealed class LogFiles : IDisposable
{
    public const int SegmentSize = 1 << 16;

    private readonly Site _site = new();

    public string Path => _site.Queue;

    public Site Site => _site;

    public Durability Durability { get; init; }

    public MappedQueue<RawMessage> Open() => MappedQueue<RawMessage>.Open(
        Path, new QueueOptions { SegmentSize = SegmentSize, UseChecksums = true, Durability = Durability });

    /// <summary>Enqueues messages and consumes the first of them.</summary>
    public void Fill(int count, int consumed = 0, int length = 112, bool inOneBatch = false)
    {
        using MappedQueue<RawMessage> queue = Open();
        RawMessage[] messages = [.. Enumerable.Range(0, count).Select(key => Message(key, length))];
        if (inOneBatch || Durability == Durability.Commit)
        {
            queue.EnqueueBatch(messages);
        }
        else
        {
            foreach (RawMessage message in messages)
            {
                queue.Enqueue(message);
            }
        }
        RawMessage? next = null;
        for (int i = 0; i < consumed; i++)
        {
            Assert.True(queue.TryDequeue(ref next));
        }
    }

    /// <summary>Enqueues messages in batches of so many.</summary>
    public void FillInBatches(int count, int of)
    {
        using MappedQueue<RawMessage> queue = Open();
        for (int first = 0; first < count; first += of)
        {
            queue.EnqueueBatch([.. Enumerable.Range(first, Math.Min(of, count - first)).Select(static key => Message(key))]);
        }
    }

    public static RawMessage Message(long key, int length = 112)
    {
        byte[] bytes = new byte[length];
        new Random((int)key).NextBytes(bytes);
        BinaryPrimitives.WriteInt64LittleEndian(bytes, key);
        return new RawMessage(bytes);
    }

    public static long Key(RawMessage message)
    {
        long key = BinaryPrimitives.ReadInt64LittleEndian(message.Bytes);
        Assert.Equal(Message(key, message.Bytes.Length).Bytes, message.Bytes);
        return key;
    }

    /// <summary>The keys of all that is there, which is consumed, stepping over holes.</summary>
    public static List<long> Drain(MappedQueue<RawMessage> queue, out List<QueueCorruptException> holes)
        => DrainBytes(queue, out holes).ConvertAll(static bytes => Key(new RawMessage(bytes)));

    /// <summary>All messages that are there, which are consumed, stepping over holes.</summary>
    public static List<byte[]> DrainBytes(MappedQueue<RawMessage> queue, out List<QueueCorruptException> holes)
    {
        var messages = new List<byte[]>();
        holes = [];
        for (RawMessage? message = null; ;)
        {
            try
            {
                if (!queue.TryDequeue(ref message))
                {
                    return messages;
                }
                messages.Add(message!.Bytes.ToArray());
            }
            catch (QueueCorruptException exception)
            {
                Assert.True(holes.Count < 100, exception.Message);
                holes.Add(exception);
                queue.SkipCorrupt();
            }
        }
    }

    public void PretendRestart(bool isDurable = true)
    {
        _site.Overwrite(StoreFormat.ControlName, ControlFormat.BootOffset, Encoding.ASCII.GetBytes("another boot of this machine"));
        if (!isDurable)
        {
            _site.Overwrite(StoreFormat.ControlName, ControlFormat.DurableOffset, BitConverter.GetBytes((long)SegmentFormat.PageSize));
        }
    }

    public void LoseControl() => File.Delete(_site.File(StoreFormat.ControlName));

    public string SegmentAt(long index) => _site.File(StoreFormat.SegmentName(index * SegmentSize));

    public void Flip(long position)
    {
        string name = StoreFormat.SegmentName(position & -SegmentSize);
        byte[] bytes = Site.Read(_site.File(name));
        _site.Overwrite(name, position & (SegmentSize - 1), [(byte)(bytes[position & (SegmentSize - 1)] ^ 4)]);
    }

    /// <summary>The pages of the log from one position to another are as if they had never been written.</summary>
    public void LosePages(long from, long to)
    {
        for (long page = from & -SegmentFormat.PageSize; page < to; page += SegmentFormat.PageSize)
        {
            _site.Overwrite(StoreFormat.SegmentName(page & -SegmentSize), page & (SegmentSize - 1), new byte[SegmentFormat.PageSize]);
        }
    }

    public string[] Aside()
        => [.. Directory.EnumerateDirectories(Path, StoreFormat.AsidePrefix + "*").SelectMany(Directory.EnumerateFiles)];

    public static List<long> Keys(int from, int to) => [.. Enumerable.Range(from, to - from).Select(static key => (long)key)];

    public void Dispose() => _site.Dispose();
}
