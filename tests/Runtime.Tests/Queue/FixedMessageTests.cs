using BlitQueue.Log;
using BlitQueue.Tests.Processes;
using Xunit;

namespace BlitQueue.Tests.Queue;

/// <summary>Messages of a known length go a way of their own, and nobody may notice but by the clock.</summary>
public sealed class FixedMessageTests : IDisposable
{
    private static readonly QueueOptions Small = new() { SegmentSize = 1 << 16 };

    private readonly Site _site = new();

    [Fact]
    public void A_message_of_numbers_alone_has_a_known_length_and_others_have_none()
    {
        Assert.Equal(4 + 8 + 4 + 8, LengthOf<Tick>());
        Assert.Equal(0, LengthOf<Note>());
    }

    [Fact]
    public void They_come_out_as_they_went_in_over_many_segments_and_after_reopening()
    {
        const int Count = 20_000;
        using (MappedQueue<Tick> queue = Open())
        {
            for (int id = 0; id < Count; id++)
            {
                queue.Enqueue(Of(id));
            }
        }
        using (MappedQueue<Tick> queue = Open())
        {
            Tick? tick = null;
            for (int id = 0; id < Count; id++)
            {
                Tick? before = tick;
                Assert.True(queue.TryDequeue(ref tick));
                AssertIs(id, tick!);
                Assert.True(before is null || ReferenceEquals(before, tick));
            }
            Assert.False(queue.TryDequeue(ref tick));
        }
    }

    [Fact]
    public void An_instance_of_a_derived_type_is_refused_and_the_turn_is_free()
    {
        using MappedQueue<Tick> queue = Open();
        Assert.Throws<PackException>(() => queue.Enqueue(new DerivedTick()));
        Assert.Throws<PackException>(() => queue.TryEnqueue(new DerivedTick()));
        Assert.Throws<ArgumentNullException>(() => queue.Enqueue(null!));
        queue.Enqueue(Of(1));
        AssertIs(1, Take(queue));
        Assert.Equal(0, queue.GetStatus().MessageCount);
    }

