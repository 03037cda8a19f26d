namespace BlitQueue.Tests.Processes;

/// <summary>Elements, spans and what is left of them after the end of a handle.</summary>
public sealed class SharedArrayTests : IDisposable
{
    private readonly Site _site = new(inMemory: true);

    private string File => _site.Queue;

    [Fact]
    public void Two_handles_see_the_same_elements()
    {
        using var one = SharedArray<double>.OpenFile(File, 10);
        using var other = SharedArray<double>.OpenFile(File);
        one[3] = 1.5;
        other[4] = 2.5;
        Assert.Equal(10, other.Length);
        Assert.Equal([0, 0, 0, 1.5, 2.5, 0, 0, 0, 0, 0], other);
        double[] copy = new double[2];
        one.CopyTo(copy, 3);
        Assert.Equal([1.5, 2.5], copy);
        other.CopyFrom([7, 8], start: 8);
        Assert.Equal(8, one.AsMemory().Span[9]);
        Assert.Equal(7, one.Span[8]);
        Assert.Throws<ArgumentOutOfRangeException>(() => one.CopyFrom([1, 2], start: 9));
        Interlocked.Exchange(ref one[0], 5);
        Assert.Equal(5, other[0]);
    }

    [Theory]
    [InlineData(-1)]
    [InlineData(10)]
    [InlineData(int.MaxValue)]
    [InlineData(int.MinValue)]
    public void An_index_outside_is_an_exception(int index)
    {
        using var array = SharedArray<long>.OpenFile(File, 10);
        Assert.Throws<IndexOutOfRangeException>(() => array[index]);
    }

    [Fact]
    public void After_its_end_a_handle_throws_and_what_was_taken_before_does_no_harm()
    {
        var array = SharedArray<long>.OpenFile(File, 10_000);
        using var other = SharedArray<long>.OpenFile(File);
        array.Span.Fill(7);
        Span<long> span = array.Span;
        ref long element = ref array[9_999];
        Memory<long> memory = array.AsMemory();
        array.Dispose();
        array.Dispose();
        Assert.Equal(0, array.Length);
        Assert.Throws<ObjectDisposedException>(() => array[0]);
        Assert.Throws<ObjectDisposedException>(() => array[9_999]);
        Assert.Throws<ObjectDisposedException>(() => memory.Span.Length);
        Assert.Throws<ObjectDisposedException>(() => array.Span.Length);
        Assert.Throws<ObjectDisposedException>(() => array.AsMemory());
        Assert.Throws<ObjectDisposedException>(() => array.AcquireRead().Dispose());
        Assert.Throws<ObjectDisposedException>(() => array.ToList());
        // Elsewhere the file stays mapped there until the process ends.
        bool isOfNoFile = OperatingSystem.IsLinux();
        Assert.Equal(isOfNoFile ? 0 : 7, span[5_000]);
        element = 1;
        span.Fill(2);
        Assert.Equal((isOfNoFile ? 7 : 2, isOfNoFile ? 7 : 2), (other[9_999], other[5_000]));
    }

    [Fact]
    public void Threads_that_use_elements_while_the_handle_ends_get_an_exception_and_nothing_worse()
    {
        for (int round = 0; round < 20; round++)
        {
            var array = SharedArray<long>.OpenFile(File, 100_000);
            Thread[] users = [.. Enumerable.Range(0, 2).Select(_ => new Thread(() =>
            {
                try
                {
                    for (int index = 0; ; index = (index + 777) % 100_000)
                    {
                        array[index]++;
                    }
                }
                catch (ObjectDisposedException)
                {
                }
            }))];
            Array.ForEach(users, static user => user.Start());
            Thread.Sleep(5);
            array.Dispose();
            Array.ForEach(users, static user => Assert.True(user.Join(Peer.Patience)));
        }
    }

    [Fact]
    public void Another_type_length_or_kind_is_refused_by_name()
    {
        SharedArray<Quote>.OpenFile(File, 5).Dispose();
        SchemaMismatchException mismatch = Assert.Throws<SchemaMismatchException>(() => SharedArray<Renamed.Quote>.OpenFile(File, 5));
        Assert.Contains("Quote, 24 bytes: Bid Double at 0, Ask Double at 8, Side Side(1) at 16", mismatch.Message);
        Assert.Contains("Quote, 24 bytes: Ask Double at 0, Bid Double at 8, Side Side(1) at 16", mismatch.Message);
        Assert.Throws<SchemaMismatchException>(() => SharedArray<long>.OpenFile(File, 15));
        Assert.Throws<SchemaMismatchException>(() => SharedArray<ulong>.OpenFile(File));
        Assert.Contains(
            "SharedValue", Assert.Throws<SchemaMismatchException>(() => SharedValue<Quote>.OpenFile(File)).Message,
            StringComparison.Ordinal);
        Assert.Throws<SchemaMismatchException>(() => SharedBuffer.OpenFile(File, 120));
        Assert.Throws<SchemaMismatchException>(() => SharedMutex.OpenFile(File));
        Assert.Throws<SchemaMismatchException>(() => SharedReaderWriterLock.OpenFile(File));
        ArgumentException length = Assert.Throws<ArgumentException>(() => SharedArray<Quote>.OpenFile(File, 6));
        Assert.Contains("length 5", length.Message, StringComparison.Ordinal);
        Assert.Contains("length 6", length.Message, StringComparison.Ordinal);
        Assert.Throws<ArgumentException>(() => SharedArray<WithPointer>.OpenFile(File + "2", 1));
        Assert.Equal(QueueError.NotFound, Assert.Throws<QueueException>(() => SharedArray<long>.OpenFile(File + "3")).Reason);
        using var joined = SharedArray<Quote>.OpenFile(File);
        Assert.Equal(5, joined.Length);
        Assert.Equal([Path.GetFileName(File)], Directory.EnumerateFiles(_site.Root).Select(Path.GetFileName));
    }

    [Fact]
    public void Tuples_and_empty_arrays_can_be_shared()
    {
        using var tuples = SharedArray<(byte, long, Guid)>.OpenFile(File, 3);
        var id = Guid.NewGuid();
        tuples[1] = (1, 2, id);
        using var same = SharedArray<(byte, long, Guid)>.OpenFile(File);
        Assert.Equal(((byte)1, 2L, id), same[1]);
        using var none = SharedArray<decimal>.OpenFile(File + "2", 0);
        Assert.Empty(none);
        Assert.Throws<IndexOutOfRangeException>(() => none[0]);
        Assert.Throws<ArgumentOutOfRangeException>(() => SharedArray<long>.OpenFile(File + "3", -1));
    }

    public void Dispose() => _site.Dispose();

#pragma warning disable CS0649 // What is in them does not matter here.
    internal enum Side : byte
    {
        Buy,
        Sell,
    }

    internal struct Quote
    {
        public double Bid;
        public double Ask;
        public Side Side;
    }

    private static class Renamed
    {
        internal struct Quote
        {
            public double Ask;
            public double Bid;
            public Side Side;
        }
    }

    private unsafe struct WithPointer
    {
        public int* Pointer;
    }
#pragma warning restore CS0649
}
