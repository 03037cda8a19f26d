using System.Buffers;

namespace BlitQueue.Tests.Processes;

/// <summary>Bytes as span, values, stream and writer.</summary>
public sealed class SharedBufferTests : IDisposable
{
    private readonly Site _site = new(inMemory: true);

    private string File => _site.Queue;

    [Fact]
    public void Two_handles_see_the_same_bytes_in_every_form()
    {
        using var one = SharedBuffer.OpenFile(File, 100);
        using var other = SharedBuffer.OpenFile(File);
        one.Write(3, 0x0102030405060708);
        Assert.Equal(0x0102030405060708, other.Read<long>(3));
        Assert.Equal(8, other.Span[3]);
        Assert.Throws<ArgumentOutOfRangeException>(() => one.Write(93, 1L));
        Assert.Throws<ArgumentOutOfRangeException>(() => one.Read<long>(-1));
        other.AsMemory().Span[99] = 9;
        Assert.Equal(9, one.Span[99]);
        one.Dispose();
        Assert.Throws<ObjectDisposedException>(() => one.Read<int>(0));
        Assert.Throws<ObjectDisposedException>(() => one.AsStream());
    }

    [Fact]
    public void A_stream_ends_where_the_buffer_does()
    {
        using var buffer = SharedBuffer.OpenFile(File, 10);
        using Stream stream = buffer.AsStream();
        stream.Write([1, 2, 3, 4, 5, 6, 7, 8]);
        Assert.Throws<IOException>(() => stream.Write([9, 10, 11]));
        Assert.Equal(8, stream.Position);
        stream.WriteByte(9);
        stream.WriteByte(10);
        Assert.Throws<IOException>(() => stream.WriteByte(11));
        Assert.Equal(-1, stream.ReadByte());
        Assert.Equal(2, stream.Seek(-8, SeekOrigin.End));
        byte[] rest = new byte[20];
        Assert.Equal(8, stream.Read(rest, 0, 20));
        Assert.Equal([3, 4, 5, 6, 7, 8, 9, 10], rest[..8]);
        Assert.Throws<NotSupportedException>(() => stream.SetLength(20));
        stream.Position = 1000;
        Assert.Equal(0, stream.Read(rest));
        Assert.Throws<IOException>(() => stream.Write([1]));
        buffer.Dispose();
        Assert.Throws<ObjectDisposedException>(() => stream.Read(rest));
    }

    [Fact]
    public void A_writer_ends_where_the_buffer_does()
    {
        using var buffer = SharedBuffer.OpenFile(File, 10);
        SharedBufferWriter writer = buffer.AsWriter();
        writer.Write((ReadOnlySpan<byte>)[1, 2, 3, 4]);
        writer.GetMemory(6).Span[0] = 5;
        writer.Advance(1);
        Assert.Equal([1, 2, 3, 4, 5], writer.WrittenSpan.ToArray());
        Assert.Throws<IOException>(() => writer.GetSpan(6).Length);
        Assert.Throws<ArgumentOutOfRangeException>(() => writer.Advance(6));
        writer.Advance(5);
        Assert.Throws<IOException>(() => writer.GetSpan().Length);
        writer.Position = 0;
        Assert.Equal(10, writer.GetSpan().Length);
        Assert.Equal(5, buffer.Span[4]);
    }

    public void Dispose() => _site.Dispose();
}
