using System.Buffers;
using BlitQueue.Generated;
using BlitQueue.Tests.Packing.Samples;

namespace BlitQueue.Tests.Packing;

public sealed class MisuseTests
{
    [Theory]
    [InlineData(-1)]
    [InlineData(5)]
    [InlineData(8)]
    [InlineData(int.MaxValue)]
    [InlineData(int.MinValue)]
    public void A_value_outside_the_block_is_refused_and_not_written(int offset)
    {
        var destination = new Rooms(100);
        var writer = new PackWriter(destination);
        FixedBlockWriter block = writer.BeginMessage(8, 0);
        int faults = 0;
        try { block.Write(offset, 0x11111111); } catch (ArgumentOutOfRangeException) { faults++; }
        try { block.Write(offset, DateTimeOffset.MaxValue); } catch (ArgumentOutOfRangeException) { faults++; }
        try { block.Write(offset, 1m); } catch (ArgumentOutOfRangeException) { faults++; }
        try { block.WriteNullable<long>(offset, 1); } catch (ArgumentOutOfRangeException) { faults++; }
        writer.EndMessage();
        writer.WriteValue((byte)0xEE);
        writer.Complete();
        Assert.Equal(4, faults);
        Assert.Equal("08000000" + "0000000000000000" + "EE", Convert.ToHexString(destination.Written));
    }

    [Theory]
    [InlineData(-1)]
    [InlineData(5)]
    [InlineData(int.MaxValue)]
    [InlineData(int.MinValue)]
    public void A_value_outside_the_block_is_not_read(int offset)
        => Hand.Refused("08000000 0000000000000000 11111111", (ref PackReader r) =>
        {
            r.BeginMessage(out FixedBlockReader block);
            return block.Read<int>(offset);
        });

    [Fact]
    public void A_block_written_too_late_harms_nothing()
    {
        var destination = new Rooms(12);
        var writer = new PackWriter(destination);
        FixedBlockWriter block = writer.BeginMessage(4, 1);
        writer.WriteString(new string('x', 100_000));
        block.Write(0, 0x11111111);
        writer.EndMessage();
        writer.Complete();
        Assert.Equal(100_000, Packer.Unpack<LineItem>(destination.Written)!.Sku!.Length);
    }

    [Fact]
    public void A_block_in_an_outgrown_buffer_writes_into_nobody_elses()
    {
        var writer = new PackWriter(new Rooms(0), default);
        FixedBlockWriter block = writer.BeginMessage(4, 1);
        writer.WriteString(new string('x', 200_000));

        byte[] rented = ArrayPool<byte>.Shared.Rent(64 * 1024);
        rented.AsSpan().Clear();
        block.Write(0, 0x11111111);
        Assert.Equal(-1, rented.AsSpan().IndexOfAnyExcept((byte)0));
        ArrayPool<byte>.Shared.Return(rented);
        writer.Abandon();
    }

    [Fact]
    public void What_is_not_open_cannot_be_ended()
    {
        Fails((ref PackWriter w) => w.EndMessage());
        Fails((ref PackWriter w) => w.EndVariable(default));
        Fails((ref PackWriter w) => { w.BeginVariable(); });
        Fails((ref PackWriter w) => { w.BeginMessage(0, 0); });
        Fails((ref PackWriter w) =>
        {
            VariableMark mark = w.BeginVariable();
            w.EndVariable(mark);
            w.EndVariable(mark);
        });
        Assert.Throws<InvalidOperationException>(() => new PackReader([]).EndMessage(default, 0));
        Assert.Throws<InvalidOperationException>(() => new PackReader([]).EndVariable(default));
        Assert.Throws<InvalidOperationException>(() =>
        {
            var reader = new PackReader([1, 0, 0, 0, 0]);
            reader.BeginVariable(out _);
            reader.EndVariable(default);
        });
        Assert.Throws<InvalidOperationException>(() =>
        {
            var reader = new PackReader([9, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0]);
            reader.BeginVariable(out VariableScope outer);
            reader.BeginVariable(out _);
            reader.EndVariable(outer);
        });

        static void Fails(Hand.Packing packing) => Assert.Throws<InvalidOperationException>(() => Hand.Pack(packing));
    }

    [Fact]
    public void A_packer_cannot_complete_the_writer_it_was_lent()
        => Assert.Throws<InvalidOperationException>(() => Hand.Pack((ref PackWriter w) =>
        {
            w.BeginMessage(0, 0);
            w.Complete();
        }));

    [Theory]
    [InlineData(65535, 0)]
    [InlineData(0, 65535)]
    [InlineData(-1, 0)]
    [InlineData(0, -1)]
    public void A_message_has_at_most_65534_fixed_bytes_and_variables(int fixedLength, int variableCount)
        => Assert.Throws<ArgumentOutOfRangeException>(() => Hand.Pack((ref PackWriter w) => w.BeginMessage(fixedLength, variableCount)));

    [Fact]
    public void The_largest_message_header_is_no_null_mark()
    {
        byte[] bytes = Hand.Pack((ref PackWriter w) =>
        {
            w.BeginMessage(65534, 65534);
            w.EndMessage();
        });
        Assert.Equal("FEFFFEFF", Convert.ToHexString(bytes, 0, 4));
    }

    [Fact]
    public void A_writer_and_a_reader_that_were_never_made_are_harmless()
    {
        var writer = default(PackWriter);
        writer.WriteString("abc");
        Assert.Equal(11, writer.Written);
        writer.Abandon();
        writer.Abandon();
        Assert.Equal(0, writer.Written);
        Assert.Throws<InvalidOperationException>(() => default(PackWriter).Complete());
        Assert.Throws<PackException>(() => default(PackReader).ReadValue<int>());
    }

    [Fact]
    public void A_destination_that_gives_less_than_asked_for_is_told_so()
        => Assert.Throws<InvalidOperationException>(() => Packer.Pack(new Stingy(), Order.Full()));

    private sealed class Stingy : IBufferWriter<byte>
    {
        public void Advance(int count) => Assert.Fail("nothing may be handed over");

        public Memory<byte> GetMemory(int sizeHint = 0) => new byte[8];

        public Span<byte> GetSpan(int sizeHint = 0) => new byte[8];
    }
}
