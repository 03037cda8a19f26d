using System.IO.Pipelines;
using BlitQueue.Tests.Packing.Samples;

namespace BlitQueue.Tests.Packing;

public sealed class PackStreamTests
{
    /// <summary>What a test reads from: a stream, or a pipe, that gives its bytes in pieces of so many.</summary>
    public static TheoryData<bool, int> Ways
        => new() { { false, 1 }, { false, 7 }, { false, 1 << 20 }, { true, 1 }, { true, 7 }, { true, 1 << 20 } };

    [Fact]
    public async Task A_message_stands_behind_its_length_and_a_sequence_ends_with_a_mark()
    {
        using var stream = new MemoryStream();
        await PackStream.WriteAsync(stream, new LineItem { Sku = "a", Count = 2 });
        await PackStream.WriteAllAsync(stream, Messages<LineItem>([null]));
        Assert.Equal("11000000" + "04000100" + "02000000" + "05000000" + "01000000" + "61" + "04000000" + "FFFFFFFF" + "FFFFFFFF",
            Convert.ToHexString(stream.ToArray()));
    }

    [Theory]
    [MemberData(nameof(Ways))]
    public async Task Every_message_of_a_sequence_comes_back_in_its_order(bool isPipe, int piece)
    {
        Order?[] sent = [Order.Full(), null, new(), Order.Full(new string('x', piece == 1 ? 3_000 : 300_000)), Order.Full("Grace")];
        Source source = await Source.WithAsync(isPipe, piece, sent);
        List<Order?> got = await ListAsync(source.ReadAll<Order>());
        Assert.Equal(sent.Select(static order => Convert.ToHexString(Packer.Pack(order))),
            got.Select(static order => Convert.ToHexString(Packer.Pack(order))));
    }

