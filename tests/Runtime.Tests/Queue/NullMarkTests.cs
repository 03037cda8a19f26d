using BlitQueue.Generated;
using Xunit;

namespace BlitQueue.Tests.Queue;

/// <summary>Bytes that are those of null are no message: what says that there is one gives one.</summary>
public sealed class NullMarkTests : IDisposable
{
    private readonly Processes.Site _site = new();

    [Fact]
    public void They_are_told_as_damage_and_can_be_stepped_over()
    {
        using var queue = MappedQueue<Vanishing>.Open(_site.Queue, new QueueOptions { SegmentSize = 1 << 16 });
        queue.Enqueue(new Vanishing { IsThere = false });
        queue.Enqueue(new Vanishing { IsThere = true });
        using Subscription<Vanishing> subscription = queue.Subscribe("other");
        using QueueCursor<Vanishing> cursor = queue.OpenCursor(QueuePosition.Oldest);
        Vanishing? message = null;
        Assert.Throws<QueueCorruptException>(() => queue.TryDequeue(ref message));
        Assert.Throws<QueueCorruptException>(() => queue.TryPeek(ref message));
        Assert.Throws<QueueCorruptException>(() => cursor.TryRead(ref message));
        using (Lease<Vanishing> lease = subscription.Receive())
        {
            Assert.Contains("null", Assert.Throws<QueueCorruptException>(() => lease.Read()).Message, StringComparison.Ordinal);
        }
        Assert.True(queue.SkipCorrupt());
        Assert.True(queue.TryDequeue(ref message));
        Assert.True(message.IsThere);
    }

    public void Dispose() => _site.Dispose();

    // Packed by hand, as no generated code packs an instance.
    private sealed class Vanishing : IPackable<Vanishing>
    {
        public bool IsThere { get; set; }

        public static MessageSchema Schema { get; } = new(nameof(Vanishing), []);

        public static void Pack(ref PackWriter writer, scoped in Vanishing? value)
        {
            if (value is not { IsThere: true })
            {
                writer.WriteNull();
                return;
            }
            writer.BeginMessage(0, 0);
            writer.EndMessage();
        }

        public static void Unpack(ref PackReader reader, scoped ref Vanishing? value)
        {
            value = reader.BeginMessage(out FixedBlockReader block) ? new Vanishing { IsThere = true } : null;
            if (value is not null)
            {
                reader.EndMessage(in block, 0);
            }
        }
    }
}