    [Fact]
    public void What_was_written_of_a_batch_that_was_refused_does_not_come_back_by_a_damage_there()
    {
        long last;
        using (MappedQueue<Tick> queue = Open())
        {
            queue.Enqueue(Of(0));
            Tick[] batch = [.. Enumerable.Range(1, 10).Select(static id => Of(id))];
            batch[9] = null!;
            Assert.Throws<ArgumentNullException>(() => queue.EnqueueBatch(batch));
            queue.Enqueue(Of(100));
            AssertIs(0, Take(queue));
            AssertIs(100, Take(queue));
            last = queue.GetStatus().Next.Value;
            queue.Enqueue(Of(101));
        }
        _site.Overwrite(StoreFormat.SegmentName(0), last, [0xAA, 0xAA, 0xAA, 0xAA, 0xAA, 0xAA, 0xAA, 0xAA]);
        // Without it nothing says where the log ended.
        File.Delete(_site.File(StoreFormat.ControlName));
        using MappedQueue<Tick> opened = Open();
        Tick? tick = null;
        Assert.Throws<QueueCorruptException>(() => opened.TryDequeue(ref tick));
        Assert.True(opened.SkipCorrupt());
        Assert.False(opened.TryDequeue(ref tick));
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public void A_damaged_one_is_told_of_and_can_be_stepped_over(bool checksum)
    {
        using var queue = MappedQueue<Tick>.Open(_site.Queue, Small with { UseChecksums = checksum });
        queue.Enqueue(Of(1));
        queue.Enqueue(Of(2));
        // Without a checksum only what cannot be the message's beginning shows.
        using (FileStream segment = File.Open(
            _site.File(StoreFormat.SegmentName(0)), FileMode.Open, FileAccess.ReadWrite, FileShare.ReadWrite | FileShare.Delete))
        {
            segment.Position = SegmentFormat.PageSize + RecordFormat.HeaderSize;
            segment.WriteByte(0xFF);
        }
        Tick? tick = null;
        QueueCorruptException corrupt = Assert.Throws<QueueCorruptException>(() => queue.TryDequeue(ref tick));
        Assert.Equal(SegmentFormat.PageSize, corrupt.Offset);
        Assert.True(queue.SkipCorrupt());
        AssertIs(2, Take(queue));
    }

    [Fact]
    public void What_was_given_back_comes_before_them()
    {
        using MappedQueue<Tick> queue = Open();
        queue.Enqueue(Of(1));
        queue.Enqueue(Of(2));
        using (Subscription<Tick> subscription = queue.Subscribe("default"))
        {
            Assert.True(subscription.TryReceive(out Lease<Tick> lease));
            lease.Abandon();
        }
        AssertIs(1, Take(queue));
        AssertIs(2, Take(queue));
    }

    [Fact]
    public void The_capacity_applies_to_them()
    {
        using var queue = MappedQueue<Tick>.Open(_site.Queue, Small with { Capacity = 1000, FullMode = FullMode.Fail });
        int enqueued = 0;
        while (queue.TryEnqueue(Of(enqueued)))
        {
            enqueued++;
        }
        Assert.Equal(1000 / 32, enqueued);
        Assert.Throws<QueueFullException>(() => queue.Enqueue(Of(0)));
        AssertIs(0, Take(queue));
        Assert.True(queue.TryEnqueue(Of(enqueued)));
    }

    // The capacity is another handle's to set, and looked at after each 64 KiB: that is no reason to pack a batch elsewhere first.
    [Fact]
    public void Long_batches_are_packed_in_place()
    {
        const int Batches = 16, Each = 4000;
        using var queue = MappedQueue<CountedTick>.Open(_site.Queue, new QueueOptions { SegmentSize = 1 << 22 });
        CountedTick[] batch = [.. Enumerable.Range(0, Each).Select(static _ => new CountedTick())];
        for (int i = 0; i < Batches; i++)
        {
            queue.EnqueueBatch(batch);
        }
        Assert.Equal(Batches * Each, queue.GetStatus().MessageCount);
        // The first enters the segment; another finds that more of it must be reserved.
        Assert.InRange(CountedTick.PackedElsewhere, Each, 3 * Each);
    }

    [Fact]
    public async Task Several_threads_lose_none_and_take_none_twice()
    {
        const int Producers = 3, Each = 40_000;
        using MappedQueue<Tick> queue = Open();
        int[] seen = new int[Producers * Each];
        int left = seen.Length;
        IEnumerable<Task> producers = Enumerable.Range(0, Producers).Select(number => Task.Run(() =>
        {
            for (int i = 0; i < Each; i++)
            {
                queue.Enqueue(Of((number * Each) + i));
            }
        }));
        IEnumerable<Task> consumers = Enumerable.Range(0, 2).Select(_ => Task.Run(() =>
        {
            Tick? tick = new();
            while (Volatile.Read(ref left) > 0)
            {
                if (queue.TryDequeue(ref tick))
                {
                    AssertIs(tick!.Id, tick);
                    Interlocked.Increment(ref seen[tick.Id]);
                    Interlocked.Decrement(ref left);
                }
            }
        }));
        await Task.WhenAll(producers.Concat(consumers));
        Assert.All(seen, static times => Assert.Equal(1, times));
    }

    [Fact]
    public async Task A_queue_that_is_disposed_meanwhile_lets_nobody_touch_its_files()
    {
        for (int round = 0; round < 20; round++)
        {
            MappedQueue<Tick> queue = Open();
            Task[] users =
            [
                Task.Run(() => Assert.Throws<ObjectDisposedException>(() => EnqueueForEver(queue))),
                Task.Run(() => Assert.Throws<ObjectDisposedException>(() => DequeueForEver(queue))),
            ];
            await Task.Delay(10);
            queue.Dispose();
            await Task.WhenAll(users);
        }
    }

    private static void EnqueueForEver(MappedQueue<Tick> queue)
    {
        for (int id = 0; ; id++)
        {
            queue.Enqueue(Of(id));
        }
    }

    private static void DequeueForEver(MappedQueue<Tick> queue)
    {
        Tick? tick = null;
        while (true)
        {
            queue.TryDequeue(ref tick);
        }
    }

    private static int LengthOf<T>() where T : IPackable<T> => T.FixedLength;

    private static Tick Of(long id) => new() { Id = id, Price = (int)(id * 7), Amount = id / 3.0 };

    private static void AssertIs(long id, Tick tick)
    {
        if (tick.Id != id || tick.Price != (int)(id * 7) || tick.Amount != id / 3.0)
        {
            Assert.Fail($"Expected {id}, got {tick.Id}, {tick.Price}, {tick.Amount}.");
        }
    }

    private static Tick Take(MappedQueue<Tick> queue)
    {
        Tick? tick = null;
        Assert.True(queue.TryDequeue(ref tick));
        return tick!;
    }

    private MappedQueue<Tick> Open() => MappedQueue<Tick>.Open(_site.Queue, Small);

    public void Dispose() => _site.Dispose();

    // A tick that counts how often it is packed by a writer.
    private sealed class CountedTick : IPackable<CountedTick>
    {
        private readonly Tick _tick = new();

        public static int PackedElsewhere { get; private set; }

        public static int FixedLength => LengthOf<Tick>();

        public static MessageSchema Schema => SchemaOf<Tick>();

        public static void Pack(ref PackWriter writer, scoped in CountedTick? value)
        {
            PackedElsewhere++;
            Pack(ref writer, value!._tick);
        }

        public static bool TryPackFixed(Span<byte> destination, scoped in CountedTick value) => TryPackFixed(destination, value._tick);

        public static void Unpack(ref PackReader reader, scoped ref CountedTick? value) => throw new InvalidOperationException("Not read.");

        private static void Pack<T>(ref PackWriter writer, T value) where T : IPackable<T> => T.Pack(ref writer, in value);

        private static bool TryPackFixed<T>(Span<byte> destination, T value) where T : IPackable<T> =>
            T.TryPackFixed(destination, in value);

        private static MessageSchema SchemaOf<T>() where T : IPackable<T> => T.Schema;
    }
}