    [Theory]
    [MemberData(nameof(Ways))]
    public async Task What_stands_behind_a_sequence_is_left_for_the_next_call(bool isPipe, int piece)
    {
        using var stream = new MemoryStream();
        await PackStream.WriteAllAsync(stream, Messages<LineItem>([new() { Count = 1 }, new() { Count = 2 }]));
        await PackStream.WriteAsync(stream, new LineItem { Count = 3 });
        await PackStream.WriteAllAsync(stream, Messages<LineItem>([]));
        await PackStream.WriteAllAsync(stream, Messages<LineItem>([new() { Count = 4 }]));
        Source source = new(isPipe, piece, stream.ToArray());

        Assert.Equal([1, 2], (await ListAsync(source.ReadAll<LineItem>())).Select(static item => item!.Count));
        Assert.Equal(3, (await source.ReadAsync<LineItem>())!.Count);
        Assert.Empty(await ListAsync(source.ReadAll<LineItem>()));
        Assert.Equal([4], (await ListAsync(source.ReadAll<LineItem>())).Select(static item => item!.Count));
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task A_loop_that_is_left_leaves_the_source_behind_the_message_given_last(bool isPipe)
    {
        Source source = await Source.WithAsync<LineItem>(isPipe, 1 << 20, new() { Count = 1 }, new() { Count = 2 }, new() { Count = 3 });
        await foreach (LineItem? item in source.ReadAll<LineItem>())
        {
            if (item!.Count == 2)
            {
                break;
            }
        }
        Assert.Equal(3, (await source.ReadAsync<LineItem>())!.Count);
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task An_instance_that_is_given_is_filled(bool isPipe)
    {
        Source source = await Source.WithAsync<LineItem>(isPipe, 1, new() { Count = 1, Sku = "a" }, new() { Count = 2, Sku = "a" }, null);
        LineItem first = (await source.ReadAsync<LineItem>())!;
        string sku = first.Sku!;
        Assert.Same(first, await source.ReadAsync(first));
        Assert.Equal(2, first.Count);
        Assert.Same(sku, first.Sku);
        Assert.Null(await source.ReadAsync(first));
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task Raw_bytes_are_messages_too_and_so_are_none(bool isPipe)
    {
        Source source = await Source.WithAsync<RawMessage>(isPipe, 2, new("abc"u8), new(), new("d"u8));
        Assert.Equal(["616263", "", "64"], (await ListAsync(source.ReadAll<RawMessage>()))
            .Select(static raw => Convert.ToHexString(raw!.Bytes)));
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task A_sequence_cut_off_anywhere_is_refused_after_what_is_whole(bool isPipe)
    {
        using var stream = new MemoryStream();
        await PackStream.WriteAllAsync(stream, Messages<LineItem>([new() { Sku = "abc" }, new() { Sku = "def" }]));
        byte[] bytes = stream.ToArray();
        int frame = (bytes.Length - 4) / 2;
        for (int length = 0; length < bytes.Length; length++)
        {
            var got = new List<LineItem?>();
            PackException fault = await Assert.ThrowsAsync<PackException>(
                () => AddAsync(got, new Source(isPipe, 3, bytes[..length]).ReadAll<LineItem>()));
            Assert.Equal((Math.Min(2, length / frame), (long)(Math.Min(2, length / frame) * frame)), (got.Count, fault.Offset));
        }
    }

    [Theory]
    [InlineData("", "The stream ends where a message was to begin: nothing was written, or all has been read (byte 0)")]
    [InlineData("FFFFFFFF", "Here a sequence ends, and one message was asked for: read sequences with ReadAllAsync (byte 0)")]
    [InlineData(
        "110000",
        "The stream ends 3 bytes into the 4 that say how long a message is: its writer has not finished it. Have it sent again (byte 0)")]
    [InlineData(
        "1100000004000100", "The stream ends 4 bytes into a message of 17: its writer has not finished it. Have it sent again (byte 0)")]
    [InlineData(
        "FEFFFFFF04000100",
        "A message of 4,294,967,294 bytes is announced, and 67,108,864 are allowed. If its writer is to be trusted, raise "
        + "PackStreamOptions.MaxMessageSize; else these bytes are no messages behind their lengths (byte 0)")]
    [InlineData("0500000004000000FF",
        "LineItem: 4 bytes are needed here and 1 are left (byte 4), in message 1 of the stream, whose length stands at byte 0")]
    [InlineData("05000000FFFFFFFF00",
        "1 bytes are left over behind the last value (byte 4), in message 1 of the stream, whose length stands at byte 0")]
    public async Task What_is_no_message_is_refused_with_what_and_where_and_what_to_do(string hex, string message)
    {
        foreach (bool isPipe in new[] { false, true })
        {
            PackException fault = await Assert.ThrowsAsync<PackException>(
                () => new Source(isPipe, 1 << 20, Convert.FromHexString(hex)).ReadAsync<LineItem>().AsTask());
            Assert.Equal(message, fault.Message);
        }
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task A_stream_without_the_end_mark_is_refused_unless_that_was_asked_for(bool isPipe)
    {
        using var stream = new MemoryStream();
        await PackStream.WriteAsync(stream, new LineItem { Count = 1 });
        await PackStream.WriteAsync(stream, new LineItem { Count = 2 });

        var got = new List<LineItem?>();
        PackException fault = await Assert.ThrowsAsync<PackException>(
            () => AddAsync(got, new Source(isPipe, 5, stream.ToArray()).ReadAll<LineItem>()));
        Assert.Equal(2, got.Count);
        Assert.Equal(
            "The stream ends after 2 messages and without the mark that ends a sequence, so others may be missing: its writer has not "
                + "finished it. "
            + $"For messages that are written one by one, set PackStreamOptions.MayEndWithoutMark (byte {stream.Length})", fault.Message);

        var options = new PackStreamOptions { MayEndWithoutMark = true };
        Assert.Equal(2, (await ListAsync(new Source(isPipe, 5, stream.ToArray()).ReadAll<LineItem>(options))).Count);
        await Assert.ThrowsAsync<PackException>(() => ListAsync(new Source(isPipe, 5, stream.ToArray()[..^1]).ReadAll<LineItem>(options)));
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task After_a_message_that_is_none_the_next_can_be_read(bool isPipe)
    {
        using var stream = new MemoryStream();
        await PackStream.WriteAllAsync(stream, Messages<LineItem>([new() { Count = 1 }, new() { Sku = "ab" }, new() { Count = 3 }]));
        byte[] bytes = stream.ToArray();
        int second = 4 + BitConverter.ToInt32(bytes);
        bytes[second + 4 + 4 + 4 + 4 + 4] = 0xFF;
        Source source = new(isPipe, 1 << 20, bytes);

        var got = new List<LineItem?>();
        PackException fault = await Assert.ThrowsAsync<PackException>(() => AddAsync(got, source.ReadAll<LineItem>()));
        Assert.Equal(("LineItem", "Sku"), (fault.MessageName, fault.Member));
        Assert.EndsWith($", in message 2 of the stream, whose length stands at byte {second}", fault.Message);
        await AddAsync(got, source.ReadAll<LineItem>());
        Assert.Equal([1, 3], got.Select(static item => item!.Count));
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task A_length_takes_no_memory_before_its_bytes_come(bool isPipe)
    {
        byte[] bytes = [0, 0, 0, 64, .. new byte[100_000]];
        var options = new PackStreamOptions { MaxMessageSize = 1 << 30 };
        for (int i = 0; i < 2; i++)
        {
            Source source = new(isPipe, 1 << 20, bytes);
            long before = GC.GetTotalAllocatedBytes(precise: true);
            await Assert.ThrowsAsync<PackException>(() => source.ReadAsync<LineItem>(options: options).AsTask());
            Assert.InRange(GC.GetTotalAllocatedBytes(precise: true) - before, 0, 16 << 20);
            Assert.InRange(source.MostAsked, 1, bytes.Length);
        }
    }

    [Fact]
    public async Task A_message_that_is_too_long_to_read_is_not_written()
    {
        var options = new PackStreamOptions { MaxMessageSize = 1000 };
        using var stream = new MemoryStream();
        await PackStream.WriteAsync(stream, new LineItem { Sku = "a" }, options);
        long before = stream.Length;
        PackException fault = await Assert.ThrowsAsync<PackException>(
            () => PackStream.WriteAsync(stream, new LineItem { Sku = new string('x', 1000) }, options).AsTask());
        Assert.Equal(
            "The message has 1,016 bytes, and 1,000 are allowed in a stream: raise PackStreamOptions.MaxMessageSize here and where it is "
                + "read, "
            + "or send it in parts", fault.Message);
        Assert.Equal(before, stream.Length);
        await PackStream.WriteAsync(stream, new LineItem { Sku = new string('x', 984) }, options);
        stream.Position = 0;
        await PackStream.ReadAsync<LineItem>(stream, options: options);
        Assert.Equal(984, (await PackStream.ReadAsync<LineItem>(stream, options: options))!.Sku!.Length);
    }

    [Theory]
    [InlineData(0)]
    [InlineData(-1)]
    [InlineData((1 << 30) + 1)]
    public void A_limit_that_is_none_is_refused(int size)
        => Assert.Throws<ArgumentOutOfRangeException>("value", () => new PackStreamOptions { MaxMessageSize = size });

    [Fact]
    public async Task A_pipe_whose_read_was_cancelled_stands_where_it_stood()
    {
        var pipe = new Pipe();
        using var ending = new CancellationTokenSource();
        byte[] bytes = await BytesAsync<LineItem>(new() { Count = 1 });
        await pipe.Writer.WriteAsync(bytes.AsMemory(0, 9));
        ValueTask<LineItem?> cancelled = PackStream.ReadAsync<LineItem>(pipe.Reader, cancellationToken: ending.Token);
        await ending.CancelAsync();
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => cancelled.AsTask());

        cancelled = PackStream.ReadAsync<LineItem>(pipe.Reader);
        pipe.Reader.CancelPendingRead();
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => cancelled.AsTask());

        ValueTask<LineItem?> read = PackStream.ReadAsync<LineItem>(pipe.Reader);
        await pipe.Writer.WriteAsync(bytes.AsMemory(9));
        Assert.Equal(1, (await read)!.Count);
    }

    [Fact]
    public async Task A_write_that_is_cancelled_leaves_the_end_mark_out()
    {
        using var stream = new MemoryStream();
        using var ending = new CancellationTokenSource();
        await Assert.ThrowsAnyAsync<OperationCanceledException>(
            () => PackStream.WriteAllAsync(stream, CancellingAsync(ending), cancellationToken: ending.Token));
        stream.Position = 0;
        await Assert.ThrowsAsync<PackException>(() => ListAsync(PackStream.ReadAllAsync<LineItem>(stream)));
        await Assert.ThrowsAnyAsync<OperationCanceledException>(
            () => PackStream.WriteAsync(stream, new LineItem(), cancellationToken: ending.Token).AsTask());
    }

    [Fact]
    public async Task A_source_that_throws_leaves_the_end_mark_out()
    {
        using var stream = new MemoryStream();
        await Assert.ThrowsAsync<InvalidTimeZoneException>(() => PackStream.WriteAllAsync(stream, ThrowingAsync()));
        stream.Position = 0;
        await Assert.ThrowsAsync<PackException>(() => ListAsync(PackStream.ReadAllAsync<LineItem>(stream)));
    }

    [Fact]
    public async Task A_pipe_that_nobody_reads_any_more_is_told()
    {
        var pipe = new Pipe();
        await pipe.Reader.CompleteAsync();
        await Assert.ThrowsAsync<IOException>(() => PackStream.WriteAsync(pipe.Writer, new LineItem()).AsTask());

        // The source, which would wait for ever, is told to end.
        await Assert.ThrowsAsync<IOException>(() => PackStream.WriteAllAsync(pipe.Writer, OneAndThenAsync(Timeout.InfiniteTimeSpan)));
    }

    [Fact]
    public async Task Messages_do_not_wait_for_those_behind_them()
    {
        var pipe = new Pipe();
        var second = new TaskCompletionSource<LineItem?>();
        Task writing = PackStream.WriteAllAsync(pipe.Writer, OneAndThenAsync(second.Task));
        IAsyncEnumerator<LineItem?> messages = PackStream.ReadAllAsync<LineItem>(pipe.Reader).GetAsyncEnumerator();
        Assert.True(await messages.MoveNextAsync());
        second.SetResult(new() { Count = 2 });
        Assert.True(await messages.MoveNextAsync());
        Assert.Equal(2, messages.Current!.Count);
        Assert.False(await messages.MoveNextAsync());
        await writing;
    }

    [Fact]
    public async Task A_sequence_is_never_in_memory_as_a_whole()
    {
        const int Count = 5_000, Size = 1_000;
        var pipe = new Pipe();
        int sent = 0, got = 0, most = 0;
        Task writing = PackStream.WriteAllAsync(pipe.Writer, Many());
        await foreach (LineItem? item in PackStream.ReadAllAsync<LineItem>(pipe.Reader))
        {
            Assert.Equal(got++, item!.Count);
            most = Math.Max(most, Volatile.Read(ref sent) - got);
        }
        await writing;
        Assert.Equal(Count, got);
        Assert.InRange(most * Size, 0, 300_000);

        async IAsyncEnumerable<LineItem> Many()
        {
            await Task.Yield();
            for (int i = 0; i < Count; i++)
            {
                Volatile.Write(ref sent, i + 1);
                yield return new LineItem { Count = i, Sku = new string('x', Size) };
            }
        }
    }

    private static async IAsyncEnumerable<T?> Messages<T>(T?[] messages)
    {
        await Task.CompletedTask;
        foreach (T? message in messages)
        {
            yield return message;
        }
    }

    private static async IAsyncEnumerable<LineItem?> ThrowingAsync()
    {
        yield return new LineItem();
        await Task.Yield();
        throw new InvalidTimeZoneException();
    }

    private static async IAsyncEnumerable<LineItem?> CancellingAsync(CancellationTokenSource ending)
    {
        yield return new LineItem();
        await ending.CancelAsync();
        yield return new LineItem();
    }

    private static async IAsyncEnumerable<LineItem?> OneAndThenAsync(
        TimeSpan wait, [System.Runtime.CompilerServices.EnumeratorCancellation] CancellationToken ct = default)
    {
        yield return new LineItem();
        await Task.Delay(wait, ct);
    }

    private static async IAsyncEnumerable<LineItem?> OneAndThenAsync(Task<LineItem?> second)
    {
        yield return new LineItem();
        yield return await second;
    }

    private static async Task<byte[]> BytesAsync<T>(T? message)
        where T : IPackable<T>
    {
        using var stream = new MemoryStream();
        await PackStream.WriteAsync(stream, message);
        return stream.ToArray();
    }

    private static async Task<List<T?>> ListAsync<T>(IAsyncEnumerable<T?> messages)
    {
        var list = new List<T?>();
        await AddAsync(list, messages);
        return list;
    }

    private static async Task AddAsync<T>(List<T?> list, IAsyncEnumerable<T?> messages)
    {
        await foreach (T? message in messages)
        {
            list.Add(message);
        }
    }

    private sealed class Source(bool isPipe, PieceStream stream)
    {
        private readonly PieceStream _stream = stream;
        private readonly PipeReader? _pipe = isPipe ? PipeReader.Create(stream) : null;

        public Source(bool isPipe, int piece, byte[] bytes)
            : this(isPipe, new PieceStream(bytes, piece))
        {
        }

        /// <summary>The most room that a read has offered.</summary>
        public int MostAsked => _stream.MostAsked;

        public static async Task<Source> WithAsync<T>(bool isPipe, int piece, params T?[] messages)
            where T : IPackable<T>
        {
            using var stream = new MemoryStream();
            await PackStream.WriteAllAsync(stream, Messages(messages));
            return new Source(isPipe, piece, stream.ToArray());
        }

        public IAsyncEnumerable<T?> ReadAll<T>(PackStreamOptions? options = null)
            where T : IPackable<T>
            => _pipe is null ? PackStream.ReadAllAsync<T>(_stream, options) : PackStream.ReadAllAsync<T>(_pipe, options);

        public ValueTask<T?> ReadAsync<T>(T? into = default, PackStreamOptions? options = null)
            where T : IPackable<T>
            => _pipe is null ? PackStream.ReadAsync(_stream, into, options) : PackStream.ReadAsync(_pipe, into, options);
    }

    /// <summary>Gives no more than so many bytes at a time, as a connection does.</summary>
    private sealed class PieceStream(byte[] bytes, int piece) : MemoryStream(bytes)
    {
        /// <summary>The most room that was offered at once.</summary>
        public int MostAsked { get; private set; }

        public override ValueTask<int> ReadAsync(Memory<byte> buffer, CancellationToken cancellationToken = default)
        {
            MostAsked = Math.Max(MostAsked, buffer.Length);
            return base.ReadAsync(buffer[..Math.Min(buffer.Length, piece)], cancellationToken);
        }
    }
}
