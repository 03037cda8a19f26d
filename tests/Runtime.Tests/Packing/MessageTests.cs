using System.Buffers;
using BlitQueue.Tests.Packing.Samples;

namespace BlitQueue.Tests.Packing;

public sealed class MessageTests
{
    [Fact]
    public void A_message_has_its_bytes_for_ever()
    {
        var item = new LineItem { Sku = "X-1", Count = 2 };
        Assert.Equal("0400" + "0100" + "02000000" + "07000000" + "03000000" + "582D31", Convert.ToHexString(Packer.Pack(in item)));
        var point = new Point { X = 7, Y = -3 };
        Assert.Equal("0700" + "0000" + "07000000" + "01FDFF", Convert.ToHexString(Packer.Pack(in point)));
        LineItem? nothing = null;
        Assert.Equal("FFFFFFFF", Convert.ToHexString(Packer.Pack(in nothing)));
        var chain = Node.Chain(2);
        Assert.Equal("00000100" + "08000000" + "00000100" + "FFFFFFFF", Convert.ToHexString(Packer.Pack(in chain)));
    }

    [Fact]
    public void Everything_comes_back()
    {
        var order = Order.Full();
        byte[] bytes = Packer.Pack(in order);
        Same(order, Packer.Unpack<Order>(bytes)!);
        Same(new Order(), Packer.Unpack<Order>(Packer.Pack(new Order()))!);
        Assert.Null(Packer.Unpack<Order>(Packer.Pack<Order>(null)));
    }

    [Fact]
    public void The_block_is_zero_where_nothing_is_written()
    {
        var destination = new Rooms(1000);
        var writer = new PackWriter(destination);
        writer.BeginMessage(fixedLength: 6, variableCount: 0).Write(1, (byte)1);
        writer.EndMessage();
        writer.Complete();
        Assert.Equal("06000000" + "000100000000", Convert.ToHexString(destination.Written));
    }

    [Theory]
    [InlineData(0)]
    [InlineData(1)]
    [InlineData(4)]
    [InlineData(49)]
    [InlineData(50)]
    [InlineData(51)]
    [InlineData(120)]
    [InlineData(4096)]
    public void The_bytes_do_not_depend_on_the_room_offered(int offered)
    {
        var order = Order.Full();
        byte[] expected = Packer.Pack(in order);
        var destination = new Rooms(offered);
        Packer.Pack(destination, in order);
        Assert.Equal(expected, destination.Written);
        Assert.Equal(1, destination.Advances);
    }

    [Fact]
    public void A_message_larger_than_any_scratch_buffer_comes_back()
    {
        var order = Order.Full(new string('x', 300_000) + "日");
        order.Codes = [.. Enumerable.Range(0, 200_000)];
        var destination = new Rooms(10);
        Packer.Pack(destination, in order);
        Same(order, Packer.Unpack<Order>(destination.Written)!);
    }

    [Fact]
    public void Text_that_just_fits_stays_in_place()
    {
        foreach (string? text in new[] { "0123456789", "日本語日本語日本語日", "aaaaaaaaaë" })
        {
            int size = 8 + System.Text.Encoding.UTF8.GetByteCount(text);
            var writer = new PackWriter(new Rooms(0), new byte[size]);
            writer.WriteString(text);
            Assert.True(writer.InPlace);
            Assert.Equal(size, writer.Written);
            writer.Abandon();

            writer = new PackWriter(new Rooms(0), new byte[size - 1]);
            writer.WriteString(text);
            Assert.False(writer.InPlace);
            Assert.Equal(size, writer.Written);
            writer.Abandon();
        }
    }

    [Fact]
    public void Nothing_is_handed_over_when_packing_fails()
    {
        var destination = new Rooms(16);
        Assert.Throws<PackException>(() => Packer.Pack(destination, Node.Chain(65)));
        Assert.Equal(0, destination.Advances);
    }

    [Fact]
    public void Bytes_in_several_segments_come_back()
    {
        var order = Order.Full();
        byte[] bytes = Packer.Pack(in order);
        for (int size = 1; size < 64; size += 7)
        {
            ReadOnlySequence<byte> sequence = Segment.Split(bytes, size);
            Same(order, Packer.Unpack<Order>(in sequence)!);
            Order? into = null;
            Assert.Equal(bytes.Length, Packer.Unpack(in sequence, ref into));
            Same(order, into!);
        }

        var whole = new ReadOnlySequence<byte>(bytes);
        Same(order, Packer.Unpack<Order>(in whole)!);
    }

    [Fact]
    public void Bytes_left_over_are_refused_by_one_overload_and_left_alone_by_the_other()
    {
        byte[] bytes = [.. Packer.Pack(new LineItem { Sku = "a", Count = 1 }), 0];
        Assert.Equal(bytes.Length - 1, Assert.Throws<PackException>(() => Packer.Unpack<LineItem>(bytes)).Offset);
        ReadOnlySequence<byte> sequence = Segment.Split(bytes, 3);
        Assert.Throws<PackException>(() => Packer.Unpack<LineItem>(in sequence));
        LineItem? item = null;
        Assert.Equal(bytes.Length - 1, Packer.Unpack(bytes, ref item));
        Assert.Equal("a", item!.Sku);
    }

    [Fact]
    public void A_span_is_a_view_of_the_bytes_and_null_is_empty()
    {
        byte[] bytes = Hand.Pack((ref PackWriter w) =>
        {
            w.WriteSpan<long>([1, 2]);
            w.WriteSpan<long>([]);
            w.WriteNull();
        });
        var reader = new PackReader(bytes);
        ReadOnlySpan<long> span = reader.ReadSpan<long>();
        bytes[4] = 9;
        Assert.Equal([9L, 2L], span.ToArray());
        Assert.True(reader.ReadSpan<long>().IsEmpty);
        Assert.True(reader.ReadSpan<long>().IsEmpty);
        Assert.Equal(0, reader.Remaining);
    }

    [Fact]
    public void A_view_of_values_that_must_be_checked_is_not_given()
    {
        byte[] bytes = Hand.Pack((ref PackWriter w) => w.WriteSpan<bool>([true]));
        Assert.Throws<NotSupportedException>(() => new PackReader(bytes).ReadSpan<bool>());
        Assert.Throws<NotSupportedException>(() => new PackReader(bytes).ReadSpan<DateTime>());
    }

    [Fact]
    public void Sixty_four_messages_may_be_inside_each_other_and_no_more()
    {
        byte[] bytes = Packer.Pack(Node.Chain(64));
        Assert.NotNull(Packer.Unpack<Node>(bytes));
        Assert.Throws<PackException>(() => Packer.Pack(Node.Chain(65)));

        byte[] deeper = [0, 0, 1, 0, .. BitConverter.GetBytes(bytes.Length), .. bytes];
        Assert.Contains("cycle", Assert.Throws<PackException>(() => Packer.Unpack<Node>(deeper)).Message);
    }

    [Fact]
    public void A_cycle_is_refused_and_not_a_stack_overflow()
    {
        var node = new Node();
        node.Next = node;
        Assert.Throws<PackException>(() => Packer.Pack(node));
    }

    internal static void Same(Order expected, Order actual)
    {
        Assert.Equal(expected.Id, actual.Id);
        Assert.Equal(expected.Placed, actual.Placed);
        Assert.Equal(expected.Placed.Kind, actual.Placed.Kind);
        Assert.Equal(expected.Paid, actual.Paid);
        Assert.Equal(expected.Total, actual.Total);
        Assert.Equal(expected.Shipped, actual.Shipped);
        Assert.Equal(expected.Shipped.Offset, actual.Shipped.Offset);
        Assert.Equal(expected.Grade, actual.Grade);
        Assert.Equal(expected.Customer, actual.Customer);
        Assert.Equal(expected.Items?.Select(item => (item?.Sku, item?.Count)), actual.Items?.Select(item => (item?.Sku, item?.Count)));
        Assert.Equal((expected.Gift?.Sku, expected.Gift?.Count), (actual.Gift?.Sku, actual.Gift?.Count));
        Assert.Equal(expected.Codes, actual.Codes);
        Assert.Equal(expected.Flags, actual.Flags);
        Assert.Equal(expected.Notes, actual.Notes);
        Assert.Equal(expected.Spot, actual.Spot);
    }
}
